"""加签 before, in and after a step, removal, and 抄送. One person never decides two steps."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, ApproverKind, StepMode, StepStatus, TaskStatus
from apps.approvals.errors import AddedNotFound, ApprovalNotFound, NotYourTurn, SamePerson
from apps.approvals.models import (
    MAX_RULE_COPIES,
    Approval,
    ApprovalCopy,
    ApprovalDelegation,
    ApprovalTask,
)
from apps.approvals.selectors.approvals import (
    get_approval_detail,
    list_allowed_actions,
    list_approvals_in_box,
    list_visible_approvals,
)
from apps.approvals.selectors.approvers import list_candidates
from apps.approvals.selectors.delegations import list_stand_ins_of
from apps.approvals.selectors.rule_check import find_rule_problems
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.account_disable import approval_reassign
from apps.approvals.services.approval_add import approval_add, approval_remove_added
from apps.approvals.services.approval_copies import approval_copy, copy_read
from apps.approvals.services.approval_decide import approval_approve, approval_transfer
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.errors import ValidationFailed
from apps.common.models import OutboxMessage
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)


@pytest.fixture
def colleague(approver: Account) -> Account:
    """A colleague of the approver with the same rights."""
    new_account: Account = AccountFactory(
        department=approver.department, nickname="同事", roles=list(approver.roles.all())
    )
    return new_account


def build_people(*accounts: Account, mode: str = StepMode.ANY) -> StepSpec:
    return StepSpec(ApproverKind.ACCOUNTS, mode, accounts=accounts)


def begin(buyer: Account, *steps: StepSpec, **rule: object) -> Approval:
    register_recorder()
    create_rule(group_id=buyer.group_id, name="全部", steps=list(steps), **rule)
    return start(buyer)


def add(actor: Account, approval: Approval, placement: str, *to: Account) -> None:
    approval_add(
        actor=actor,
        approval_id=approval.pk,
        placement=placement,
        account_ids=[account.pk for account in to],
    )


def list_chain(approval: Approval) -> list[tuple[int, str, list[tuple[str, str]]]]:
    return [
        (
            step.no,
            step.status,
            [(task.approver.nickname, task.status) for task in step.tasks.order_by("pk")],
        )
        for step in approval.steps.order_by("no")
    ]


def agree(actor: Account, approval: Approval) -> str:
    return str(approval_approve(actor=actor, approval_id=approval.pk).status)


def test_added_before_decides_first_and_the_step_opens_again(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    approval = begin(buyer, HEAD)

    add(approver, approval, "before", colleague)

    assert list_chain(approval) == [
        (1, StepStatus.ACTIVE, [("同事", TaskStatus.PENDING)]),
        (2, StepStatus.WAITING, [("老审", TaskStatus.WAITING)]),
    ]
    with pytest.raises(NotYourTurn):
        agree(approver, approval)
    assert agree(colleague, approval) == ApprovalStatus.PENDING
    assert agree(approver, approval) == ApprovalStatus.APPROVED


def test_added_after_decides_when_the_step_is_approved(
    buyer: Account, approver: Account, colleague: Account, ga: Account
) -> None:
    approval = begin(buyer, HEAD, build_people(ga))

    add(approver, approval, "after", colleague)

    assert [row[0] for row in list_chain(approval)] == [1, 2, 3]
    assert agree(approver, approval) == ApprovalStatus.PENDING
    assert agree(colleague, approval) == ApprovalStatus.PENDING
    assert agree(ga, approval) == ApprovalStatus.APPROVED


@pytest.mark.parametrize("added_first", [True, False])
def test_approver_added_together_must_approve_besides_the_any_step(
    buyer: Account, approver: Account, colleague: Account, ga: Account, added_first: bool
) -> None:
    approval = begin(buyer, build_people(approver, ga))
    add(approver, approval, "together", colleague)

    first, second = (colleague, approver) if added_first else (approver, colleague)

    assert agree(first, approval) == ApprovalStatus.PENDING
    waiting = ApprovalTask.objects.filter(status=TaskStatus.PENDING).order_by("pk")
    # An approval of the or-step closes the task of its other approver at once.
    assert [task.approver for task in waiting] == ([approver, ga] if added_first else [colleague])
    assert agree(second, approval) == ApprovalStatus.APPROVED


@pytest.mark.parametrize("placement", ["before", "together", "after"])
def test_added_approver_is_removable_only_by_his_adder_and_the_chain_continues(
    buyer: Account, approver: Account, colleague: Account, ga: Account, placement: str
) -> None:
    approval = begin(buyer, HEAD)
    add(approver, approval, placement, colleague)
    with pytest.raises(AddedNotFound):
        approval_remove_added(actor=ga, approval_id=approval.pk, account_id=colleague.pk)

    approval_remove_added(actor=approver, approval_id=approval.pk, account_id=colleague.pk)

    assert agree(approver, approval) == ApprovalStatus.APPROVED
    assert ("同事", TaskStatus.CLOSED) in [
        row for _, _, tasks in list_chain(approval) for row in tasks
    ]


def test_removing_the_last_open_approver_finishes_the_step(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    approval = begin(buyer, HEAD)
    add(approver, approval, "together", colleague)
    agree(approver, approval)

    approval_remove_added(actor=approver, approval_id=approval.pk, account_id=colleague.pk)

    approval.refresh_from_db()
    assert approval.status == ApprovalStatus.APPROVED


def test_added_approver_who_decided_cannot_be_removed(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    approval = begin(buyer, HEAD)
    add(approver, approval, "before", colleague)
    agree(colleague, approval)

    with pytest.raises(AddedNotFound):
        approval_remove_added(actor=approver, approval_id=approval.pk, account_id=colleague.pk)


def test_colleague_list_gives_the_reason_that_transfer_and_add_refuse_with(
    buyer: Account, approver: Account, colleague: Account, ga: Account
) -> None:
    clerk = AccountFactory(department=approver.department, nickname="文员")
    approval = begin(buyer, HEAD, build_people(ga))

    detail = get_approval_detail(actor=approver, approval_id=approval.pk)
    rows = list_candidates(actor=approver, approval=detail, keyword="")

    assert {row.account.nickname: row.why_not for row in rows} == {
        "同事": "",
        ga.nickname: "是第 2 步的审批人",
        buyer.nickname: "是申请人，不能审批自己的单据",
        "文员": "没有订单审批权限",
    }
    assert rows[0].account == colleague
    for barred, why in ((ga, "是第 2 步的审批人"), (buyer, "是申请人，不能审批自己的单据")):
        with pytest.raises(ValidationFailed) as refused:
            approval_transfer(actor=approver, approval_id=approval.pk, to=barred, reason="")
        assert refused.value.text == (f"不能转交给{barred.nickname}：{why}，请选择其他同事")
        with pytest.raises(ValidationFailed):
            add(approver, approval, "after", barred)
    with pytest.raises(ValidationFailed):
        add(approver, approval, "before", clerk)


def delegate(delegator: Account, to: Account) -> None:
    today = timezone.localdate()
    ApprovalDelegation.objects.create(
        group_id=delegator.group_id,
        delegator=delegator,
        delegate=to,
        valid_from=today,
        valid_until=today + timedelta(days=1),
    )


def test_approver_of_another_step_cannot_act_as_delegate(
    buyer: Account, approver: Account, ga: Account
) -> None:
    approval = begin(buyer, build_people(ga), HEAD)
    delegate(ga, approver)

    with pytest.raises(SamePerson):
        agree(approver, approval)
    assert not list_approvals_in_box(actor=approver, box="todo").exists()
    detail = get_approval_detail(actor=approver, approval_id=approval.pk)
    assert list_allowed_actions(actor=approver, approval=detail) == []


@pytest.mark.parametrize("is_first_for_other", [False, True])
def test_joint_step_refuses_a_second_signature_by_the_same_delegate(
    buyer: Account, approver: Account, colleague: Account, ga: Account, is_first_for_other: bool
) -> None:
    """会签 of two: the stand-in of one is the other, or stands in for both."""
    approval = begin(buyer, build_people(approver, colleague, mode=StepMode.ALL))
    deputy = ga if is_first_for_other else colleague
    delegate(approver, deputy)
    if is_first_for_other:
        delegate(colleague, deputy)
    agree(deputy, approval)

    with pytest.raises(SamePerson):
        agree(deputy, approval)
    assert not list_approvals_in_box(actor=deputy, box="todo").exists()
    detail = get_approval_detail(actor=deputy, approval_id=approval.pk)
    assert (
        list_allowed_actions(actor=deputy, approval=detail),
        [row for row in list_stand_ins_of(approval=detail) if not row.why_not],
    ) == (
        [],
        [],
    )


def test_rule_may_allow_two_signatures_of_one_person(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    both = build_people(approver, colleague, mode=StepMode.ALL)
    approval = begin(buyer, both, allows_same_person=True)
    delegate(approver, colleague)

    assert [agree(colleague, approval) for _ in range(2)] == [
        ApprovalStatus.PENDING,
        ApprovalStatus.APPROVED,
    ]


def test_the_rule_may_allow_the_same_person(buyer: Account, approver: Account, ga: Account) -> None:
    approval = begin(buyer, build_people(ga), HEAD, allows_same_person=True)
    delegate(ga, approver)

    assert list_approvals_in_box(actor=approver, box="todo").count() == 1
    assert agree(approver, approval) == ApprovalStatus.APPROVED


def test_a_rule_sends_copies_and_each_person_reads_his_own(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    role = RoleFactory(group=buyer.group, code="audit", name="审计")
    auditor = AccountFactory(department=buyer.department, roles=[role])
    clerk = AccountFactory(department=buyer.department)

    approval = begin(buyer, HEAD, copy_accounts=[colleague.pk, clerk.pk], copy_roles=[role.pk])

    assert set(ApprovalCopy.objects.values_list("account_id", flat=True)) == {
        colleague.pk,
        auditor.pk,
    }
    message = OutboxMessage.objects.get(topic="approval.copied")
    assert message.payload["To"] == sorted([colleague.pk, auditor.pk])
    assert list_approvals_in_box(actor=colleague, box="copied").get() == approval
    copy_read(actor=colleague, approval_id=approval.pk)
    read = dict(ApprovalCopy.objects.values_list("account_id", "read_at"))
    assert (read[colleague.pk] is None, read[auditor.pk]) == (False, None)
    with pytest.raises(ApprovalNotFound):
        copy_read(actor=approver, approval_id=approval.pk)


def test_a_large_role_gets_a_bounded_number_of_copies(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    role = RoleFactory(group=buyer.group, code="audit", name="审计")
    rows = [
        Account(username=f"auditor{number}", group=buyer.group, enterprise=buyer.enterprise)
        for number in range(MAX_RULE_COPIES + 5)
    ]
    created = Account.objects.bulk_create(rows)
    members = [Account.roles.through(account=row, role=role) for row in created]
    Account.roles.through.objects.bulk_create(members)

    copies = {"copy_accounts": [colleague.pk], "copy_roles": [role.pk]}
    approval = begin(buyer, HEAD, **copies)

    got = set(approval.copies.values_list("account_id", flat=True))
    assert (len(got), colleague.pk in got) == (200, True)
    spec = RuleSpec("抄送", **copies)
    problems = find_rule_problems(group_id=buyer.group_id or 0, spec=spec, steps=[HEAD])
    assert [row.message for row in problems if row.code == "many_copies"] == [
        "抄送的人和角色共 206 人，每张订单最多抄送 200 人：先抄送指定的人，"
        "再抄送申请人所在企业的人，超出的人不会收到"
    ]


def test_copy_gives_read_access_once_and_only_to_accounts_with_permission(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    clerk = AccountFactory(department=buyer.department)
    approval = begin(buyer, HEAD)
    assert not list_visible_approvals(actor=colleague).exists()

    approval_copy(actor=approver, approval_id=approval.pk, account_ids=[colleague.pk])

    assert list_visible_approvals(actor=colleague).exists()
    for to in ([colleague.pk], [clerk.pk], []):
        with pytest.raises(ValidationFailed):
            approval_copy(actor=approver, approval_id=approval.pk, account_ids=to)
    with pytest.raises(ApprovalNotFound):
        approval_copy(actor=clerk, approval_id=approval.pk, account_ids=[approver.pk])


def test_approval_of_an_added_approver_does_not_replace_the_original_approver(
    buyer: Account, approver: Account, colleague: Account, ga: Account
) -> None:
    approval = begin(buyer, build_people(approver))
    add(approver, approval, "together", colleague)
    assert agree(colleague, approval) == ApprovalStatus.PENDING
    add(approver, approval, "before", ga)

    assert agree(ga, approval) == ApprovalStatus.PENDING
    assert list_chain(approval)[1] == (
        2,
        StepStatus.ACTIVE,
        [("老审", TaskStatus.PENDING), ("同事", TaskStatus.APPROVED)],
    )
    assert agree(approver, approval) == ApprovalStatus.APPROVED


def test_approval_of_the_original_approver_does_not_replace_the_added_approver(
    buyer: Account, approver: Account, colleague: Account, ga: Account
) -> None:
    approval = begin(buyer, build_people(approver))
    add(approver, approval, "together", colleague)
    assert agree(approver, approval) == ApprovalStatus.PENDING
    add(colleague, approval, "before", ga)

    assert agree(ga, approval) == ApprovalStatus.PENDING
    assert agree(colleague, approval) == ApprovalStatus.APPROVED


def test_added_approver_who_succeeds_a_leaver_completes_the_step(
    buyer: Account, approver: Account, colleague: Account
) -> None:
    approval = begin(buyer, build_people(approver))
    add(approver, approval, "together", colleague)
    approval_reassign(approval_id=approval.pk, leaver=approver, successor=colleague)
    assert agree(colleague, approval) == ApprovalStatus.APPROVED
