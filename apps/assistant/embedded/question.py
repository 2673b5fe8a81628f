"""An understood request with its author and the earlier turns: what the replies receive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.assistant.answers import Event, Turn
from apps.assistant.embedded.slots import Slots
from apps.search.keyword import Lexicon

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Question:
    """An understood request, its author, the earlier turns and the lexicon of the search."""

    actor: Account
    turns: Sequence[Turn]
    slots: Slots
    lexicon: Lexicon


# A reply may raise NotAllowed (tools/rights.py); its message is shown to the person.
Reply = Callable[[Question], Iterator[Event]]
