"""/api/Approval: counts, filters and filter choices of the boxes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval
from apps.approvals.selectors.plan import approval_plan
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_flow import approval_start
from apps.approvals.tests.clock import clock
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import SUBJECT_TYPE, build_subject, register_recorder, start
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _rule(buyer: Account, approver: Account) -> None:
    register_recorder()
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(approver_kind=ApproverKind.HEAD)],
    )


@pytest.fixture
def colleague(department: Department) -> Account:
    return AccountFactory(department=department, nickname="老钱")


def get_box(account: Account, **query: Any) -> Any:
    return ApiClient(account).get("/api/Approval", query)


def list_numbers(account: Account, **query: Any) -> list[str]:
    return [row["SubjectNo"] for row in get_box(account, **query).body["Items"]]


def test_box_tabs_count_every_box(buyer: Account, approver: Account) -> None:
    first, *_ = [start(buyer, subject_id=number) for number in (1, 2, 3)]
    ApiClient(approver).post(f"/api/Approval/{first.pk}/Approve", {})

    tabs = get_box(approver, Box="mine").body["Tabs"]

    assert [(tab["Code"], tab["Name"], tab["Count"]) for tab in tabs] == [
        ("todo", "待我审批", 2),
        ("done", "我已审批", 1),
        ("mine", "我发起的", 0),
        ("copied", "抄送我的", 0),
    ]


def test_box_tab_counts_follow_the_filter(buyer: Account, approver: Account) -> None:
    start(buyer, subject_id=1, amount="100.00")
    start(buyer, subject_id=2, amount="900.00")
    assert [tab["Count"] for tab in get_box(approver, AmountFrom="500").body["Tabs"]] == [
        1,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize("keyword", ["SO8", "老钱"])
def test_a_keyword_is_a_number_or_a_requester(
    buyer: Account, colleague: Account, approver: Account, keyword: str
) -> None:
    start(buyer, subject_id=7)
    start(colleague, subject_id=8)
    assert list_numbers(approver, Keyword=keyword) == ["SO8"]


def test_box_filters_by_requester_and_department(
    buyer: Account, colleague: Account, approver: Account
) -> None:
    start(buyer, subject_id=7)
    start(colleague, subject_id=8)
    assert list_numbers(approver, Requester=str(colleague.pk)) == ["SO8"]
    assert list_numbers(approver, Department=str(colleague.department_id)) == ["SO8", "SO7"]
    assert list_numbers(approver, Department="999999") == []


def test_amounts_are_included_at_both_ends(buyer: Account, approver: Account) -> None:
    for number, amount in enumerate(("99.99", "100.00", "200.00", "200.01")):
        start(buyer, subject_id=number, amount=amount)
    assert list_numbers(approver, AmountFrom="100.00", AmountTo="200.00") == ["SO2", "SO1"]


def test_box_date_filter_covers_both_days_in_shanghai_time(
    buyer: Account, approver: Account
) -> None:
    for number, moment in enumerate(
        ("2028-02-28 23:59:59", "2028-02-29 00:00:00", "2028-02-29 23:59:59", "2028-03-01 00:00:00")
    ):
        at = datetime.fromisoformat(f"{moment}+08:00")
        Approval.objects.filter(pk=start(buyer, subject_id=number).pk).update(created_at=at)
    assert list_numbers(approver, From="2028-02-29", To="2028-02-29") == ["SO2", "SO1"]


def test_over_budget_is_known_from_the_submission(buyer: Account, approver: Account) -> None:
    start(buyer, subject_id=1)
    subject = build_subject(buyer, is_over_budget=True)
    approval_start(
        subject_type=SUBJECT_TYPE,
        subject_id=2,
        subject_no="SO2",
        subject=subject,
        plan=approval_plan(subject=subject),
    )
    assert list_numbers(approver, OverBudget="true") == ["SO2"]


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ({"From": "2026-02-02", "To": "2026-02-01"}, {"To": ["结束日期不能早于开始日期"]}),
        ({"AmountFrom": "2", "AmountTo": "1"}, {"AmountTo": ["最高金额不能低于最低金额"]}),
        ({"Requester": "x"}, {"Requester": ["编号不正确，请刷新后重试"]}),
        ({"Requester": "１"}, {"Requester": ["编号不正确，请刷新后重试"]}),
    ],
)
def test_box_filter_refuses_an_invalid_value_by_field(
    approver: Account, query: dict[str, str], errors: dict[str, list[str]]
) -> None:
    answer = get_box(approver, **query)
    assert (answer.code, answer.errors) == ("validation", errors)


def test_box_choices_list_the_requesters_and_departments_in_the_box(
    buyer: Account, colleague: Account, approver: Account
) -> None:
    start(buyer, subject_id=1)
    start(buyer, subject_id=2)
    start(colleague, subject_id=3)

    body = ApiClient(approver).get("/api/Approval/Choices").body

    assert sorted(row["Id"] for row in body["Requesters"]) == sorted(
        [str(buyer.pk), str(colleague.pk)]
    )
    assert [row["Id"] for row in body["Departments"]] == [str(buyer.department_id)]
    assert ApiClient(approver).get("/api/Approval/Choices", {"Box": "mine"}).body == {
        "Requesters": [],
        "Departments": [],
    }


def test_overdue_filter_keeps_only_late_approvals_in_each_box(
    buyer: Account, approver: Account
) -> None:
    with clock("2026-11-16 10:00"):
        late = start(buyer, subject_id=1)
    with clock("2026-11-18 10:00"):
        start(buyer, subject_id=2)
        assert (
            ApiClient(approver).get("/api/Approval", {"Overdue": "true"}).body["Tabs"][0]["Count"]
            == 1
        )
        assert [
            list_numbers(account, Box=name, Overdue="true")
            for account, name in ((approver, "todo"), (buyer, "mine"))
        ] == [["SO1"]] * 2
        ApiClient(approver).post(f"/api/Approval/{late.pk}/Approve", {})
        assert [
            list_numbers(account, Box=name, Overdue="true")
            for account, name in ((approver, "done"), (buyer, "mine"))
        ] == [[], []]


def test_group_without_reminders_has_no_overdue_approvals(
    buyer: Account, approver: Account
) -> None:
    buyer.group.approval_remind_hours = buyer.group.approval_escalate_hours = 0
    buyer.group.save()
    with clock("2026-11-16 10:00"):
        start(buyer)

    assert list_numbers(approver, Overdue="true") == []
