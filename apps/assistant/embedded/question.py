"""A question with its context: the input of every reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.assistant.answers import Event, Turn
from apps.assistant.embedded.reading import Reading

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question, its author and the earlier turns."""

    actor: Account
    turns: Sequence[Turn]
    reading: Reading


Reply = Callable[[Question], Iterator[Event]]
