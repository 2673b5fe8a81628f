"""Approve, reject, transfer and batches."""

import pytest

from apps.approvals.enums import ApprovalStatus, ApproverKind, StepMode, TaskStatus
from apps.approvals.errors import ApprovalClosed, ApprovalNotFound, NotYourTurn
from apps.approvals.models import Approval, ApprovalTask
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
    approvals_bulk_approve,
)
from apps.approvals.services.approval_flow import approval_withdraw
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import SUBJECT_TYPE, Recorder, register_recorder, start
from apps.common.errors import ValidationFailed
from apps.common.tenancy import tenant_scope
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(approver_kind=ApproverKind.HEAD)


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


def get_status(approval: Approval) -> str:
    return str(Approval.objects.get(pk=approval.pk).status)


def test_the_last_approval_passes_the_subject(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)

    approval_approve(actor=approver, approval_id=approval.pk, comment="可以")

    assert recorder.events == [("approval.approved:第 1 步同意：可以", 7), ("approved", 7)]
    assert get_status(approval) == ApprovalStatus.APPROVED


def test_the_second_step_waits_for_the_first(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[HEAD, StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))],
    )
    approval = start(buyer)

    with pytest.raises(NotYourTurn):
        approval_approve(actor=ga, approval_id=approval.pk)
    approval_approve(actor=approver, approval_id=approval.pk)
    approval_approve(actor=ga, approval_id=approval.pk)

    assert get_status(approval) == ApprovalStatus.APPROVED


@pytest.mark.parametrize(
    ("mode", "after_one"),
    [(StepMode.ANY, ApprovalStatus.APPROVED), (StepMode.ALL, ApprovalStatus.PENDING)],
)
def test_any_step_needs_one_approval_and_all_step_needs_every_approval(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account, mode: str, after_one: str
) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ACCOUNTS, mode, accounts=(approver, ga))],
    )
    approval = start(buyer)

    approval_approve(actor=approver, approval_id=approval.pk)

    assert get_status(approval) == after_one


def test_earlier_approver_satisfies_a_later_any_step(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    third = AccountFactory(department=buyer.department, roles=list(approver.roles.all()))
    first = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver, third))
    second = StepSpec(ApproverKind.ACCOUNTS, accounts=(approver, ga))
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[first, second])
    approval = start(buyer)

    approval_approve(actor=approver, approval_id=approval.pk)

    assert get_status(approval) == ApprovalStatus.APPROVED
    assert "approval.skipped:第 2 步审批人已审批过，自动跳过" in [
        what for what, _ in recorder.events
    ]
    assert (
        ApprovalTask.objects.get(step__no=2, approver=ga).comment
        == "或签的审批人已在第 1 步审批，自动跳过"
    )


def test_one_rejection_ends_the_approval_and_closes_open_tasks(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    step = StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, ga))
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[step, HEAD])
    approval = start(buyer)

    approval_reject(actor=approver, approval_id=approval.pk, reason="型号不对")

    assert recorder.events == [("rejected:型号不对", 7)]
    assert get_status(approval) == ApprovalStatus.REJECTED
    assert set(
        ApprovalTask.objects.exclude(approver=approver).values_list("status", flat=True)
    ) == {TaskStatus.CLOSED}


def test_a_rejection_needs_a_reason(recorder: Recorder, buyer: Account, approver: Account) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)

    with pytest.raises(ValidationFailed, match="请填写驳回原因"):
        approval_reject(actor=approver, approval_id=approval.pk, reason="  ")

    assert get_status(approval) == ApprovalStatus.PENDING


def test_approver_of_an_earlier_any_step_is_skipped_later(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    steps = [
        StepSpec(ApproverKind.ACCOUNTS, accounts=(approver, ga)),
        StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,)),
    ]
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=steps)
    approval = start(buyer)

    approval_approve(actor=ga, approval_id=approval.pk)

    assert get_status(approval) == ApprovalStatus.APPROVED
    assert ("approval.skipped:第 2 步审批人已审批过，自动跳过", 7) in recorder.events


