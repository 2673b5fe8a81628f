"""Questions, answers, and comments with mentions."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind, StepMode
from apps.approvals.errors import (
    ApprovalClosed,
    ApprovalNotFound,
    DiscussionFull,
    NoQuestion,
    NotYours,
    NotYourTurn,
    QuestionOpen,
)
from apps.approvals.models import (
    Approval,
    ApprovalDelegation,
    ApprovalRemark,
    ApprovalStep,
    ApprovalTask,
)
from apps.approvals.selectors.approvals import (
    MAX_REMARKS,
    filter_viewers,
    get_approval_detail,
    list_allowed_actions,
    list_approvals_in_box,
    list_mentionable_colleagues,
    list_visible_approvals,
)
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import approval_approve, approval_transfer
from apps.approvals.services.approval_discussion import (
    approval_answer,
    approval_ask,
    approval_comment,
)
from apps.approvals.services.approval_flow import approval_withdraw
from apps.approvals.services.delegation_manage import (
    DelegationForm,
    delegation_cancel,
    delegation_create,
)
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import SUBJECT_TYPE, Recorder, register_recorder, start
from apps.common.errors import ValidationFailed
from apps.common.models import OutboxMessage
from apps.common.testing import assert_queries
from apps.org.enums import DataScope
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


@pytest.fixture
def approval(recorder: Recorder, buyer: Account, approver: Account) -> Approval:
    """An approval of `buyer` that waits for `approver`."""
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    return start(buyer)


def get_step_text(approval: Approval) -> str:
    return ApprovalStep.objects.get(approval=approval, no=1).status_text


def list_published(topic: str) -> list[dict[str, object]]:
    return [message.payload for message in OutboxMessage.objects.filter(topic=topic).order_by("pk")]


def test_a_question_waits_for_the_requester_and_the_task_stays_the_approvers(
    approval: Approval, recorder: Recorder, buyer: Account, approver: Account
) -> None:
    approval_ask(actor=approver, approval_id=approval.pk, text="为什么要这么多？")

    assert get_step_text(approval) == "待申请人答复"
    assert recorder.events == [("approval.asked:第 1 步：为什么要这么多？", 7)]
    assert [row.pk for row in list_approvals_in_box(actor=approver, box="todo")] == [approval.pk]
    assert list_published("approval.asked") == [
        {
            "ApprovalId": approval.pk,
            "SubjectNo": "SO7",
            "ActorId": approver.pk,
            "To": [buyer.pk],
            "Text": "为什么要这么多？",
        }
    ]
    assert list_allowed_actions(
        actor=buyer, approval=get_approval_detail(actor=buyer, approval_id=approval.pk)
    ) == ["withdraw", "answer"]


def test_an_answer_gives_the_turn_back(
    approval: Approval, recorder: Recorder, buyer: Account, approver: Account
) -> None:
    question = approval_ask(actor=approver, approval_id=approval.pk, text="为什么要这么多？")
    approval_answer(
        actor=buyer, approval_id=approval.pk, text="下周培训 😀", question_id=question.pk
    )

    assert get_step_text(approval) == "审批中"
    assert recorder.events[-1] == ("approval.answered:下周培训 😀", 7)
    answer = ApprovalRemark.objects.get(kind="answer")
    assert (answer.question_id, answer.text, answer.author_id) == (
        question.pk,
        "下周培训 😀",
        buyer.pk,
    )
    assert [row["To"] for row in list_published("approval.answered")] == [[approver.pk]]


def test_the_approver_may_decide_without_an_answer(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    approval_ask(actor=approver, approval_id=approval.pk, text="急吗？")
    approval_approve(actor=approver, approval_id=approval.pk)

    with pytest.raises(ApprovalClosed):
        approval_answer(actor=buyer, approval_id=approval.pk, text="急")


def test_decision_in_an_all_step_closes_the_open_question(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    steps = [StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, ga))]
    create_rule(group_id=buyer.group_id, name="会签", conditions=[], steps=steps)
    approval = start(buyer)
    approval_ask(actor=approver, approval_id=approval.pk, text="急吗？")
    approval_ask(actor=ga, approval_id=approval.pk, text="哪个项目？")

    approval_approve(actor=approver, approval_id=approval.pk)
    assert get_step_text(approval) == "待申请人答复"
    approval_answer(actor=buyer, approval_id=approval.pk, text="年会")

    assert get_step_text(approval) == "审批中"
    assert ApprovalRemark.objects.get(kind="answer").question is not None
    with pytest.raises(NoQuestion):
        approval_answer(actor=buyer, approval_id=approval.pk, text="还有")


def test_requester_may_withdraw_an_approval_with_an_open_question(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    approval_ask(actor=approver, approval_id=approval.pk, text="急吗？")
    approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=7)

    with pytest.raises(ApprovalClosed, match="已撤回"):
        approval_answer(actor=buyer, approval_id=approval.pk, text="急")
    assert get_step_text(approval) == "已关闭"


def test_answer_notifies_the_approver_after_a_transfer(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    colleague = AccountFactory(department=buyer.department, roles=list(approver.roles.all()))
    approval_ask(actor=approver, approval_id=approval.pk, text="急吗？")
    approval_transfer(actor=approver, approval_id=approval.pk, to=colleague, reason="")

    approval_answer(actor=buyer, approval_id=approval.pk, text="急")

    assert [row["To"] for row in list_published("approval.answered")] == [
        sorted([approver.pk, colleague.pk])
    ]


def test_second_open_question_of_an_approver_is_refused(
    approval: Approval, approver: Account
) -> None:
    approval_ask(actor=approver, approval_id=approval.pk, text="急吗？")
    with pytest.raises(QuestionOpen):
        approval_ask(actor=approver, approval_id=approval.pk, text="哪个项目？")


def test_only_the_current_approver_asks_and_only_the_requester_answers(
    approval: Approval, buyer: Account, approver: Account, ga: Account
) -> None:
    with pytest.raises(NotYourTurn):
        approval_ask(actor=ga, approval_id=approval.pk, text="急吗？")
    approval_ask(actor=approver, approval_id=approval.pk, text="急吗？")
    with pytest.raises(NotYours):
        approval_answer(actor=ga, approval_id=approval.pk, text="急")


def test_approver_who_is_the_requester_cannot_ask_a_question(
    approval: Approval, buyer: Account
) -> None:
    ApprovalTask.objects.update(approver=buyer)
    with pytest.raises(ValidationFailed, match="您就是申请人"):
        approval_ask(actor=buyer, approval_id=approval.pk, text="急吗？")


def test_a_question_and_an_answer_need_text(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    with pytest.raises(ValidationFailed, match="请填写要询问的内容"):
        approval_ask(actor=approver, approval_id=approval.pk, text=" ")
    with pytest.raises(ValidationFailed, match="请填写答复内容"):
        approval_answer(actor=buyer, approval_id=approval.pk, text=" ")


def test_mentioned_account_gets_read_access_and_a_notice(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    colleague = AccountFactory(department=buyer.department, roles=list(approver.roles.all()))
    with pytest.raises(ApprovalNotFound):
        get_approval_detail(actor=colleague, approval_id=approval.pk)

    approval_comment(
        actor=approver, approval_id=approval.pk, text="@同事 预算够吗？", mentions=[colleague.pk]
    )

    detail = get_approval_detail(actor=colleague, approval_id=approval.pk)
    assert (detail.pk, list_allowed_actions(actor=colleague, approval=detail)) == (approval.pk, [])
    assert list(list_approvals_in_box(actor=colleague, box="todo")) == []
    assert [row["To"] for row in list_published("approval.commented")] == [[buyer.pk]]
    assert [row["To"] for row in list_published("approval.mentioned")] == [[colleague.pk]]


def test_earlier_commenter_is_notified_of_later_comments(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    approval_comment(actor=approver, approval_id=approval.pk, text="先看一下")
    approval_comment(actor=buyer, approval_id=approval.pk, text="好的")

    assert [row["To"] for row in list_published("approval.commented")] == [
        [buyer.pk],
        [approver.pk],
    ]


def test_comment_of_1000_four_byte_characters_is_stored(
    approval: Approval, approver: Account
) -> None:
    remark = approval_comment(actor=approver, approval_id=approval.pk, text="😀" * 1000)
    assert ApprovalRemark.objects.get(pk=remark.pk).text == "😀" * 1000


def test_a_full_discussion_takes_no_comment(approval: Approval, approver: Account) -> None:
    remark = approval_comment(actor=approver, approval_id=approval.pk, text="请看一下")
    ApprovalRemark.objects.bulk_create(
        ApprovalRemark(
            group_id=approval.group_id,
            approval=approval,
            kind=remark.kind,
            author=approver,
            text="好",
            at=remark.at,
        )
        for _ in range(MAX_REMARKS - 1)
    )
    with pytest.raises(DiscussionFull):
        approval_comment(actor=approver, approval_id=approval.pk, text="再看一下")


def test_mention_of_an_account_without_approval_permission_is_refused(
    approval: Approval, approver: Account, limited: Account
) -> None:
    with pytest.raises(ValidationFailed, match="没有审批权限"):
        approval_comment(
            actor=approver, approval_id=approval.pk, text="@limited", mentions=[limited.pk]
        )
    assert ApprovalRemark.objects.count() == 0


def test_comment_on_an_invisible_approval_is_not_found(
    approval: Approval, limited: Account
) -> None:
    with pytest.raises(ApprovalNotFound):
        approval_comment(actor=limited, approval_id=approval.pk, text="我也来看看")


def test_mention_choices_list_the_chain_first(
    approval: Approval, buyer: Account, approver: Account, limited: Account
) -> None:
    colleague = AccountFactory(
        department=buyer.department, nickname="阿一", roles=list(approver.roles.all())
    )

    mentionable_colleagues = list_mentionable_colleagues(
        actor=approver, approval=approval, keyword=""
    )
    assert mentionable_colleagues[0].pk == buyer.pk
    assert colleague.pk in [row.pk for row in mentionable_colleagues]
    assert not {approver.pk, limited.pk} & {row.pk for row in mentionable_colleagues}
    assert [
        row.pk
        for row in list_mentionable_colleagues(actor=approver, approval=approval, keyword="阿一")
    ] == [colleague.pk]


def stand_in(approver: Account) -> tuple[Account, ApprovalDelegation]:
    """A stand-in of the approver today."""
    deputy = AccountFactory(
        department=approver.department, roles=[RoleFactory(group=approver.group, code="deputy")]
    )
    today = timezone.localdate()
    return deputy, delegation_create(actor=approver, form=DelegationForm(deputy.pk, today, today))


def test_former_delegate_gets_no_comment_notices(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    deputy, delegation = stand_in(approver)
    approval_comment(actor=deputy, approval_id=approval.pk, text="先看一下")
    approval_comment(actor=buyer, approval_id=approval.pk, text="好的")
    delegation_cancel(actor=approver, pk=str(delegation.pk))

    approval_comment(actor=approver, approval_id=approval.pk, text="底价不能外传")

    assert [row["To"] for row in list_published("approval.commented")] == [
        [buyer.pk],
        [deputy.pk],
        [buyer.pk],
    ]


def test_former_delegate_gets_no_answer_notices(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    deputy, delegation = stand_in(approver)
    approval_ask(actor=deputy, approval_id=approval.pk, text="急吗？")
    delegation_cancel(actor=approver, pk=str(delegation.pk))

    approval_answer(actor=buyer, approval_id=approval.pk, text="急")

    assert [row["To"] for row in list_published("approval.answered")] == [[approver.pk]]


def test_commenter_without_approval_permission_gets_no_later_notices(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    colleague = AccountFactory(
        department=buyer.department, roles=[RoleFactory(group=buyer.group, code="colleague")]
    )
    approval_comment(actor=approver, approval_id=approval.pk, text="@同事", mentions=[colleague.pk])
    approval_comment(actor=colleague, approval_id=approval.pk, text="看过了")
    colleague.roles.clear()

    approval_comment(actor=approver, approval_id=approval.pk, text="好的")

    assert list_published("approval.commented")[-1]["To"] == [buyer.pk]


def test_filter_viewers_matches_list_visible_approvals_for_every_account(
    approval: Approval, buyer: Account, approver: Account, ga: Account, limited: Account
) -> None:
    group, (deputy, _) = approver.group, stand_in(approver)
    wide = AccountFactory(
        department=buyer.department,
        roles=[RoleFactory(group=group, code="wide", data_scope=DataScope.GROUP)],
    )
    named, stranger = (
        AccountFactory(department=buyer.department, roles=[RoleFactory(group=group, code=code)])
        for code in ("a", "b")
    )
    approval_comment(actor=approver, approval_id=approval.pk, text="@同事", mentions=[named.pk])
    everybody: list[Account] = [buyer, approver, ga, limited, deputy, wide, named, stranger]

    with assert_queries(4):
        viewers = filter_viewers(
            approval=approval, account_ids=[account.pk for account in everybody]
        )

    assert viewers == {account.pk for account in (buyer, approver, ga, deputy, wide, named)}
    assert viewers == {
        account.pk
        for account in everybody
        if list_visible_approvals(actor=account).filter(pk=approval.pk).exists()
    }
