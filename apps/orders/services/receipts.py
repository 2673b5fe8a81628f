"""Receive goods, by shipment, line and quantity. An order completes when all its pieces are
received. After 7 days the system receives a shipment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.background.periodic import run_for_each
from apps.common.errors import DomainError
from apps.common.money import ZERO, compute_part_of_line
from apps.common.tenancy import tenant_scope
from apps.orders.claims import CLAIM_HANDLER, Claim, OpenedReturn
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.errors import (
    ClaimedQuantityExceeded,
    ClaimsNotTaken,
    NothingToReceive,
    ReceiptEmpty,
    ReceivedQuantityExceeded,
)
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order, OrderLine, Receipt, ReceiptLine, Shipment, ShipmentLine
from apps.orders.models.shipment import RECEIVED_AFTER
from apps.orders.services.budget_use import order_budgets_consume
from apps.orders.services.transitions import BatchOutcome, order_record, order_transition
from apps.orders.states import ORDERS

if TYPE_CHECKING:
    from apps.org.models import Account

RECEIVABLE = (OrderStatus.PARTLY_SHIPPED, OrderStatus.PENDING_RECEIPT)


@dataclass(frozen=True, slots=True)
class ReceiptResult:
    """The order after a receipt, and the returns that its claims opened."""

    order: Order
    opened: Sequence[OpenedReturn] = ()


@transaction.atomic
def order_receive(
    *,
    actor: Account,
    order_no: str,
    shipment_no: str = "",
    quantities: Mapping[int, int] | None = None,
    claims: Sequence[Claim] = (),
) -> ReceiptResult:
    """Receive goods of one shipment or of all, and consume the budget. `quantities` is by order
    line pk; None receives everything in transit.

    Missing or damaged pieces count as received and go into a return at once (claims.py).

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: nothing of it has shipped, or all is received.
        QuantityExceeded: more than is in transit, or more claimed than received.
        ValidationFailed: the shipment does not exist, or nothing is in transit.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    if order.status not in RECEIVABLE:
        raise ORDERS.build_wrong_state(order, "确认收货")
    received = _receive_lines(order, actor=actor, shipment_no=shipment_no, quantities=quantities)
    if claims:
        open_returns = CLAIM_HANDLER.only
        if open_returns is None:
            raise ClaimsNotTaken
        _check_claims(order, claims, received)
        return ReceiptResult(order, open_returns(order=order, actor=actor, claims=claims))
    return ReceiptResult(order)


def orders_receive(*, actor: Account, order_nos: Sequence[str]) -> list[BatchOutcome]:
    """Receive all goods in transit of each order. Return the results in the given order.

    The orders are processed sorted by number. Under an idempotency key they share one transaction,
    so a fixed order avoids deadlocks between two batches.
    """
    outcomes: dict[str, BatchOutcome] = {}
    for order_no in sorted(set(order_nos)):
        try:
            order = order_receive(actor=actor, order_no=order_no).order
            outcomes[order_no] = BatchOutcome(
                order_no=order_no,
                success=True,
                code="ok",
                message=f"已收货，订单{order.get_status_display()}",
            )
        except DomainError as error:
            outcomes[order_no] = BatchOutcome(
                order_no=order_no, success=False, code=error.code, message=error.text
            )
    return [outcomes[order_no] for order_no in dict.fromkeys(order_nos)]


def _receive_lines(
    order: Order,
    *,
    actor: Account | None,
    shipment_no: str,
    quantities: Mapping[int, int] | None,
    note: str = "",
) -> dict[int, int]:
    """Write the receipt of a locked order. Return the received pieces by order line pk."""
    before = order.status
    open_lines = _open_lines(order, shipment_no)
    received = _fill_shipment_lines(open_lines, quantities)
    now = timezone.now()
    ShipmentLine.objects.bulk_update(open_lines, ["received_quantity"])
    _close_shipments(order, now)
    lines = list(order.lines.order_by("pk"))
    receipt_write(order, actor=actor, at=now, lines=lines, received_quantities=received)
    for line in lines:
        line.received_quantity += received.get(line.pk, 0)
    OrderLine.objects.bulk_update(
        [line for line in lines if line.pk in received], ["received_quantity"]
    )
    _open_review_period(order, lines, received, at=now)
    is_all = all(line.received_quantity == line.quantity for line in lines)
    if is_all:
        order_transition(order, "complete", "确认收货", at=now)
    order_budgets_consume(
        order,
        actor=actor,
        lines=lines,
        amount=_compute_budget_amount(order, lines, received, is_all=is_all),
    )
    data = {"lines": {str(pk): quantity for pk, quantity in received.items()}}
    note = note or f"共 {sum(received.values())} 件"
    kind = OrderEventKind.COMPLETED if is_all else OrderEventKind.RECEIVED
    order_record(order, actor=actor, kind=kind, before=before, reason=note, data=data)
    return received


def receipt_write(
    order: Order,
    *,
    actor: Account | None,
    at: datetime,
    lines: Iterable[OrderLine],
    received_quantities: Mapping[int, int],
) -> Receipt:
    """Return the new receipt of quantities by order line pk. `lines` have the state before the
    receipt. `actor` None means the system.

    If a staff member acts as a customer, the staff member is recorded as the receiver, as in the
    timeline.
    """
    receiver = actor if actor is None else actor.impersonator or actor
    receipt: Receipt = Receipt.objects.create(
        group_id=order.group_id, order=order, received_by=receiver, received_at=at
    )
    ReceiptLine.objects.bulk_create(
        [
            _build_receipt_line(receipt, line, received_quantities[line.pk])
            for line in lines
            if line.pk in received_quantities
        ]
    )
    return receipt


