"""The discussion beside an approval: questions to the requester (退回询问), answers, and comments
with mentions.

A question does not block the approval: approvers may decide without an answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.approvals.enums import RemarkKind, StepStatus, TaskStatus
from apps.approvals.errors import (
    AnswerEmpty,
    ApprovalNotFound,
    DiscussionFull,
    MentionedWithoutRight,
    NoQuestion,
    NotYours,
    QuestionEmpty,
    QuestionOpen,
    QuestionToYourself,
    RemarkEmpty,
)
from apps.approvals.locks import lock_pending
from apps.approvals.models import (
    Approval,
    ApprovalMention,
    ApprovalRemark,
    ApprovalStep,
    ApprovalTask,
)
from apps.approvals.selectors.approvals import MAX_REMARKS, filter_viewers, list_visible_approvals
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.approvals.services.approval_events import (
    list_awaited_requesters,
    moved_publish,
    participants_notify,
)
from apps.approvals.services.approval_flow import (
    Turn,
    hide_refusal_from_outsiders,
    turn_lock,
    turn_note,
)
from apps.approvals.subjects import get_subject_handler

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def approval_ask(*, actor: Account, approval_id: int, text: str) -> ApprovalRemark:
    """Ask the requester a question and return it. The task stays with the actor.

    Raises:
        ValidationFailed: the text is empty, or the actor is the requester.
        QuestionOpen: the actor's previous question has no answer yet.
        ApprovalNotFound, ApprovalClosed, NotYourTurn: see approval_approve.
    """
    if not text.strip():
        raise QuestionEmpty
    turn = turn_lock(actor=actor, approval_id=approval_id)
    if actor.pk == turn.approval.requester_id:
        raise QuestionToYourself
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
    step_refresh_asked_at(turn.step)
    turn_note(turn, actor=actor, kind="approval.asked", note=f"第 {turn.step.no} 步：{text}")
    participants_notify(
        topic="approval.asked",
        approval=turn.approval,
        actor=actor,
        to=[turn.approval.requester_id],
        text=text,
    )
    return question


@transaction.atomic
def approval_answer(
    *, actor: Account, approval_id: int, text: str, question_id: int | None = None
) -> Approval:
    """Answer a question and return the approval. Without `question_id`, the oldest open
    question is answered.

    The waiting time of the step's approvers starts again once no question is open.

    Raises:
        ValidationFailed: the text is empty.
        NotYours: the actor is not the requester.
        NoQuestion: no question waits for an answer.
        ApprovalNotFound, ApprovalClosed: the approval has ended, or the actor cannot see it.
    """
    if not text.strip():
        raise AnswerEmpty
    with hide_refusal_from_outsiders(actor=actor, approval_id=approval_id):
        approval = lock_pending(approval_id=approval_id)
        if approval.requester_id != actor.pk:
            raise NotYours
    open_questions = ApprovalRemark.objects.filter(
        approval=approval, is_open=True, step__status=StepStatus.ACTIVE
    ).select_related("step")
    question = (
        (open_questions if question_id is None else open_questions.filter(pk=question_id))
        .order_by("id")
        .first()
    )
    if question is None:
        raise NoQuestion
    question.is_open = False
    question.save(update_fields=["is_open"])
    ApprovalRemark.objects.create(
        group_id=approval.group_id,
        approval=approval,
        kind=RemarkKind.ANSWER,
        author=actor,
        text=text,
        at=timezone.now(),
        question=question,
    )
    step_refresh_asked_at(question.step)
    pending_tasks = ApprovalTask.objects.filter(step=question.step, status=TaskStatus.PENDING)
    if question.step.asked_at is None:
        # Restart the waiting time of the approvers: they were waiting for the requester.
        first = Coalesce("first_arrived_at", "arrived_at")
        pending_tasks.update(first_arrived_at=first, arrived_at=timezone.now(), reminded_at=None)
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id, actor=actor, kind="approval.answered", note=text
    )
    moved_publish(approval, Asked=list_awaited_requesters(approval))
    approver_ids = pending_tasks.values_list("approver_id", flat=True)
    participants_notify(
        topic="approval.answered",
        approval=approval,
        actor=actor,
        to={*approver_ids, *_find_asker(question, approval)},
        text=text,
    )
    return approval


def _find_asker(question: ApprovalRemark, approval: Approval) -> set[int]:
    """Return the author of the question as a set, empty if the author can no longer see the
    approval. A stand-in's delegation may have ended before the answer.
    """
    return filter_viewers(approval=approval, account_ids=[question.author_id])


def questions_drop(turn: Turn, *, actor: Account) -> None:
    """Close the actor's open questions after the actor's decision. Needs no query if no
    question is open.
    """
    if turn.step.asked_at is not None:
        ApprovalRemark.objects.filter(step=turn.step, author=actor, is_open=True).update(
            is_open=False
        )
        step_refresh_asked_at(turn.step)


def step_refresh_asked_at(step: ApprovalStep) -> None:
    """Set `asked_at` of the step to the time of its oldest open question, or to None."""
    oldest = (
        ApprovalRemark.objects.filter(step=step, is_open=True)
        .order_by("id")
        .values_list("at", flat=True)
        .first()
    )
    if step.asked_at != oldest:
        step.asked_at = oldest
        step.save(update_fields=["asked_at"])


@transaction.atomic
def approval_comment(
    *, actor: Account, approval_id: int, text: str, mentions: Iterable[int] = ()
) -> ApprovalRemark:
    """Add a comment and return it. The actor must see the approval, which may have ended. A
    mentioned colleague can see the approval from then on.

    Mentioned colleagues, the requester, and earlier authors who still see the approval are
    notified.

    Raises:
        ValidationFailed: the text is empty, or a mentioned colleague has no approval rights.
        ApprovalNotFound: the actor cannot see such an approval.
        DiscussionFull: the limit of remarks is reached.
    """
    if not text.strip():
        raise RemarkEmpty
    approval = list_visible_approvals(actor=actor).filter(pk=approval_id).first()
    if approval is None:
        raise ApprovalNotFound
    authors: list[int] = list(
        ApprovalRemark.objects.filter(approval=approval).values_list("author_id", flat=True)
    )
    if len(authors) >= MAX_REMARKS:
        raise DiscussionFull
    mentioned_ids = set(mentions) - {actor.pk}
    able_ids = filter_able_approvers({*mentioned_ids, *authors})
    if mentioned_ids - able_ids - {approval.requester_id}:
        raise MentionedWithoutRight
    remark = _create_comment(approval, actor=actor, text=text, mentioned_ids=mentioned_ids)
    # An earlier author may have lost access: the delegation has ended or the menu was
    # removed.
    viewer_ids = filter_viewers(
        approval=approval, account_ids=({*mentioned_ids, *authors} & able_ids) - {actor.pk}
    )
    participants_notify(
        topic="approval.mentioned", approval=approval, actor=actor, to=mentioned_ids, text=text
    )
    participants_notify(
        topic="approval.commented",
        approval=approval,
        actor=actor,
        to={*viewer_ids, approval.requester_id} - mentioned_ids,
        text=text,
    )
    return remark


def _create_comment(
    approval: Approval, *, actor: Account, text: str, mentioned_ids: set[int]
) -> ApprovalRemark:
    group_id = approval.group_id
    remark: ApprovalRemark = ApprovalRemark.objects.create(
        group_id=group_id,
        approval=approval,
        kind=RemarkKind.COMMENT,
        author=actor,
        text=text,
        at=timezone.now(),
    )
    rows = [
        ApprovalMention(group_id=group_id, remark=remark, approval=approval, account_id=pk)
        for pk in sorted(mentioned_ids)
    ]
    ApprovalMention.objects.bulk_create(rows)
    return remark