def test_earlier_approver_does_not_satisfy_a_later_all_step(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    steps = [
        StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,)),
        StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, ga)),
    ]
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=steps)
    approval = start(buyer)

    approval_approve(actor=approver, approval_id=approval.pk)

    assert get_status(approval) == ApprovalStatus.PENDING
    second = ApprovalTask.objects.filter(step__no=2)
    assert {task.approver: task.status for task in second} == {
        approver: TaskStatus.SKIPPED,
        ga: TaskStatus.PENDING,
    }


def test_an_ended_approval_is_not_decided_again(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)
    approval_approve(actor=approver, approval_id=approval.pk)

    with pytest.raises(ApprovalClosed, match="该审批已通过"):
        approval_reject(actor=approver, approval_id=approval.pk, reason="反悔")


def test_a_withdrawn_approval_leaves_every_inbox(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    start(buyer)

    approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=7)

    assert list(list_approvals_in_box(actor=approver, box="todo")) == []


def test_transfer_moves_the_decision_to_the_colleague(
    recorder: Recorder, buyer: Account, approver: Account, department: Department
) -> None:
    colleague = AccountFactory(
        department=department, nickname="代班", roles=list(approver.roles.all())
    )
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)

    approval_transfer(actor=approver, approval_id=approval.pk, to=colleague, reason="出差")
    with pytest.raises(NotYourTurn):
        approval_approve(actor=approver, approval_id=approval.pk)
    approval_approve(actor=colleague, approval_id=approval.pk)

    assert get_status(approval) == ApprovalStatus.APPROVED


def test_a_transfer_to_the_requester_is_refused(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)

    with pytest.raises(ValidationFailed, match="是申请人，不能审批自己的单据"):
        approval_transfer(actor=approver, approval_id=approval.pk, to=buyer, reason="")


def test_transfer_to_an_account_without_approval_permission_is_refused(
    recorder: Recorder, buyer: Account, approver: Account, limited: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)

    with pytest.raises(ValidationFailed, match="没有审批权限"):
        approval_transfer(actor=approver, approval_id=approval.pk, to=limited, reason="")
    approval_approve(actor=approver, approval_id=approval.pk)


def test_staff_decide_the_group_admins_own_order(
    recorder: Recorder, ga: Account, staff: Account
) -> None:
    create_rule(group_id=ga.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(ga)

    approval_approve(actor=staff, approval_id=approval.pk)

    assert get_status(approval) == ApprovalStatus.APPROVED


def test_admin_of_another_group_gets_approval_not_found(
    recorder: Recorder, buyer: Account, approver: Account, other_ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = start(buyer)

    with tenant_scope(group_id=other_ga.group_id), pytest.raises(ApprovalNotFound):
        approval_approve(actor=other_ga, approval_id=approval.pk)


def test_bulk_approval_approves_open_items_and_reports_the_rest(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    first, second = start(buyer, subject_id=1), start(buyer, subject_id=2)
    approval_approve(actor=approver, approval_id=first.pk)

    outcomes = approvals_bulk_approve(actor=approver, approval_ids=[first.pk, second.pk])

    assert [(row.success, row.code) for row in outcomes] == [(False, "wrong_state"), (True, "ok")]


def test_bulk_approval_locks_oldest_first_and_keeps_the_request_order(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    first, second = start(buyer, subject_id=1), start(buyer, subject_id=2)

    outcomes = approvals_bulk_approve(actor=approver, approval_ids=[second.pk, first.pk])

    assert [row.approval_id for row in outcomes] == [second.pk, first.pk]
    assert [subject_id for what, subject_id in recorder.events if what == "approved"] == [1, 2]


def test_actions_follow_the_turn(recorder: Recorder, buyer: Account, approver: Account) -> None:
    create_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=[HEAD])
    approval = get_approval_detail(actor=buyer, approval_id=start(buyer).pk)

    assert list_allowed_actions(actor=buyer, approval=approval) == ["withdraw"]
    assert list_allowed_actions(actor=approver, approval=approval) == [
        "approve",
        "reject",
        "transfer",
        "amend",
        "add",
        "ask",
    ]
