"""Waiting time: on each row of the boxes, and for each approver."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind, TaskStatus
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.selectors.waiting import list_approver_figures
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.approvals.services.approval_reminders import approvals_remind
from apps.approvals.shared_serializers import ApprovalSerializer
from apps.approvals.tests.clock import clock
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import SUBJECT_TYPE, register_recorder, start
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.common.testing.database import assert_queries
from apps.documents.excel import read_rows
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Group
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

pytestmark = pytest.mark.django_db
URL = "/api/ApprovalWaiting"


@pytest.fixture(autouse=True)
def _rule(buyer: Account, approver: Account) -> None:
    register_recorder()
    create_rule(group_id=buyer.group_id, name="全部", steps=[StepSpec(ApproverKind.HEAD)])


def start_approval(buyer: Account, moment: str, subject_id: int = 7) -> Approval:
    with clock(moment):
        return start(buyer, subject_id=subject_id)


def get_approval(actor: Account, approval: Approval, moment: str) -> dict[str, Any]:
    """Return the approval as the actor sees it at a moment. The account is loaded again, as in
    every request.
    """
    with clock(moment):
        context = {"actor": Account.objects.select_related("group").get(pk=actor.pk)}
        return dict(ApprovalSerializer(Approval.objects.get(pk=approval.pk), context=context).data)


@pytest.mark.parametrize(
    ("moment", "wait"),
    [
        ("2026-11-20 15:59", {"Hours": 6.98, "Text": "6 工作小时", "IsOverdue": False}),
        ("2026-11-20 17:00", {"Hours": 8.0, "Text": "8 工作小时", "IsOverdue": True}),
        # the same Friday evening, the weekend through
        ("2026-11-22 12:00", {"Hours": 9.0, "Text": "9 工作小时", "IsOverdue": True}),
        ("2026-11-23 18:00", {"Hours": 18.0, "Text": "2 个工作日", "IsOverdue": True}),
    ],
)
def test_waiting_time_is_counted_in_working_hours(
    buyer: Account, approver: Account, moment: str, wait: dict[str, Any]
) -> None:
    approval = start_approval(buyer, "2026-11-20 09:00")
    assert get_approval(approver, approval, moment)["Waiting"] == wait
    assert get_approval(buyer, approval, moment)["Waiting"] == wait


def test_overdue_falls_back_to_the_escalation_hours_without_reminder_hours(
    buyer: Account, approver: Account
) -> None:
    approval = start_approval(buyer, "2026-11-16 09:00")
    Group.objects.update(approval_remind_hours=0)
    assert not get_approval(approver, approval, "2026-11-18 14:59")["Waiting"]["IsOverdue"]
    assert get_approval(approver, approval, "2026-11-18 15:00")["Waiting"]["IsOverdue"]
    Group.objects.update(approval_escalate_hours=0)
    assert not get_approval(approver, approval, "2026-12-18 15:00")["Waiting"]["IsOverdue"]


def test_ended_approval_has_no_waiting_time_and_cannot_be_urged(
    buyer: Account, approver: Account
) -> None:
    approval = start_approval(buyer, "2026-11-20 09:00")
    approval_approve(actor=approver, approval_id=approval.pk)
    row = get_approval(approver, approval, "2026-11-20 17:00")
    assert (row["Waiting"], row["CanUrge"]) == (None, False)


def test_escalated_task_counts_waiting_from_its_escalation_and_names_its_origin(
    buyer: Account, approver: Account, ga: Account
) -> None:
    approval = start_approval(buyer, "2026-11-16 09:00")
    with clock("2026-11-18 15:00"), platform_scope(reason="test: the job"):
        approvals_remind()

    row = get_approval(ga, approval, "2026-11-18 17:00")

    assert row["Waiting"]["Hours"] == 2.0
    assert [
        (task["Approver"]["Name"], (task["EscalatedFrom"] or {}).get("Name"))
        for task in row["Steps"][0]["Tasks"]
    ] == [
        ("老审", None),
        ("集管", "老审"),
    ]


def test_the_requester_may_urge_and_then_not_for_four_working_hours(
    buyer: Account, approver: Account
) -> None:
    approval = start(buyer)
    path = f"/api/Approval/{approval.pk}/Urge"

    first = ApiClient(buyer).post(path)

    assert (first.message, first.body["CanUrge"]) == ("已催办，审批人会收到提醒", False)
    assert ApiClient(buyer).post(path).code == "wrong_state"
    assert not ApiClient(approver).get("/api/Approval").body["Items"][0]["CanUrge"]
    assert ApiClient(approver).post(path).status == 404
    Approval.objects.update(urged_at=timezone.now() - timedelta(days=20))
    assert ApiClient(buyer).get("/api/Approval", {"Box": "mine"}).body["Items"][0]["CanUrge"]


def list_figures(actor: Account, moment: str) -> list[tuple[Any, ...]]:
    with clock(moment):
        rows = list_approver_figures(actor=Account.objects.select_related("group").get(pk=actor.pk))
    return [
        (
            row.account.nickname,
            row.open_count,
            row.overdue_count,
            row.oldest_hours,
            row.decided_count,
            row.average_hours,
            row.slow_hours,
        )
        for row in rows
    ]


def test_approver_figures_count_open_and_late_tasks_and_decision_hours(
    buyer: Account, approver: Account, ga: Account
) -> None:
    # Decisions after 1, 2, … 10 working hours from Monday 9:00; a rejection counts too.
    for number in range(1, 11):
        approval = start_approval(buyer, "2026-11-16 09:00", number)
        with clock("2026-11-17 10:00" if number == 10 else f"2026-11-16 {9 + number:02d}:00"):
            if number == 3:
                approval_reject(actor=approver, approval_id=approval.pk, reason="超标")
            else:
                approval_approve(actor=approver, approval_id=approval.pk)
    start_approval(buyer, "2026-11-18 09:00", 11)
    start_approval(buyer, "2026-11-18 16:00", 12)

    assert list_figures(ga, "2026-11-18 17:00") == [("老审", 2, 1, 8.0, 10, 5.5, 9.0)]
    # After 30 days only open tasks are counted.
    assert list_figures(ga, "2026-12-18 17:00")[0][4:] == (0, None, None)


def test_approver_figures_follow_the_keepers_data_scope(
    buyer: Account, approver: Account, department: Department
) -> None:
    elsewhere = DepartmentFactory(enterprise=department.enterprise, name="财务部")
    role = RoleFactory(group=department.group, code="keeper", data_scope=DataScope.DEPARTMENT)
    here, there = (
        AccountFactory(department=place, roles=[role]) for place in (department, elsewhere)
    )
    start(buyer)

    assert [row["Approver"]["Name"] for row in ApiClient(here).get(URL).body["Items"]] == ["老审"]
    assert ApiClient(there).get(URL).body["Total"] == 0
    assert ApiClient(here).get(URL, {"Keyword": "审"}).body["Total"] == 1
    assert ApiClient(here).get(URL, {"Keyword": "没有"}).body["Total"] == 0


def test_the_sheet_has_the_same(buyer: Account, approver: Account, ga: Account) -> None:
    with clock("2026-11-16 09:00"):
        start(buyer)
    answer = ApiClient(ga).get(f"{URL}/Export")
    rows = [list(row) for row in read_rows(io.BytesIO(answer.body), max_rows=10, max_columns=20)]
    assert rows[0][:4] == ["审批人", "部门", "待审批", "已超时"]
    assert [str(cell) for cell in rows[1][:3]] == ["老审", "行政部", "1"]


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)"])
def test_figures_export_writes_names_as_text(
    buyer: Account, approver: Account, ga: Account, name: str
) -> None:
    start(buyer)
    Account.objects.filter(pk=approver.pk).update(nickname=name)
    assert approver.department is not None
    Department.objects.filter(pk=approver.department.pk).update(name=name)

    sheet = ApiClient(ga).get(f"{URL}/Export").body

    assert list(read_rows(io.BytesIO(sheet), max_rows=10, max_columns=20))[1][:2] == [name, name]
    with zipfile.ZipFile(io.BytesIO(sheet)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("people", [1, 12])
def test_approver_figures_take_five_queries_for_any_number_of_people(
    buyer: Account, ga: Account, people: int
) -> None:
    create_approvals(buyer, people)
    client = ApiClient(ga)
    with assert_queries(5):
        client.get(URL)


def create_approvals(buyer: Account, people: int) -> None:
    for number in range(people):
        person = AccountFactory(department=buyer.department)
        row = Approval.objects.create(
            subject_type=SUBJECT_TYPE,
            subject_id=number,
            subject_no=f"SO{number}",
            requester=buyer,
            amount=0,
        )
        step = ApprovalStep.objects.create(
            approval=row, no=1, rule_name="规则", mode="any", status="active"
        )
        ApprovalTask.objects.create(step=step, approver=person, status=TaskStatus.PENDING)
        fields = {"decided_at": timezone.now(), "waited_minutes": 60}
        ApprovalTask.objects.create(
            step=step, approver=person, status=TaskStatus.APPROVED, **fields
        )
