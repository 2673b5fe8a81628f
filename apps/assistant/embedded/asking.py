"""A question with all that is known around it, as the replies take it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.assistant.answers import Event, Turn
from apps.assistant.embedded.reading import Reading

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks what, after which turns."""

    actor: Account
    turns: Sequence[Turn]
    reading: Reading


Reply = Callable[[Asking], Iterator[Event]]
