"""The outbox messages of an approval. Each is published in the transaction of its change; other
apps subscribe to the topics (docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalRemark, ApprovalStep
from apps.approvals.selectors.delegations import list_deciding_stand_ins
from apps.common.background.outbox import outbox_publish, outbox_publish_all
from apps.common.events import get_event_actor_id
from apps.common.models import OutboxMessage

if TYPE_CHECKING:
    from apps.org.models import Account


OPENED_TOPIC, WAITING_TOPIC, MOVED_TOPIC = (
    f"approval.{what}" for what in ("opened", "waiting", "moved")
)
COPIED_TOPIC = "approval.copied"
DECIDED_TOPIC, WITHDRAWN_TOPIC = (f"approval.{what}" for what in ("decided", "withdrawn"))


def opened_publish(approval: Approval, *, is_new: bool = False) -> None:
    """Publish that the approvers whom the approval asks have changed. After the commit the handler
    notifies the new ones, and settles the notices of people who are no longer asked.
    `is_new`: the approval was just started, so nobody was asked before.
    """
    outbox_publish(
        topic=OPENED_TOPIC,
        key=approval.subject_no,
        payload={"ApprovalId": approval.pk, "IsNew": is_new},
    )


def decided_publish(approval: Approval, *, actor: Account | None, reason: str = "") -> None:
    """Publish to the requester that the approval ended: approved or rejected."""
    payload = _build_payload(approval, get_event_actor_id(actor), [approval.requester_id], reason)
    outbox_publish(
        topic=DECIDED_TOPIC,
        key=approval.subject_no,
        payload={**payload, "Outcome": approval.status},
    )


def copied_publish(approval: Approval, *, actor: Account | None, to: list[int]) -> None:
    """Publish to the accounts in `to` that they got a copy (抄送). `actor` None: by a rule."""
    outbox_publish(
        topic=COPIED_TOPIC,
        key=str(approval.pk),
        payload=_build_payload(
            approval, get_event_actor_id(actor), to, _describe_reasons(approval)
        ),
    )


def withdrawn_publish(approval: Approval) -> None:
    """Publish that the approval was withdrawn."""
    outbox_publish(
        topic=WITHDRAWN_TOPIC, key=approval.subject_no, payload={"ApprovalId": approval.pk}
    )


def moved_publish(approval: Approval, **still: list[int]) -> None:
    """Publish who still has to decide (`Waiting`) or to answer (`Asked`). Notices to all other
    people are settled. A key that is not given is not changed.
    """
    payload = {"ApprovalId": approval.pk, "At": timezone.now().isoformat(), **still}
    outbox_publish(topic=MOVED_TOPIC, key=approval.subject_no, payload=payload)


def list_awaited_requesters(approval: Approval) -> list[int]:
    """Return the id of the requester in a list if a question waits for an answer, else an empty
    list.
    """
    questions = ApprovalRemark.objects.filter(
        approval=approval, is_open=True, step__status=StepStatus.ACTIVE
    )
    return [approval.requester_id] if questions.exists() else []


def handle_approval_opened(_key: str, payload: dict[str, Any]) -> None:
    """Handle OPENED_TOPIC: publish one message for each open task, to its approver and today's
    stand-ins.

    Unless the approval is new, a `moved` message settles the notices of everybody who no longer has
    to decide. `Once` is the task, so that the same task is not notified twice.
    """
    _publish_opened_tasks([payload])


def handle_approval_opened_batch(messages: Sequence[OutboxMessage]) -> None:
    """Handle OPENED_TOPIC for several approvals of one group."""
    _publish_opened_tasks([message.payload for message in messages])


def _publish_opened_tasks(payloads: Sequence[dict[str, Any]]) -> None:
    """Publish a message for each task that the opened approvals wait for. Ended approvals are
    skipped. Two queries if no approver has a stand-in.
    """
    rows = ApprovalStep.objects.filter(
        approval__in=[payload["ApprovalId"] for payload in payloads],
        approval__status=ApprovalStatus.PENDING,
        status=StepStatus.ACTIVE,
    )
    active_steps = {
        step.approval_id: step
        for step in rows.select_related("approval__requester").prefetch_related("tasks")
    }
    messages: list[tuple[str, dict[str, Any]]] = []
    for payload in payloads:
        if step := active_steps.get(payload["ApprovalId"]):
            messages += _build_task_messages(step, is_new=bool(payload.get("IsNew")))
    outbox_publish_all(topic=WAITING_TOPIC, messages=messages)


def _build_task_messages(step: ApprovalStep, *, is_new: bool) -> list[tuple[str, dict[str, Any]]]:
    """Return the messages of the open tasks of an active step. Unless the approval is new, publish
    who still has to decide.
    """
    approval = step.approval
    open_tasks = [task for task in step.tasks.all() if task.status == TaskStatus.PENDING]
    stand_ins = list_deciding_stand_ins(
        step=step, approver_ids=[task.approver_id for task in open_tasks]
    )
    text = _describe_reasons(approval)
    people: set[int] = set()
    messages: list[tuple[str, dict[str, Any]]] = []
    for task in open_tasks:
        to = [
            task.approver_id,
            *(row.delegate_id for row in stand_ins if row.delegator_id == task.approver_id),
        ]
        people.update(to)
        letter = {
            **_build_payload(approval, approval.requester_id, to, text),
            "Once": f"task{task.pk}",
        }
        messages.append((approval.subject_no, letter))
    if not is_new:
        moved_publish(approval, Waiting=sorted(people), Asked=list_awaited_requesters(approval))
    return messages


def _describe_reasons(approval: Approval) -> str:
    """Return the amount and the reasons. The amount is left out if a reason names it."""
    amount, reasons = f"¥{approval.amount:,.2f}", "；".join(approval.reasons)
    return reasons if amount in reasons else f"金额 {amount}" + (f"，{reasons}" if reasons else "")


def _build_payload(
    approval: Approval, actor_id: int | None, to: list[int], text: str
) -> dict[str, Any]:
    """Return the payload of an approval event. `to`: the pks of the recipients."""
    return {
        "ApprovalId": approval.pk,
        "SubjectNo": approval.subject_no,
        "ActorId": actor_id,
        "To": to,
        "Text": text,
    }


SHORT = 100


def participants_notify(
    *, topic: str, approval: Approval, actor: Account, to: Iterable[int], text: str
) -> None:
    """Publish a message under `topic` to the accounts in `to` except the actor. Publishes
    nothing if no account is left.
    """
    keys = sorted(set(to) - {actor.pk})
    if keys:
        payload = {
            "ApprovalId": approval.pk,
            "SubjectNo": approval.subject_no,
            "ActorId": actor.pk,
            "To": keys,
            "Text": text[:SHORT],
        }
        outbox_publish(topic=topic, key=str(approval.pk), payload=payload)
