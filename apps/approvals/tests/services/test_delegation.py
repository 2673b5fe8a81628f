"""Delegations between two days, both included."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest

from apps.approvals.enums import ApproverKind, StepMode, TaskStatus
from apps.approvals.errors import ApprovalNotFound, DelegationNotFound, NotYourTurn
from apps.approvals.models import ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.approvals import (
    get_approval_detail,
    list_allowed_actions,
    list_approvals_in_box,
)
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import (
    approval_approve,
    approval_reject,
    approval_transfer,
)
from apps.approvals.services.delegation_manage import (
    DelegationForm,
    delegation_cancel,
    delegation_create,
    delegation_update,
)
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import Recorder, register_recorder, start
from apps.common.errors import ValidationFailed, WrongState
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)
SHANGHAI = ZoneInfo("Asia/Shanghai")


@contextmanager
def on(day: int, hour: int = 9, minute: int = 0) -> Generator[None]:
    """Set the clock to a day of February 2028, which has 29 days."""
    with patch(
        "django.utils.timezone.now", lambda: datetime(2028, 2, day, hour, minute, tzinfo=SHANGHAI)
    ):
        yield


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


@pytest.fixture
def deputy(department: Department) -> Account:
    return AccountFactory(
        department=department,
        nickname="副手",
        roles=[RoleFactory(group=department.group, code="deputy")],
    )


def away(approver: Account, deputy: Account, first: int = 10, last: int = 29) -> ApprovalDelegation:
    form = DelegationForm(deputy.pk, date(2028, 2, first), date(2028, 2, last), "出差")
    with on(1):
        return delegation_create(actor=approver, form=form)


def list_todo(account: Account) -> list[Any]:
    return list(list_approvals_in_box(actor=Account.objects.get(pk=account.pk), box="todo"))


@pytest.mark.parametrize(
    ("day", "hour", "minute", "count"), [(9, 23, 59, 0), (10, 0, 0, 1), (29, 23, 59, 1)]
)
def test_delegate_sees_the_approval_on_every_day_of_the_delegation(
    recorder: Recorder,
    buyer: Account,
    approver: Account,
    deputy: Account,
    day: int,
    hour: int,
    minute: int,
    count: int,
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    start(buyer)
    away(approver, deputy)

    with on(day, hour, minute):
        assert (len(list_todo(deputy)), len(list_todo(approver))) == (count, 1)


def test_delegate_loses_the_approval_after_the_last_day(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    away(approver, deputy, last=12)

    with on(13, 0, 0):
        assert list_todo(deputy) == []
        with pytest.raises(ApprovalNotFound):
            approval_approve(actor=deputy, approval_id=approval.pk)
        with pytest.raises(ApprovalNotFound):
            get_approval_detail(actor=deputy, approval_id=approval.pk)


def test_delegate_decision_records_the_delegator(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    away(approver, deputy)

    with on(15):
        assert list_allowed_actions(
            actor=deputy, approval=get_approval_detail(actor=deputy, approval_id=approval.pk)
        ) == [
            "approve",
            "reject",
            "transfer",
            "amend",
            "add",
            "ask",
        ]
        approval_approve(actor=deputy, approval_id=approval.pk, comment="同意")

    task = ApprovalTask.objects.get()
    assert (task.approver, task.acting_for, task.status) == (deputy, approver, TaskStatus.APPROVED)
    assert recorder.events == [
        ("approval.approved:第 1 步同意：同意（代 老审）", 7),
        ("approved", 7),
    ]
    assert get_approval_detail(actor=approver, approval_id=approval.pk) == approval


def test_delegated_decision_is_in_the_done_box_of_delegator_and_delegate(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    away(approver, deputy)
    with on(15):
        approval_approve(actor=deputy, approval_id=approval.pk)

    assert [
        list(list_approvals_in_box(actor=each, box="done")) for each in (approver, deputy, buyer)
    ] == [[approval], [approval], []]


def test_delegate_may_reject_for_the_delegator(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    away(approver, deputy)

    with on(15):
        approval_reject(actor=deputy, approval_id=approval.pk, reason="超标")

    assert ApprovalTask.objects.get().acting_for == approver


def test_delegator_may_still_decide(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    away(approver, deputy)

    with on(15):
        approval_approve(actor=approver, approval_id=approval.pk)

    assert ApprovalTask.objects.get().acting_for is None


def test_delegate_cannot_decide_or_transfer_his_own_order(
    recorder: Recorder, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=deputy.group_id, name="全部", steps=[HEAD])
    approval = start(deputy)
    away(approver, deputy)

    with on(15):
        assert list_todo(deputy) == []
        with pytest.raises(NotYourTurn):
            approval_approve(actor=deputy, approval_id=approval.pk)
        with pytest.raises(NotYourTurn):
            approval_transfer(actor=deputy, approval_id=approval.pk, to=approver, reason="")


def test_delegation_is_not_transitive(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account, ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    start(buyer)
    away(approver, deputy)
    away(deputy, ga)

    with on(15):
        assert (len(list_todo(deputy)), list_todo(ga)) == (1, [])


def test_delegated_approval_skips_a_later_step_of_the_delegator(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account, ga: Account
) -> None:
    first = StepSpec(ApproverKind.ACCOUNTS, StepMode.ANY, accounts=(approver, ga))
    create_rule(group_id=buyer.group_id, name="全部", steps=[first, HEAD])
    approval = start(buyer)
    away(approver, deputy)

    with on(15):
        approval_approve(actor=deputy, approval_id=approval.pk)

    assert recorder.events[-1] == ("approved", 7)
    assert ("approval.skipped:第 2 步审批人已审批过，自动跳过", 7) in recorder.events


def test_delegation_of_a_disabled_delegator_has_no_effect(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    start(buyer)
    away(approver, deputy)
    Account.objects.filter(pk=approver.pk).update(is_active=False)

    with on(15):
        assert list_todo(deputy) == []


def get_refusal(
    actor: Account, to: Account, first: date = date(2028, 2, 10), last: date = date(2028, 2, 20)
) -> dict[str, list[str]]:
    with on(1), pytest.raises(ValidationFailed) as caught:
        delegation_create(actor=actor, form=DelegationForm(to.pk, first, last))
    errors: dict[str, list[str]] = caught.value.body["Errors"]
    return errors


def test_delegation_to_oneself_is_refused(approver: Account) -> None:
    assert get_refusal(approver, approver) == {"DelegateId": ["不能委托给自己，请选择其他同事"]}


def test_the_delegate_must_be_able_to_approve(approver: Account, limited: Account) -> None:
    assert get_refusal(approver, limited) == {
        "DelegateId": ["小限没有审批权限，请选择其他同事，或联系管理员为其开通"]
    }


def test_account_of_another_group_cannot_be_a_delegate(
    approver: Account, other_ga: Account
) -> None:
    assert get_refusal(approver, other_ga) == {"DelegateId": ["该同事不存在或已停用，请重新选择"]}


def test_circular_delegation_is_refused(approver: Account, deputy: Account, ga: Account) -> None:
    away(approver, deputy, 10, 20)
    away(deputy, ga, 15, 25)

    assert get_refusal(ga, approver, date(2028, 2, 18), date(2028, 2, 29)) == {
        "DelegateId": ["该同事在此期间的审批已（经他人）委托给您，不能互相委托"]
    }


def test_overlapping_delegation_is_refused(approver: Account, deputy: Account, ga: Account) -> None:
    away(approver, deputy, 10, 20)

    assert get_refusal(approver, ga, date(2028, 2, 20), date(2028, 2, 22)) == {
        "ValidFrom": ["这段时间内您已委托他人审批，请先取消或调整日期"]
    }


@pytest.mark.parametrize(
    ("first", "last"),
    [(date(2028, 2, 12), date(2028, 2, 11)), (date(2028, 1, 2), date(2028, 1, 31))],
)
def test_delegation_with_invalid_dates_is_refused(
    approver: Account, deputy: Account, first: date, last: date
) -> None:
    assert list(get_refusal(approver, deputy, first, last)) == ["ValidUntil"]


def test_delegation_is_changed_and_cancelled_only_by_its_delegator(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    start(buyer)
    delegation = away(approver, deputy)

    with on(15):
        changed = delegation_update(
            actor=approver, pk=str(delegation.pk), changes={"valid_until": date(2028, 2, 16)}
        )
        assert changed.valid_until == date(2028, 2, 16)
        with pytest.raises(DelegationNotFound):
            delegation_cancel(actor=deputy, pk=str(delegation.pk))
        delegation_cancel(actor=approver, pk=str(delegation.pk))
        assert list_todo(deputy) == []
        with pytest.raises(WrongState):
            delegation_cancel(actor=approver, pk=str(delegation.pk))


def test_delegation_is_created_listed_and_used_over_the_api(
    recorder: Recorder, buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    delegator, delegate = ApiClient(approver), ApiClient(deputy)
    colleagues = delegator.get("/api/ApprovalDelegation/Colleagues", {"Keyword": "副手"}).body

    answer = delegator.post(
        "/api/ApprovalDelegation",
        {"DelegateId": colleagues[0]["Id"], "ValidFrom": "2020-01-01", "ValidUntil": "2020-01-02"},
    )
    today = datetime.now(SHANGHAI).date().isoformat()
    set_now = delegator.post(
        "/api/ApprovalDelegation",
        {"DelegateId": colleagues[0]["Id"], "ValidFrom": today, "ValidUntil": today},
    )
    decided = delegate.post(f"/api/Approval/{approval.pk}/Approve", {})

    assert (list(answer.errors), set_now.body["StatusText"]) == (["ValidUntil"], "代理中")
    assert [
        (row["Delegator"]["Name"], row["IsMine"])
        for row in delegate.get("/api/ApprovalDelegation").body["Items"]
    ] == [("老审", False)]
    task = decided.body["Steps"][0]["Tasks"][0]
    assert (task["Approver"]["Name"], task["ActingFor"]["Name"], task["StatusText"]) == (
        "副手",
        "老审",
        "已同意",
    )
