"""What people are to hear of an approval, published with its effect; whoever tells them listens (docs/architecture.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalRemark, ApprovalTask
from apps.approvals.selectors.delegations import stand_ins_of
from apps.common.background.outbox import outbox_publish, outbox_publish_all
from apps.common.events import doer_id

if TYPE_CHECKING:
    from apps.org.models import Account

OPENED_TOPIC, WAITING_TOPIC, MOVED_TOPIC = (f"approval.{what}" for what in ("opened", "waiting", "moved"))
DECIDED_TOPIC, WITHDRAWN_TOPIC = (f"approval.{what}" for what in ("decided", "withdrawn"))


def opened_publish(approval: Approval, *, is_new: bool = False) -> None:
    """Somebody else is asked now; who that is, the handler reads once this has committed. Of a new one nobody was asked before."""
    outbox_publish(topic=OPENED_TOPIC, key=approval.subject_no, payload={"ApprovalId": approval.pk, "IsNew": is_new})


def decided_publish(approval: Approval, *, actor: Account | None, reason: str = "") -> None:
    """The approval has ended, passed or rejected: who asked for it hears of it."""
    payload = _payload(approval, doer_id(actor), [approval.requester_id], reason)
    outbox_publish(topic=DECIDED_TOPIC, key=approval.subject_no, payload={**payload, "Outcome": approval.status})


def withdrawn_publish(approval: Approval) -> None:
    """Nobody is asked any more."""
    outbox_publish(topic=WITHDRAWN_TOPIC, key=approval.subject_no, payload={"ApprovalId": approval.pk})


def moved_publish(approval: Approval, **still: list[int]) -> None:
    """Say who is still to decide (`Waiting`) or to answer (`Asked`); what is not said stays as it is, what asks others is over."""
    payload = {"ApprovalId": approval.pk, "At": timezone.now().isoformat(), **still}
    outbox_publish(topic=MOVED_TOPIC, key=approval.subject_no, payload=payload)


def still_asked(approval: Approval) -> list[int]:
    """Return whose answer the approval waits for: the requester's, or nobody's."""
    questions = ApprovalRemark.objects.filter(approval=approval, is_open=True, step__status=StepStatus.ACTIVE)
    return [approval.requester_id] if questions.exists() else []


def opened_handler(_key: str, payload: dict[str, Any]) -> None:
    """The outbox's handler of OPENED_TOPIC: publish for each open task who is asked, and who may decide in his place today.

    Of all others it is said that they are asked no more, if any were. `Once` is the task, so that nobody hears of it twice.
    """
    found = Approval.objects.filter(pk=payload["ApprovalId"], status=ApprovalStatus.PENDING)
    approval = found.prefetch_related("steps__tasks").select_related("requester").first()
    if approval is None:
        return
    stand_ins = stand_ins_of(approval=approval)
    text = _why(approval)
    people: set[int] = set()
    messages: list[tuple[str, dict[str, Any]]] = []
    for task in _open_tasks(approval):
        to = [task.approver_id, *(row.delegate_id for row in stand_ins if row.delegator_id == task.approver_id)]
        people.update(to)
        letter = {**_payload(approval, approval.requester_id, to, text), "Once": f"task{task.pk}"}
        messages.append((approval.subject_no, letter))
    if not payload.get("IsNew"):
        moved_publish(approval, Waiting=sorted(people), Asked=still_asked(approval))
    outbox_publish_all(topic=WAITING_TOPIC, messages=messages)


def _why(approval: Approval) -> str:
    """Return how much it is and why it is asked; a reason that names the amount has said it already."""
    amount, reasons = f"¥{approval.amount:,.2f}", "；".join(approval.reasons)
    return reasons if amount in reasons else f"金额 {amount}" + (f"，{reasons}" if reasons else "")


def _open_tasks(approval: Approval) -> list[ApprovalTask]:
    steps = [step for step in approval.steps.all() if step.status == StepStatus.ACTIVE]
    return [task for step in steps for task in step.tasks.all() if task.status == TaskStatus.PENDING]


def _payload(approval: Approval, actor_id: int | None, to: list[int], text: str) -> dict[str, Any]:
    return {"ApprovalId": approval.pk, "SubjectNo": approval.subject_no, "ActorId": actor_id, "To": to, "Text": text}
