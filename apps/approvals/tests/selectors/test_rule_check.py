"""The check of a rule before it is saved."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind, StepMode
from apps.approvals.selectors.rule_check import Problem, find_rule_problems
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.tests.factories import create_rule
from apps.common.testing.database import assert_queries
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)


def list_problems(group_id: int | None, *steps: StepSpec, **fields: Any) -> list[Problem]:
    assert group_id is not None
    return find_rule_problems(
        group_id=group_id, spec=RuleSpec("新规则", **fields), steps=list(steps)
    )


def list_problem_codes(
    group_id: int | None, *steps: StepSpec, **fields: Any
) -> list[tuple[str, str, int | None]]:
    return [
        (row.level, row.code, row.step)
        for row in list_problems(group_id, *steps, **fields)
        if row.level != "info"
    ]


def build_amount(text: str) -> list[dict[str, object]]:
    return [{"kind": "amount", "value": text}]


def test_valid_rule_reports_only_the_self_approval_hint(ga: Account, approver: Account) -> None:
    rows = list_problems(ga.group_id, HEAD)

    assert [(row.level, row.message) for row in rows] == [
        ("info", "负责人本人下单时不由本人审批，将转由集团管理员审批")
    ]


def test_check_reports_a_disabled_sole_approver_as_a_dead_end(
    ga: Account, approver: Account
) -> None:
    approver.is_active = False
    approver.save()

    assert list_problem_codes(
        ga.group_id, StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))
    ) == [
        ("stop", "unable_approver", 1),
        ("stop", "nobody", 1),
    ]


def test_check_warns_of_one_disabled_approver_among_several(
    ga: Account, approver: Account, buyer: Account
) -> None:
    approver.is_active = False
    approver.save()

    rows = list_problems(
        ga.group_id, StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, buyer, ga))
    )

    assert [(row.level, row.message) for row in rows] == [("warn", "老审账号已停用，不会收到审批")]


def test_check_reports_a_chain_of_one_person_as_a_dead_end(ga: Account, approver: Account) -> None:
    alone = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))

    assert "one_person" in [row.code for row in list_problems(ga.group_id, alone, alone)]
    other = StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))
    assert "one_person" not in [row.code for row in list_problems(ga.group_id, alone, other)]


def test_an_empty_role_is_a_dead_end(ga: Account, approver: Account) -> None:
    role = RoleFactory(group=ga.group, code="fin", name="财务")

    assert list_problem_codes(ga.group_id, HEAD, StepSpec(ApproverKind.ROLE, role=role)) == [
        ("stop", "empty_role", 2)
    ]


def test_departments_without_a_head_are_named(
    ga: Account, approver: Account, department: Department
) -> None:
    DepartmentFactory(enterprise=department.enterprise, name="研发部")

    rows = list_problems(ga.group_id, HEAD)

    assert (rows[0].level, rows[0].message) == (
        "warn",
        "1 个部门（研发部）的部门未设负责人，这些部门的订单将转由集团管理员审批",
    )


def test_check_reports_a_missing_department_level(ga: Account, approver: Account) -> None:
    assert list_problem_codes(ga.group_id, StepSpec(ApproverKind.HEAD_UP, levels_up=1)) == [
        ("stop", "no_level", 1)
    ]


def test_check_reports_a_requester_who_is_the_sole_approver_as_a_dead_end(
    ga: Account, buyer: Account
) -> None:
    condition = [{"kind": "requester", "value": [buyer.pk]}]
    step = StepSpec(ApproverKind.ACCOUNTS, accounts=(buyer,))

    assert list_problem_codes(ga.group_id, step, conditions=condition) == [
        ("stop", "requester_alone", 1)
    ]
    assert (
        list_problem_codes(ga.group_id, step, conditions=condition, allows_self_approval=True) == []
    )


def test_check_reports_a_group_without_an_admin(buyer: Account) -> None:
    assert list_problem_codes(buyer.group_id, HEAD) == [
        ("stop", "head_missing", 1),
        ("stop", "no_admin", None),
    ]


def test_check_reports_a_department_condition_outside_the_rules_place(
    ga: Account, approver: Account, department: Department
) -> None:
    other = DepartmentFactory(enterprise=department.enterprise, name="研发部")
    condition = [{"kind": "department", "value": [other.pk]}]

    assert list_problem_codes(
        ga.group_id,
        HEAD,
        department=department,
        enterprise=department.enterprise,
        conditions=condition,
    ) == [("stop", "no_department", None)]


def test_check_reports_a_validity_that_has_ended(ga: Account, approver: Account) -> None:
    yesterday: date = timezone.localdate() - timedelta(days=1)

    assert list_problem_codes(ga.group_id, HEAD, valid_until=yesterday) == [("stop", "ended", None)]


@pytest.mark.parametrize(
    ("present", "wanted", "code"),
    [
        ("2000.00", "2000.00", "duplicate"),
        ("1000.00", "2000.00", "shadowed"),
        ("3000.00", "2000.00", None),
    ],
)
def test_check_reports_a_rule_covered_by_an_existing_rule(
    ga: Account, approver: Account, present: str, wanted: str, code: str | None
) -> None:
    create_rule(group_id=ga.group_id, name="已有", steps=[HEAD], conditions=build_amount(present))

    assert [
        row[1] for row in list_problem_codes(ga.group_id, HEAD, conditions=build_amount(wanted))
    ] == ([code] if code else [])


def test_check_accepts_a_similar_rule_with_other_approvers(ga: Account, approver: Account) -> None:
    create_rule(group_id=ga.group_id, name="已有", steps=[HEAD], conditions=build_amount("1000.00"))

    assert (
        list_problem_codes(
            ga.group_id,
            StepSpec(ApproverKind.ACCOUNTS, accounts=(ga, approver)),
            conditions=build_amount("2000.00"),
        )
        == []
    )


def test_check_reports_that_a_repeated_approver_is_skipped(ga: Account, approver: Account) -> None:
    colleague = AccountFactory(
        department=approver.department, nickname="会签人", roles=list(approver.roles.all())
    )
    twice = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver, colleague))

    assert "老审在第 1 步已审批，本步自动跳过" in [
        row.message for row in list_problems(ga.group_id, twice, twice)
    ]


@pytest.mark.parametrize("number", [1, 6])
def test_the_rules_of_departments_cost_six_queries_however_many(
    ga: Account, approver: Account, department: Department, number: int
) -> None:
    for place in DepartmentFactory.create_batch(
        number, enterprise=department.enterprise, parent=department
    ):
        create_rule(group_id=ga.group_id, name=place.name, steps=[HEAD], department=place)

    with assert_queries(6):
        list_problems(ga.group_id, HEAD, department=department)
