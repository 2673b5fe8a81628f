"""What became of each piece and each cent of an order: the apps above add their documents to it, and register so in AppConfig.ready.

`trace_register(source)`; `source(actor=, order=)` gives the steps that its documents are to the order's lines. A document that the actor
may not open has neither number nor target: what it did to his order is told, which one it was is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from apps.orders.enums import TraceKind

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What a document did to an order line, or to the freight where `line_id` is None; the amount is signed as its column sums it.

    What waits or came to nothing does not count, and says by its `state` where it stands.
    """

    kind: TraceKind
    line_id: int | None
    at: datetime
    quantity: int | None
    amount: Decimal | None
    number: str = ""
    target: str = ""
    state: str = ""
    counts: bool = True


class TraceSource(Protocol):
    """Tells what its documents did to an order."""

    def __call__(self, *, actor: Account, order: Order) -> Iterable[TraceStep]: ...


_sources: list[TraceSource] = []


def trace_register(source: TraceSource) -> None:
    """Let an order's page show these documents too."""
    if source not in _sources:
        _sources.append(source)


def steps_above(*, actor: Account, order: Order) -> list[TraceStep]:
    """Return what the apps above tell of the order."""
    return [step for source in _sources for step in source(actor=actor, order=order)]
