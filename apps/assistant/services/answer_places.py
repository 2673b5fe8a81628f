"""The limit of parallel answers per account over all processes. Each answer holds a place until its
stream has ended.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from apps.common.background.leases import lease_release, lease_take

if TYPE_CHECKING:
    from apps.assistant.models import Message

AT_ONCE = 2
# No answer takes longer. After this time a place is free again if its process has died.
LONGEST = timedelta(minutes=4)


def answer_place_take(*, answer: Message) -> bool:
    """Take a place for the answer. Return whether one was free."""
    return any(
        lease_take(name=name, holder=str(answer.pk), duration=LONGEST) for name in _names(answer)
    )


def answer_place_release(*, answer: Message) -> None:
    """Release the answer's place. Does nothing if it was already released."""
    for name in _names(answer):
        lease_release(name=name, holder=str(answer.pk))


def _names(answer: Message) -> list[str]:
    return [f"assistant:answer:{answer.account_id}:{number}" for number in range(AT_ONCE)]
