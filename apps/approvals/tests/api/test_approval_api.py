"""/api/Approval and its decisions."""

from decimal import Decimal

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.testing import ApiClient
from apps.common.testing.database import assert_queries
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory

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


def test_inbox_row_shows_requester_amount_reasons_and_actions(
    buyer: Account, approver: Account
) -> None:
    start(buyer)

    row = ApiClient(approver).get("/api/Approval", {"Box": "todo"}).body["Items"][0]

    assert (
        row["SubjectNo"],
        row["Requester"]["Name"],
        row["Amount"],
        row["Reasons"],
        row["AllowedActions"],
    ) == (
        "SO7",
        "小采",
        "800.00",
        ["所有订单均需审批（全部）"],
        ["approve", "reject", "transfer", "amend", "add", "ask"],
    )


def test_requester_sees_the_approval_only_in_the_mine_box(buyer: Account) -> None:
    start(buyer)
    client = ApiClient(buyer)

    assert [
        client.get("/api/Approval", {"Box": box}).body["Total"] for box in ("todo", "mine")
    ] == [0, 1]


def test_an_unknown_box_is_refused_by_name(buyer: Account) -> None:
    assert ApiClient(buyer).get("/api/Approval", {"Box": "all"}).errors.keys() == {"Box"}


def test_approving_answers_the_present_approval(buyer: Account, approver: Account) -> None:
    approval = start(buyer)

    answer = ApiClient(approver).post(f"/api/Approval/{approval.pk}/Approve", {"Comment": "可以"})

    assert (
        answer.message,
        answer.body["Status"],
        answer.body["Steps"][0]["Tasks"][0]["Comment"],
    ) == ("已同意", "approved", "可以")


def test_rejecting_without_a_reason_names_the_field(buyer: Account, approver: Account) -> None:
    approval = start(buyer)

    answer = ApiClient(approver).post(f"/api/Approval/{approval.pk}/Reject", {})

    assert (answer.code, answer.errors) == ("validation", {"Reason": ["请填写驳回原因"]})


@pytest.mark.parametrize("act", ["Approve", "Reject", "Transfer"])
def test_decision_with_an_older_version_is_stale_and_returns_the_current_approval(
    buyer: Account, approver: Account, department: Department, act: str
) -> None:
    approval = start(buyer)
    Approval.objects.filter(pk=approval.pk).update(version=3, amount=Decimal("500.00"))
    client = ApiClient(approver)
    colleague = AccountFactory(department=department, roles=list(approver.roles.all()))
    body = {"Approve": {}, "Reject": {"Reason": "超标"}, "Transfer": {"To": str(colleague.pk)}}[act]

    late = client.post(f"/api/Approval/{approval.pk}/{act}", {**body, "Version": 2})

    assert (late.code, late.body["Version"], late.body["Amount"], late.body["Status"]) == (
        "stale",
        3,
        "500.00",
        "pending",
    )
    assert client.post(f"/api/Approval/{approval.pk}/{act}", {**body, "Version": 3}).ok


def test_approval_is_not_found_for_a_colleague_outside_the_chain(
    buyer: Account, department: Department
) -> None:
    approval = start(buyer)
    colleague = AccountFactory(
        department=department, roles=[RoleFactory(group=department.group, code="x")]
    )

    answer = ApiClient(colleague).get(f"/api/Approval/{approval.pk}")

    assert (answer.status, answer.code) == (404, "not_found")


def test_an_account_without_the_menu_is_refused(buyer: Account, limited: Account) -> None:
    answer = ApiClient(limited).get("/api/Approval")

    assert (answer.status, answer.code) == (403, "forbidden")


def test_repeated_idempotency_key_decides_once(buyer: Account, approver: Account) -> None:
    approval = start(buyer)
    client = ApiClient(approver)

    first, second = [
        client.post(f"/api/Approval/{approval.pk}/Approve", {}, key="click-0001") for _ in range(2)
    ]

    assert (first.ok, second.ok, first.body) == (True, True, second.body)


def test_a_bulk_answers_each_outcome(buyer: Account, approver: Account) -> None:
    ids = [str(start(buyer, subject_id=number).pk) for number in (1, 2)]

    answer = ApiClient(approver).post("/api/Approval/BulkApprove", {"Ids": [*ids, "999999"]})

    assert (answer.message, answer.body["Approved"], answer.body["Refused"]) == (
        "已同意 2 条，1 条未处理",
        2,
        1,
    )


@pytest.mark.parametrize("rows", [1, 5])
def test_inbox_takes_eight_queries_for_any_number_of_rows(
    buyer: Account, approver: Account, rows: int
) -> None:
    for number in range(rows):
        start(buyer, subject_id=number)
    client = ApiClient(approver)

    for query in ({}, {"Overdue": "true"}):
        with assert_queries(8 if not query else 6):
            client.get("/api/Approval", query)