def _build_receipt_line(receipt: Receipt, line: OrderLine, quantity: int) -> ReceiptLine:
    """Return an unsaved receipt of `quantity` pieces, with their share of the line's amount and
    tax.
    """
    received = line.received_quantity
    amount, tax = compute_part_of_line(
        line.unit_price_incl_tax, line.tax_rate, first=received, last=received + quantity
    )
    return ReceiptLine(
        group_id=receipt.group_id,
        receipt=receipt,
        order_line=line,
        quantity=quantity,
        amount_incl_tax=amount,
        tax_amount=tax,
    )


def _open_review_period(
    order: Order, lines: Iterable[OrderLine], received: Mapping[int, int], *, at: datetime
) -> None:
    """Start the review period if a received line has no review.

    A line that arrives for the first time cannot have a review. `review_until` is set as long as
    an earlier line has none; `apps.reviews` clears it with the last review.
    """
    is_first = any(received.get(line.pk, 0) == line.received_quantity > 0 for line in lines)
    if is_first or order.review_until is not None:
        order.review_until = at + timedelta(days=settings.REVIEW_DAYS)
        Order.objects.filter(pk=order.pk).update(review_until=order.review_until)


def _check_claims(order: Order, claims: Sequence[Claim], received: Mapping[int, int]) -> None:
    claimed_pieces: Counter[int] = Counter()
    for claim in claims:
        claimed_pieces[claim.order_line_id] += claim.quantity
    names = {line.pk: line.customer_name or line.name for line in order.lines.all()}
    for pk, quantity in claimed_pieces.items():
        if quantity > received.get(pk, 0):
            raise ClaimedQuantityExceeded(name=names.get(pk), received=received.get(pk, 0))


def _open_lines(order: Order, shipment_no: str) -> list[ShipmentLine]:
    """Return the shipment lines in transit, the oldest shipment first.

    Raises:
        NothingToReceive: no shipment line is in transit.
    """
    rows = (
        ShipmentLine.objects.filter(shipment__order=order)
        .select_related("order_line")
        .order_by("shipment__shipped_at", "pk")
    )
    if shipment_no:
        rows = rows.filter(shipment__shipment_no=shipment_no)
    open_rows = [row for row in rows if row.received_quantity < row.quantity]
    if not open_rows:
        raise NothingToReceive
    return open_rows


def _fill_shipment_lines(
    open_lines: Iterable[ShipmentLine], quantities: Mapping[int, int] | None
) -> dict[int, int]:
    """Fill the shipment lines, the oldest first. Return the received pieces by order line pk.

    Raises:
        ReceiptEmpty: all quantities are 0.
        ReceivedQuantityExceeded: a line has fewer pieces in transit.
    """
    requested_pieces = (
        None
        if quantities is None
        else {pk: quantity for pk, quantity in quantities.items() if quantity}
    )
    if requested_pieces is not None and not requested_pieces:
        raise ReceiptEmpty
    open_pieces = dict(requested_pieces or {})
    received: dict[int, int] = {}
    names: dict[int, str] = {}
    for row in open_lines:
        names[row.order_line_id] = row.order_line.name
        in_transit = row.quantity - row.received_quantity
        received_pieces = (
            in_transit
            if requested_pieces is None
            else min(in_transit, open_pieces.get(row.order_line_id, 0))
        )
        if received_pieces:
            row.received_quantity += received_pieces
            open_pieces[row.order_line_id] = open_pieces.get(row.order_line_id, 0) - received_pieces
            received[row.order_line_id] = received.get(row.order_line_id, 0) + received_pieces
    if requested_pieces is not None:
        for pk, quantity in open_pieces.items():
            if quantity > 0:
                raise ReceivedQuantityExceeded(name=names.get(pk), shipped=received.get(pk, 0))
    return received


def _close_shipments(order: Order, received_at: object) -> None:
    """Set `received_at` on the shipments that have nothing left in transit."""
    open_ids = [
        row.shipment_id
        for row in ShipmentLine.objects.filter(shipment__order=order)
        if row.received_quantity < row.quantity
    ]
    Shipment.objects.filter(order=order, received_at__isnull=True).exclude(pk__in=open_ids).update(
        received_at=received_at
    )


def _compute_budget_amount(
    order: Order, lines: list[OrderLine], received: Mapping[int, int], *, is_all: bool
) -> Decimal:
    """Return the budget that this receipt consumes, in 元: the goods, and with the last goods
    also the freight.
    """
    goods = sum((line.unit_price_incl_tax * received.get(line.pk, 0) for line in lines), ZERO)
    return goods + order.freight_amount if is_all else goods


def shipments_receive_overdue() -> int:
    """Receive every shipment that shipped more than 7 days ago, each in its own transaction. Return
    the number of shipments. The caller must open the platform scope.
    """
    late = Shipment.objects.filter(
        received_at__isnull=True, shipped_at__lt=timezone.now() - RECEIVED_AFTER
    )
    rows = late.order_by("pk").values_list("shipment_no", "order__order_no", "group_id")
    return run_for_each(rows, _receive_overdue)


def _receive_overdue(shipment_no: str, order_no: str, group_id: int) -> bool:
    """Confirm the receipt of the shipment. Return False if it was received in the meantime."""
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        open_now = Shipment.objects.filter(
            shipment_no=shipment_no, received_at__isnull=True
        ).exists()
        if order.status not in RECEIVABLE or not open_now:
            return False
        _receive_lines(
            order,
            actor=None,
            shipment_no=shipment_no,
            quantities=None,
            note="发货满 7 天，系统自动确认收货",
        )
    return True
