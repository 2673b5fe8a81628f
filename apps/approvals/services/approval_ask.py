"""退回询问: an approver asks the requester, who answers; the approval stays open, and may be decided without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.approvals.enums import RemarkKind, StepStatus, TaskStatus
from apps.approvals.errors import NoQuestion, NotYours, QuestionOpen
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalRemark, ApprovalTask
from apps.approvals.selectors.approvals import seen_by
from apps.approvals.services.approval_news import moved_publish, still_asked
from apps.approvals.services.questions import step_settle
from apps.approvals.services.told import told
from apps.approvals.services.turn import told_to_who_sees, turn_note, turn_of
from apps.approvals.subjects import subject_handler
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def approval_ask(*, actor: Account, approval_id: int, text: str) -> ApprovalRemark:
    """Return the question, which waits for the requester; the task stays the actor's.

    Raises:
        ValidationFailed: there is no text, or the requester would ask himself.
        QuestionOpen: a question of his waits already.
        ApprovalNotFound, ApprovalClosed, NotYourTurn: as for approving.
    """
    if not text.strip():
        raise ValidationFailed({"Text": ["请填写要询问的内容"]})
    turn = turn_of(actor=actor, approval_id=approval_id)
    if actor.pk == turn.approval.requester_id:
        raise ValidationFailed({"Text": ["您就是申请人，无需询问"]})
    if ApprovalRemark.objects.filter(step=turn.step, author=actor, is_open=True).exists():
        raise QuestionOpen
    question: ApprovalRemark = ApprovalRemark.objects.create(
        group_id=turn.approval.group_id,
        approval=turn.approval,
        kind=RemarkKind.QUESTION,
        author=actor,
        acting_for=turn.acting_for,
        text=text,
        at=timezone.now(),
        step=turn.step,
        is_open=True,
    )
    step_settle(turn.step)
    turn_note(turn, actor=actor, kind="approval.asked", note=f"第 {turn.step.no} 步：{text}")
    told(topic="approval.asked", approval=turn.approval, actor=actor, to=[turn.approval.requester_id], text=text)
    return question


@transaction.atomic
def approval_answer(*, actor: Account, approval_id: int, text: str, question_id: int | None = None) -> Approval:
    """Answer the question, the oldest open one where none is named, and return the approval, which waits for its approvers again.

    Raises:
        ValidationFailed: there is no text.
        NotYours: the actor is not the requester.
        NoQuestion: nothing waits for an answer (any more).
        ApprovalNotFound, ApprovalClosed: it has ended, or he does not see it.
    """
    if not text.strip():
        raise ValidationFailed({"Text": ["请填写答复内容"]})
    with told_to_who_sees(actor=actor, approval_id=approval_id):
        approval = lock_pending(approval_id=approval_id)
        if approval.requester_id != actor.pk:
            raise NotYours
    waiting = ApprovalRemark.objects.filter(approval=approval, is_open=True, step__status=StepStatus.ACTIVE).select_related("step")
    question = (waiting if question_id is None else waiting.filter(pk=question_id)).order_by("id").first()
    if question is None:
        raise NoQuestion
    question.is_open = False
    question.save(update_fields=["is_open"])
    ApprovalRemark.objects.create(
        group_id=approval.group_id, approval=approval, kind=RemarkKind.ANSWER, author=actor, text=text, at=timezone.now(), question=question
    )
    step_settle(question.step)
    pending = ApprovalTask.objects.filter(step=question.step, status=TaskStatus.PENDING)
    if question.step.asked_at is None:
        # Their time begins anew: it was the requester who kept them waiting.
        first = Coalesce("first_arrived_at", "arrived_at")
        pending.update(first_arrived_at=first, arrived_at=timezone.now(), reminded_at=None)
    subject_handler(approval.subject_type).noted(approval.subject_id, actor=actor, kind="approval.answered", note=text)
    moved_publish(approval, Asked=still_asked(approval))
    asked = pending.values_list("approver_id", flat=True)
    told(topic="approval.answered", approval=approval, actor=actor, to={*asked, *_asker(question, approval)}, text=text)
    return approval


def _asker(question: ApprovalRemark, approval: Approval) -> set[int]:
    """Who asked, where he may still look: a stand-in's delegation may have ended before the answer."""
    return seen_by(approval=approval, account_ids=[question.author_id])
