"""Cancel pieces of an order. Lines, amounts, budget, stock and payment follow. An order without
remaining pieces ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.budgets.services.budget_moves import budget_consume, budget_release
from apps.catalog.services.stock import stock_release
from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_reduction import ReducedOrder, order_reduced, refuse_part
from apps.orders.selectors.payments import paid_for
from apps.orders.services.moves import order_move, order_price, order_record
from apps.orders.services.order_cancel import order_end
from apps.orders.services.order_hold import pieces_free
from apps.orders.services.order_settle import order_settle
from apps.orders.services.payment_open import payment_open
from apps.orders.services.payment_refund import payment_refund
from apps.orders.settlement import order_due

if TYPE_CHECKING:
    from apps.org.models import Account

S = OrderStatus
MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class CancelledPart:
    """The result of a cancellation: the reduced order and the refunded amount, in 元."""

    reduced: ReducedOrder
    refunded: Decimal


def order_pieces_cancel(
    order: Order,
    *,
    actor: Account | None,
    pieces: Mapping[int, int] | None,
    reason: str,
    reference: str,
    held: Mapping[int, int] | None = None,
) -> CancelledPart:
    """Cancel pieces of a locked order and return the result. `pieces` is {order line pk:
    pieces}; None cancels everything that is left. `held` are the pieces that a request
    already holds.

    Raises:
        WrongState: the state of the order does not allow it.
        ValidationFailed, QuantityExceeded, QuantityIllegal: as `order_reduced`.
    """
    reduced = order_reduced(order=order, pieces=pieces, held=held)
    refuse_part(order, is_whole=reduced.is_whole)
    paid = paid_for(order)
    if reduced.is_whole:
        pieces_free(order, held or {})
        order_end(order, actor=actor, reason=reason)
        return CancelledPart(reduced, paid)
    freed = order.total_amount - reduced.total
    _written(order, reduced)
    if freed > ZERO:
        budget_release(
            actor=actor, reservation=order.budget_reservation, amount=freed, note="取消部分商品"
        )
    stock_release(lines=reduced.taken, reference=order.order_no)
    refunded = _money_back(order, paid, actor=actor, reference=reference)
    before = order.status
    _moved_on(order, reduced.lines, actor=actor)
    data = {
        "reference": reference,
        "lines": {str(pk): number for pk, number in reduced.pieces.items()},
        "total": str(reduced.total),
    }
    note = _note(reduced, freed, reason)
    order_record(
        order,
        actor=actor,
        kind=OrderEventKind.PARTLY_CANCELLED,
        before=before,
        reason=note,
        data=data,
    )
    return CancelledPart(reduced, refunded)


def _written(order: Order, reduced: ReducedOrder) -> None:
    fields = [
        "quantity",
        "cancelled_quantity",
        "cancelling_quantity",
        "amount_incl_tax",
        "tax_amount",
    ]
    OrderLine.objects.bulk_update(
        [line for line in reduced.lines if line.pk in reduced.pieces], fields
    )
    order_price(order, goods=reduced.goods, freight=reduced.freight, tax=reduced.tax)


def _money_back(order: Order, paid: Decimal, *, actor: Account | None, reference: str) -> Decimal:
    """Refund the amount paid above the amount due, and return it in 元. An open online payment
    is closed and opened again with the new total.
    """
    pending = order.payments.filter(status=PaymentStatus.PENDING)
    if pending.update(status=PaymentStatus.CLOSED, updated_at=timezone.now()):
        payment_open(order=order)
    refunded, due = ZERO, order_due(order, order.lines.all())
    if paid > due:
        refunded = payment_refund(
            order, actor=actor, amount=paid - due, note="取消部分商品", reference=reference
        )
    order_settle(order)
    return refunded


def _moved_on(order: Order, lines: list[OrderLine], *, actor: Account | None) -> None:
    """Move a partly shipped order on if nothing is left to ship: to 待收货, or to complete if all
    pieces are received.
    """
    if order.status != S.PARTLY_SHIPPED or any(
        line.shipped_quantity < line.quantity for line in lines
    ):
        return
    order_move(order, "rest_cancelled", "取消")
    if all(line.received_quantity == line.quantity for line in lines):
        order_move(order, "complete", "取消", at=timezone.now())
        # Each receipt consumed the budget of its goods. The freight belongs to the last receipt.
        budget_consume(
            actor=actor, reservation=order.budget_reservation, amount=order.freight_amount
        )


def _note(reduced: ReducedOrder, freed: Decimal, reason: str) -> str:
    named = [
        f"{line.customer_name or line.name} {reduced.pieces[line.pk]} {line.unit}"
        for line in reduced.lines
        if line.pk in reduced.pieces
    ]
    more = f"等 {len(named)} 项" if len(named) > MOST_NAMED else ""
    return f"应付减少 ¥{freed:,.2f}；原因：{reason}；{'，'.join(named[:MOST_NAMED])}{more}"
