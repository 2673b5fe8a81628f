"""How many answers an account is given at once, over all processes: each holds a place until its stream has really ended."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from apps.common.background.leases import lease_release, lease_take

if TYPE_CHECKING:
    from apps.assistant.models import Message

AT_ONCE = 2
# No answer takes longer; a place held after that was left by a process that died.
LONGEST = timedelta(minutes=4)


def answer_place_take(*, answer: Message) -> bool:
    """Take one of the account's places for the answer; tell whether there was one."""
    return any(lease_take(name=name, holder=str(answer.pk), duration=LONGEST) for name in _names(answer))


def answer_place_give_back(*, answer: Message) -> None:
    """Let another answer have the place; nothing happens where it was given back already."""
    for name in _names(answer):
        lease_release(name=name, holder=str(answer.pk))


def _names(answer: Message) -> list[str]:
    return [f"assistant:answer:{answer.account_id}:{number}" for number in range(AT_ONCE)]
