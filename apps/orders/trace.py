"""Sources of the order trace. The apps above orders register in AppConfig.ready and add the
steps of their documents.

`trace_register(source)` registers one. `source(actor=, order=)` returns steps on the lines of the
order. If the actor may not open a document, its step has neither number nor target, but its effect
is still shown.
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
    """The effect of a document on an order line, or on the freight if `line_id` is None. The
    amount has the sign for the sum of its column.

    A pending or void document has `counts` False; `state` shows its status.
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
    """Returns the steps of its documents on an order."""

    def __call__(self, *, actor: Account, order: Order) -> Iterable[TraceStep]: ...


_sources: list[TraceSource] = []


def trace_register(source: TraceSource) -> None:
    """Register a source of steps. Registering it twice has no effect."""
    if source not in _sources:
        _sources.append(source)


def steps_above(*, actor: Account, order: Order) -> list[TraceStep]:
    """Return the steps of all registered sources."""
    return [step for source in _sources for step in source(actor=actor, order=order)]
