"""Delegations over their dates with a set clock in Shanghai time: changes, history and notices."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.errors import ApprovalNotFound
from apps.approvals.models import ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.approvals import list_approvals_in_box
from apps.approvals.selectors.delegations import get_status_on
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.services.delegation_manage import (
    DelegationForm,
    delegation_cancel,
    delegation_create,
    delegation_update,
)
from apps.approvals.tests.clock import clock, parse_moment
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.errors import Stale, ValidationFailed
from apps.common.models import OutboxMessage
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db
# From the end of February of a leap year into March.
FIRST, LAST = date(2028, 2, 28), date(2028, 3, 1)


@pytest.fixture
def deputy(department: Department) -> Account:
    return AccountFactory(
        department=department,
        nickname="副手",
        roles=[RoleFactory(group=department.group, code="deputy")],
    )


@pytest.fixture
def delegation(approver: Account, deputy: Account) -> ApprovalDelegation:
    with clock("2028-02-20 09:00:00"):
        return delegation_create(
            actor=approver, form=DelegationForm(deputy.pk, FIRST, LAST, "出差")
        )


def list_box(account: Account) -> list[str]:
    return [
        row.subject_no
        for row in list_approvals_in_box(actor=Account.objects.get(pk=account.pk), box="todo")
    ]


@pytest.mark.parametrize(
    ("moment", "state", "acts"),
    [
        ("2028-02-27 23:59:59", "未开始", False),
        ("2028-02-28 00:00:00", "代理中", True),
        ("2028-02-29 12:00:00", "代理中", True),
        ("2028-03-01 23:59:59", "代理中", True),
        ("2028-03-02 00:00:00", "已结束", False),
    ],
)
def test_over_its_dates(
    buyer: Account,
    approver: Account,
    deputy: Account,
    delegation: ApprovalDelegation,
    moment: str,
    state: str,
    acts: bool,
) -> None:
    recorder = register_recorder()
    create_rule(group_id=buyer.group_id, name="全部", steps=[StepSpec(ApproverKind.HEAD)])
    approval = start(buyer)

    with clock(moment):
        assert get_status_on(delegation, datetime.fromisoformat(moment).date()).label == state
        assert (list_box(approver), list_box(deputy)) == (["SO7"], ["SO7"] if acts else [])
        if not acts:
            with pytest.raises(ApprovalNotFound):
                approval_approve(actor=deputy, approval_id=approval.pk)
            approval_approve(actor=approver, approval_id=approval.pk)
        else:
            approval_approve(actor=deputy, approval_id=approval.pk, comment="可以")

    task = ApprovalTask.objects.get()
    assert (task.approver, task.acting_for) == ((deputy, approver) if acts else (approver, None))
    assert recorder.events[0][0] == (
        "approval.approved:第 1 步同意：可以（代 老审）"
        if acts
        else "approval.approved:第 1 步同意"
    )
    assert task.decided_at == parse_moment(moment)


def list_messages() -> list[dict[str, Any]]:
    return [
        row.payload
        for row in OutboxMessage.objects.filter(topic="approval.delegated").order_by("pk")
    ]


def test_new_delegation_notifies_the_delegate(
    approver: Account, deputy: Account, delegation: ApprovalDelegation
) -> None:
    text = "老审委托您代为审批：2028-02-28 至 2028-03-01，原因：出差"
    assert list_messages() == [
        {"DelegationId": delegation.pk, "ActorId": approver.pk, "To": [deputy.pk], "Text": text}
    ]


def test_changed_delegate_notifies_the_old_and_the_new_delegate(
    approver: Account, deputy: Account, ga: Account, delegation: ApprovalDelegation
) -> None:
    with clock("2028-02-21 09:00:00"):
        delegation_update(
            actor=approver, pk=str(delegation.pk), changes={"delegate_id": ga.pk, "reason": ""}
        )

    assert [(row["To"], row["Text"]) for row in list_messages()[1:]] == [
        ([deputy.pk], "老审不再委托您代为审批：2028-02-28 至 2028-03-01"),
        ([ga.pk], "老审委托您代为审批：2028-02-28 至 2028-03-01"),
    ]


def test_unchanged_delegation_update_sends_no_message(
    approver: Account, deputy: Account, delegation: ApprovalDelegation
) -> None:
    with clock("2028-02-21 09:00:00"):
        delegation_update(
            actor=approver,
            pk=str(delegation.pk),
            changes={"delegate_id": deputy.pk, "reason": "出差"},
        )

    assert len(list_messages()) == 1


def test_delegation_history_shows_the_values_before_and_after(
    approver: Account, deputy: Account, ga: Account, delegation: ApprovalDelegation
) -> None:
    with clock("2028-02-28 09:00:00"):
        delegation_update(
            actor=approver, pk=str(delegation.pk), changes={"valid_until": LAST + timedelta(days=3)}
        )
        delegation_cancel(actor=approver, pk=str(delegation.pk))

    query = {"SubjectType": "delegation", "SubjectId": delegation.pk}
    rows = ApiClient(approver).get("/api/Change", query).body["Items"]
    assert [
        [(row["Label"], row["Before"], row["After"]) for row in change["Changes"]]
        for change in rows[:2]
    ] == [
        [("状态", "有效", "已取消")],
        [("结束日", "2028-03-01", "2028-03-04")],
    ]
    assert (rows[2]["Action"], rows[2]["By"]["Name"]) == ("create", "老审")
    assert [row["To"] for row in list_messages()] == [[deputy.pk]] * 3
    assert ApiClient(deputy).get("/api/Change", query).body["Total"] == 3


def test_delegation_history_is_not_found_for_other_accounts(
    buyer: Account, delegation: ApprovalDelegation
) -> None:
    query = {"SubjectType": "delegation", "SubjectId": delegation.pk}
    assert ApiClient(buyer).get("/api/Change", query).status == 404


def test_delegation_update_with_an_old_version_is_refused_as_stale(
    approver: Account, deputy: Account, delegation: ApprovalDelegation
) -> None:
    seen = delegation.updated_at
    with clock("2028-02-21 09:00:00"):
        delegation_update(
            actor=approver, pk=str(delegation.pk), changes={"valid_until": FIRST}, seen_at=seen
        )
        with pytest.raises(Stale):
            delegation_update(
                actor=approver, pk=str(delegation.pk), changes={"valid_until": LAST}, seen_at=seen
            )

    body = {
        "DelegateId": str(deputy.pk),
        "ValidFrom": "2028-02-28",
        "ValidUntil": "2028-03-01",
        "UpdatedAt": seen.isoformat(),
    }
    answer = ApiClient(approver).patch(f"/api/ApprovalDelegation/{delegation.pk}", body)

    assert (answer.code, answer.body["ValidUntil"]) == ("stale", "2028-02-28")


@pytest.mark.parametrize(("days", "is_allowed"), [(366, True), (367, False)])
def test_a_delegation_lasts_at_most_a_year(
    approver: Account, deputy: Account, days: int, is_allowed: bool
) -> None:
    form = DelegationForm(deputy.pk, FIRST, FIRST + timedelta(days=days), "外派")
    with clock("2028-02-20 09:00:00"):
        if is_allowed:
            delegation_create(actor=approver, form=form)
        else:
            with pytest.raises(ValidationFailed, match="一次最多委托一年"):
                delegation_create(actor=approver, form=form)
    assert ApprovalDelegation.objects.exists() is is_allowed
