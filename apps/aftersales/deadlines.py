"""Until when each step of a return is due, and whose it is: data, not branches (docs/decisions.md, After-sales)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.aftersales.enums import ReturnStatus, ReturnWay

S = ReturnStatus
# How long before the end a customer is reminded, once.
REMIND_BEFORE = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Step:
    """A step that waits for somebody: for us, or for the customer."""

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
# What we fetch ourselves is ours to fetch.
PICKUP = Step(timedelta(days=2), is_ours=True)


def step_of(*, status: str, way: str) -> Step | None:
    """Return what the state waits for; None where nothing does."""
    return PICKUP if status == S.PENDING_SEND and way == ReturnWay.PICKUP else STEPS.get(status)


def due_at(*, status: str, way: str, at: datetime) -> datetime | None:
    """Return until when the step that begins `at` is due."""
    step = step_of(status=status, way=way)
    return at + step.within if step else None
