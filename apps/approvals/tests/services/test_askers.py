"""Who asked for the goods in a requisition gets no step of the order's approval later on: by
transfer, 加签, delegation, escalation, or from a disabled account.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.approvals.enums import AddPlacement, ApproverKind
from apps.approvals.errors import NotYourTurn
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvals import (
    filter_viewers,
    get_approval_detail,
    list_allowed_actions,
    list_approvals_for_staff,
    list_approvals_in_box,
    list_visible_approvals,
)
from apps.approvals.selectors.delegations import list_stand_ins_of
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.account_disable import account_disable, orphaned_steps_reassign
from apps.approvals.services.approval_add import approval_add
from apps.approvals.services.approval_decide import approval_approve, approval_transfer
from apps.approvals.services.approval_reminders import approvals_remind
from apps.approvals.services.delegation_manage import (
    DelegationForm,
    delegation_create,
    delegations_begin,
)
from apps.approvals.tests.clock import clock
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.errors import ValidationFailed
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory

WHY = "是采购申请人，不能审批自己申请的商品"


@pytest.fixture
def asker(approver: Account) -> Account:
    """A colleague of the approver, with the same rights."""
    return AccountFactory(
        department=approver.department, nickname="小申", roles=list(approver.roles.all())
    )


@pytest.fixture
def approval(buyer: Account, approver: Account, asker: Account) -> Approval:
    """The buyer's order of goods that `asker` asked for. It waits for `approver`."""
    register_recorder()
    step = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))
    create_rule(group_id=buyer.group_id, name="全部", steps=[step])
    with clock("2026-11-16 09:00"):
        return start(buyer, askers=[asker])


def let_stand_in(approver: Account, deputy: Account) -> None:
    today = timezone.localdate()
    delegation_create(actor=approver, form=DelegationForm(deputy.pk, today, today))


def list_waiting_people() -> list[Account]:
    return [row.approver for row in ApprovalTask.objects.filter(status="pending").order_by("pk")]


def test_transfer_and_added_step_to_asker_are_refused(
    approval: Approval, approver: Account, asker: Account
) -> None:
    with pytest.raises(ValidationFailed) as transferred:
        approval_transfer(actor=approver, approval_id=approval.pk, to=asker, reason="")
    with pytest.raises(ValidationFailed, match=WHY):
        approval_add(
            actor=approver,
            approval_id=approval.pk,
            placement=AddPlacement.AFTER,
            account_ids=[asker.pk],
        )

    assert transferred.value.text == f"不能转交给小申：{WHY}，请选择其他同事"


def test_asker_as_stand_in_does_not_see_the_approval(
    approval: Approval, buyer: Account, approver: Account, asker: Account
) -> None:
    other = start(buyer, subject_id=8)
    let_stand_in(approver, asker)

    assert list(list_approvals_in_box(actor=asker, box="todo")) == [other]
    assert list(list_visible_approvals(actor=asker)) == [other]
    assert filter_viewers(approval=approval, account_ids=[asker.pk]) == set()
    detail = get_approval_detail(actor=approver, approval_id=approval.pk)
    assert [row.why_not for row in list_stand_ins_of(approval=detail)] == [WHY]


def test_asker_who_sees_the_approval_cannot_decide_it_as_stand_in(
    buyer: Account, approver: Account, ga: Account
) -> None:
    register_recorder()
    step = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))
    create_rule(group_id=buyer.group_id, name="全部", steps=[step])
    approval = start(buyer, askers=[ga])
    let_stand_in(approver, ga)

    with pytest.raises(NotYourTurn):
        approval_approve(actor=ga, approval_id=approval.pk)
    detail = get_approval_detail(actor=ga, approval_id=approval.pk)
    assert list_allowed_actions(actor=ga, approval=detail) == []


def test_delegation_to_asker_begins_without_his_goods(
    approval: Approval, buyer: Account, approver: Account, asker: Account
) -> None:
    for number in range(10):
        start(buyer, subject_id=10 + number)
    tomorrow = timezone.localdate() + timedelta(days=1)
    delegation_create(actor=approver, form=DelegationForm(asker.pk, tomorrow, tomorrow))
    OutboxMessage.objects.all().delete()

    with clock(f"{tomorrow} 09:00"), platform_scope(reason="test: the job"):
        delegations_begin()

    # Ten wait for him, each with its notice. An eleventh would make it one notice of all.
    assert OutboxMessage.objects.count() == 10


def test_late_step_is_not_escalated_to_asker(
    approval: Approval, approver: Account, asker: Account, ga: Account
) -> None:
    approver.department.head = asker
    approver.department.save()

    with clock("2026-11-18 15:00"), platform_scope(reason="test: the job"):
        approvals_remind()

    assert list_waiting_people() == [approver, ga]


def test_step_of_disabled_approver_goes_to_admins_if_successor_is_asker(
    approval: Approval, approver: Account, asker: Account, ga: Account
) -> None:
    account_disable(actor=ga, pk=approver.pk, successor_id=asker.pk)

    assert list_waiting_people() == [ga]


@pytest.mark.parametrize("way", ["successor", "orphaned"])
def test_step_goes_to_staff_if_the_only_admin_is_asker(
    buyer: Account, approver: Account, ga: Account, way: str
) -> None:
    register_recorder()
    step = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))
    create_rule(group_id=buyer.group_id, name="全部", steps=[step])
    approval = start(buyer, askers=[ga])

    if way == "successor":
        account_disable(actor=ga, pk=approver.pk, successor_id=ga.pk)
    else:
        Account.objects.filter(pk=approver.pk).update(is_active=False)
        with platform_scope(reason="test: the job"):
            orphaned_steps_reassign()

    assert (list_waiting_people(), ApprovalStep.objects.get().is_for_staff) == ([], True)
    with platform_scope(reason="test"):
        assert list(list_approvals_for_staff()) == [approval]
