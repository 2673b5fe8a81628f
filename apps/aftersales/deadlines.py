"""The deadline of each step of a return with the side that has to act, and the deadline for a
decision on a cancellation (docs/decisions.md, After-sales).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from apps.aftersales.enums import ReturnStatus, ReturnWay

S = ReturnStatus
# The customer gets one reminder this long before the deadline.
REMIND_BEFORE = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Step:
    """A step that waits for the mall (`is_ours`) or for the customer."""

    within: timedelta
    is_ours: bool


STEPS: dict[str, Step] = {
    S.PENDING_REVIEW: Step(timedelta(days=1), is_ours=True),
    S.PENDING_SEND: Step(timedelta(days=7), is_ours=False),
    S.PENDING_RECEIPT: Step(timedelta(days=7), is_ours=True),
    S.INSPECTING: Step(timedelta(days=3), is_ours=True),
    S.PROCESSING: Step(timedelta(days=3), is_ours=True),
    S.PENDING_CONFIRM: Step(timedelta(days=7), is_ours=False),
}
# The mall has to pick the goods up.
PICKUP = Step(timedelta(days=2), is_ours=True)


def find_step(*, status: str, way: str) -> Step | None:
    """Return the step that the state waits for, None in a final state."""
    return PICKUP if status == S.PENDING_SEND and way == ReturnWay.PICKUP else STEPS.get(status)


def compute_due_at(*, status: str, way: str, at: datetime) -> datetime | None:
    """Return the deadline of the step that begins `at`, None in a final state."""
    step = find_step(status=status, way=way)
    return at + step.within if step else None


def decide_within() -> timedelta:
    """Return the time from the request to its deadline."""
    return timedelta(hours=settings.CANCEL_DECIDE_HOURS)


def remind_before() -> timedelta:
    """Return the time between the reminder of staff and the deadline: a quarter of the whole
    time.
    """
    return decide_within() / 4
