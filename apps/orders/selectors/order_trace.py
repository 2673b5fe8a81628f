"""The trace of an order: for each line, every document from order to settlement, with one sum.

The apps above orders register their sources in AppConfig.ready. `source(actor=, order=)` returns
steps on the lines of the order. If the actor may not open a document, its step has neither number
nor target, but its effect is still shown.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from apps.common.hooks import Hook
from apps.common.money import ZERO
from apps.orders.enums import OrderStatus, TraceKind
from apps.orders.errors import OrderNotFound
from apps.orders.models import Order, OrderLine, ReceiptLine, ShipmentLine
from apps.orders.selectors.access import list_visible_orders
from apps.orders.selectors.payments import sum_paid

if TYPE_CHECKING:
    from apps.org.models import Account

K = TraceKind


@dataclass(frozen=True, slots=True)
class TraceStep:
    """The effect of a document on an order line, or on the freight if `line_id` is None. The
    amount has the sign for the sum of its column.

    A pending or void document has `is_counted` False; `state` shows its status.
    """

    kind: TraceKind
    line_id: int | None
    at: datetime
    quantity: int | None
    amount: Decimal | None
    number: str = ""
    target: str = ""
    state: str = ""
    is_counted: bool = True


class TraceSource(Protocol):
    """Returns the steps of its documents on an order."""

    def __call__(self, *, actor: Account, order: Order) -> Iterable[TraceStep]: ...


TRACE_SOURCES: Hook[TraceSource] = Hook()


@dataclass(frozen=True, slots=True)
class TracedLine:
    """An order line with its steps, the oldest first. The line is None for the freight."""

    line: OrderLine | None
    amount: Decimal
    steps: list[TraceStep]


@dataclass(frozen=True, slots=True)
class TraceSum:
    """Sums of the steps in 元 含税. Payable is delivered less returned. Owed is payable less paid.
    Uninvoiced is payable less invoiced.
    """

    total: Decimal
    delivered: Decimal
    returned: Decimal
    invoiced: Decimal
    stated: Decimal
    paid: Decimal

    @property
    def payable(self) -> Decimal:
        """Return the received amount less the returned amount."""
        return self.delivered - self.returned

    @property
    def uninvoiced(self) -> Decimal:
        """Return the payable amount that is on no invoice."""
        return self.payable - self.invoiced

    @property
    def owed(self) -> Decimal:
        """Return the payable amount that is not paid. Negative for a payment in advance."""
        return self.payable - self.paid


@dataclass(frozen=True, slots=True)
class OrderTrace:
    """The order, its traced lines and their sum."""

    order: Order
    lines: list[TracedLine]
    sum: TraceSum


def get_order_trace(*, actor: Account, order_no: str) -> OrderTrace:
    """Return the trace of an order that the actor may open.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
    """
    order = list_visible_orders(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    lines = list(OrderLine.objects.filter(order=order).order_by("no"))
    further = (source(actor=actor, order=order) for source in TRACE_SOURCES)
    steps = [*_iterate_order_steps(order), *itertools.chain.from_iterable(further)]
    by_line: dict[int | None, list[TraceStep]] = defaultdict(list)
    for step in sorted(steps, key=lambda step: step.at):
        by_line[step.line_id].append(step)
    traced = [TracedLine(line, line.amount_incl_tax, by_line[line.pk]) for line in lines]
    if order.freight_amount > ZERO or by_line[None]:
        traced.append(TracedLine(None, order.freight_amount, by_line[None]))
    return OrderTrace(order, traced, _sum_steps(order, steps))


def _iterate_order_steps(order: Order) -> Iterator[TraceStep]:
    """Yield the shipments and receipts of each line, and the receipt of the freight."""
    for shipment_line in ShipmentLine.objects.filter(shipment__order=order).select_related(
        "shipment"
    ):
        at, number = shipment_line.shipment.shipped_at, shipment_line.shipment.shipment_no
        yield TraceStep(
            kind=K.SHIPMENT,
            line_id=shipment_line.order_line_id,
            at=at,
            quantity=shipment_line.quantity,
            amount=None,
            number=number,
            target=number,
        )
    for row in (
        ReceiptLine.objects.filter(receipt__order=order).select_related("receipt").order_by("pk")
    ):
        yield TraceStep(
            kind=K.RECEIPT,
            line_id=row.order_line_id,
            at=row.receipt.received_at,
            quantity=row.quantity,
            amount=row.amount_incl_tax,
        )
    # The freight is delivered with the last goods.
    if order.status == OrderStatus.COMPLETED and order.freight_amount > ZERO and order.completed_at:
        yield TraceStep(
            kind=K.RECEIPT,
            line_id=None,
            at=order.completed_at,
            quantity=None,
            amount=order.freight_amount,
        )


def _sum_steps(order: Order, steps: Iterable[TraceStep]) -> TraceSum:
    """Return the sums of the counted steps by kind, in 元, with the order's total and payments."""
    sums: dict[str, Decimal] = defaultdict(lambda: ZERO)
    for step in steps:
        if step.is_counted and step.amount is not None:
            sums[step.kind] += step.amount
    return TraceSum(
        total=order.total_amount,
        delivered=sums[K.RECEIPT],
        returned=sums[K.RETURN],
        invoiced=sums[K.INVOICE],
        stated=sums[K.STATEMENT],
        paid=sum_paid(order),
    )
