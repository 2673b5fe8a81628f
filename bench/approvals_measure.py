"""The measurements of bench_approvals. Runs in its own process on its own database; prints
JSON.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.in_process import print_measure
from bench.orders_measure import count_queries, measure_p50
from bench.scale import size

if TYPE_CHECKING:
    from apps.common.testing import ApiClient
    from apps.org.models import Account

APPROVALS, PENDING, RULES, BUDGETS = (
    size(50_000, 400),
    size(2_000, 40),
    size(150, 10),
    size(7_000, 40),
)
HEADS, REQUESTERS = size(60, 6), size(500, 30)
# They were asked for over a year.
MINUTES_APART = 500_000 // APPROVALS
# Of each: how many lie with, were decided by, and were asked for by the one who is measured.
OWN_PENDING, OWN_DECIDED, OWN_ASKED = size(300, 10), size(5_000, 200), size(1_000, 20)


def create_people() -> tuple[Any, Any, list[Any], list[Any]]:
    """Return an admin, a department's rule maintainer, 60 heads and 500 requesters of one
    group.
    """
    from apps.org.enums import AccountType, DataScope
    from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

    top = DepartmentFactory(code="TOP")
    role = RoleFactory(group=top.group, data_scope=DataScope.DEPARTMENT)
    admin = AccountFactory(department=top, kind=AccountType.GROUP_ADMIN)
    places = [DepartmentFactory(enterprise=top.enterprise, parent=top) for _ in range(HEADS)]
    heads = [AccountFactory(department=place, roles=[role]) for place in places]
    for place, head in zip(places, heads, strict=True):
        place.head = head
        place.save()
    askers = [
        AccountFactory(department=places[number % HEADS], roles=[role])
        for number in range(REQUESTERS)
    ]
    return admin, AccountFactory(department=places[1], roles=[role]), heads, askers


def grow_approvals(heads: list[Account], askers: list[Account]) -> None:
    """Create 50,000 approvals over a year, all but 2,000 decided."""
    from django.utils import timezone

    from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
    from apps.approvals.models import Approval, ApprovalStep, ApprovalTask

    group_id, now = heads[0].group_id or 0, timezone.now()
    moments = [now - timedelta(minutes=number * MINUTES_APART) for number in range(APPROVALS)]
    rows = [
        _build_approval(group_id, number, askers, moment) for number, moment in enumerate(moments)
    ]
    Approval.objects.bulk_create(rows, batch_size=2000)
    for row, moment in zip(rows, moments, strict=True):
        row.created_at = moment
    Approval.objects.bulk_update(rows, ["created_at"], batch_size=2000)
    steps = [
        ApprovalStep(
            group_id=group_id,
            approval=row,
            no=1,
            rule_name="部门负责人审批",
            mode="any",
            status=StepStatus.ACTIVE
            if row.status == ApprovalStatus.PENDING
            else StepStatus.APPROVED,
        )
        for row in rows
    ]
    ApprovalStep.objects.bulk_create(steps, batch_size=2000)
    tasks = []
    for number, (step, moment) in enumerate(zip(steps, moments, strict=True)):
        is_open = step.status == StepStatus.ACTIVE
        own = OWN_PENDING if is_open else PENDING + OWN_DECIDED
        task = ApprovalTask(
            group_id=group_id,
            step=step,
            approver=heads[0] if number < own else heads[1 + number % (HEADS - 1)],
        )
        task.arrived_at, task.status = (
            moment,
            TaskStatus.PENDING if is_open else TaskStatus.APPROVED,
        )
        if not is_open:
            task.decided_at, task.waited_minutes = moment + timedelta(hours=3), number % 900
        else:
            # Nothing is due for the job: both have been done.
            task.reminded_at = task.escalated_at = now
        tasks.append(task)
    ApprovalTask.objects.bulk_create(tasks, batch_size=2000)


def _build_approval(group_id: int, number: int, askers: list[Account], moment: datetime) -> Any:
    from apps.approvals.enums import ApprovalStatus
    from apps.approvals.models import Approval

    return Approval(
        group_id=group_id,
        subject_type="order",
        subject_id=number,
        subject_no=f"SO{number:010d}",
        requester=askers[0]
        if number % (APPROVALS // OWN_ASKED) == 0
        else askers[1 + number % (REQUESTERS - 1)],
        amount=number % 9000,
        reasons=["订单金额达到 ¥2,000.00（大额采购）"],
        status=ApprovalStatus.PENDING if number < PENDING else ApprovalStatus.APPROVED,
        decided_at=None if number < PENDING else moment,
    )


def create_rules(heads: list[Account], askers: list[Account]) -> None:
    """Create 150 rules that name people and departments."""
    from apps.approvals.enums import ApproverKind, StepMode
    from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
    from apps.approvals.services.rule_manage import rule_save

    for number in range(RULES):
        head = heads[number % HEADS]
        conditions: list[dict[str, Any]] = [
            {"kind": "amount", "value": f"{1000 + number}.00"},
            {"kind": "requester", "value": [asker.pk for asker in askers[number : number + 5]]},
            {"kind": "department", "value": [head.department_id]},
        ]
        steps = [
            StepSpec(ApproverKind.HEAD),
            StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=tuple(heads[:3])),
        ]
        spec = RuleSpec(
            f"规则 {number}",
            conditions,
            department=head.department,
            enterprise=head.enterprise,
            position=number,
        )
        rule_save(group_id=head.group_id or 0, spec=spec, steps=steps)


def create_budgets(heads: list[Account], askers: list[Account]) -> None:
    """Create 7,000 budgets of this year for departments and people, many of them nearly used
    up.
    """
    from decimal import Decimal

    from django.utils import timezone

    from apps.budgets.models import Budget

    year = timezone.localdate().year
    rows = []
    for number in range(BUDGETS):
        asker, head = askers[number % REQUESTERS], heads[number % HEADS]
        owner = (
            {"owner_type": "account", "account": asker}
            if number % 2
            else {"owner_type": "department", "department": head.department}
        )
        rows.append(
            Budget(
                group_id=head.group_id or 0,
                enterprise=head.enterprise,
                name=f"预算 {number}",
                period="year",
                period_from=f"{year}-01-01",
                period_to=f"{year}-12-31",
                amount=Decimal(10_000),
                consumed=Decimal(number % 10_001),
                **owner,
            )
        )
    Budget.objects.bulk_create(rows, batch_size=1000)


def measure() -> dict[str, float]:
    """Return milliseconds and query counts."""
    from django.db import connection

    from apps.approvals.services.approval_reminders import approvals_remind
    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        admin, keeper, heads, askers = create_people()
        grow_approvals(heads, askers)
        create_rules(heads, askers)
        create_budgets(heads, askers)
        clients = [ApiClient(account) for account in (admin, keeper, heads[0], askers[0])]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    result = {"empty": measure_p50(lambda: clients[0].post("/api/Empty"))}
    for name, (caller, path, query) in get_lists(*clients).items():
        ask = partial(caller.get, path, query)
        answer = ask()
        if not answer.ok or not answer.body.get("Items", True):
            raise SystemExit(f"{name}: {answer.code} {answer.message}")
        result[name], result[f"{name} queries"] = measure_p50(ask), count_queries(ask)
    with platform_scope(reason="bench"):
        result["job"] = measure_p50(approvals_remind)
    return result


def get_lists(
    group: ApiClient, scope: ApiClient, head: ApiClient, asker: ApiClient
) -> dict[str, tuple[ApiClient, str, dict[str, Any]]]:
    """Return the measured requests by name, each with its caller."""
    return {
        "todo": (head, "/api/Approval", {"Box": "todo"}),
        "done": (head, "/api/Approval", {"Box": "done"}),
        "mine": (asker, "/api/Approval", {"Box": "mine"}),
        "keyword": (head, "/api/Approval", {"Box": "done", "Keyword": "00021"}),
        "waiting": (group, "/api/ApprovalWaiting", {}),
        "scope": (scope, "/api/ApprovalWaiting", {}),
        "rules": (group, "/api/ApprovalRule", {}),
        "whole": (group, "/api/ApprovalRule", {"PageSize": 100}),
        "late": (asker, "/api/Approval", {"Box": "mine", "Overdue": "true"}),
        "budgets": (group, "/api/Budget", {}),
        "workbench": (group, "/api/Workbench", {}),
        "workbench_head": (head, "/api/Workbench", {}),
    }


if __name__ == "__main__":
    print_measure(measure)
