"""Cancel orders: the whole order before shipping, or pieces of it. The requester can also withdraw
an order that waits for approval.

The lock order is in docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, F, Min, Q, Sum
from django.utils import timezone

from apps.approvals.services.approval_flow import approval_withdraw
from apps.budgets.services.budget_moves import budget_consume
from apps.catalog.services.stock import stock_release
from apps.common.background.periodic import run_for_each
from apps.common.money import ZERO
from apps.common.tenancy import tenant_scope
from apps.orders.enums import (
    OrderApprovalStatus,
    OrderEventKind,
    OrderStatus,
    PaymentKind,
    PaymentStatus,
    SettlementStatus,
)
from apps.orders.errors import CancellationWaits
from apps.orders.locks import lock_order, lock_own_order, locked_order
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import PAY_WITHIN, SUBJECT_TYPE
from apps.orders.selectors.order_reduction import ReducedOrder, get_reduced_order, refuse_part
from apps.orders.selectors.payments import compute_order_due, sum_paid
from apps.orders.services.allocations import allocations_rescale
from apps.orders.services.budget_use import order_budgets_reduce, order_budgets_release
from apps.orders.services.payments import order_settle, payment_open, payment_refund, payments_close
from apps.orders.services.transitions import order_amounts_save, order_record, order_transition
from apps.orders.states import ORDERS
from apps.requisitions.services.requisition_order import requisitions_free

if TYPE_CHECKING:
    from apps.org.models import Account

UNPAID = "超过 24 小时未支付，系统自动取消"

S = OrderStatus
MAX_NAMED_LINES = 10


@transaction.atomic
def order_cancel(*, actor: Account, order_no: str, reason: str) -> Order:
    """Cancel an order that the staff have not confirmed, and return it. Releases its stock and
    its budget reservation.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: it has ended already, is confirmed, or something of it has shipped.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    if order.status == OrderStatus.PENDING_SHIPMENT:
        # After the confirmation, staff decide on a cancellation request.
        raise ORDERS.build_wrong_state(order, "直接取消")
    return order_end(order, actor=actor, reason=reason)


def order_cancel_by_staff(*, actor: Account, order_id: int, reason: str) -> Order:
    """Cancel an order of which nothing has shipped, on behalf of the customer.

    Raises:
        WrongState: it has ended already, something of it has shipped, or a cancellation request of
            the customer is open.
    """
    with locked_order(order_id=order_id) as order:
        if order.lines.filter(cancelling_quantity__gt=0).exists():
            raise CancellationWaits
        return order_end(order, actor=actor, reason=reason)


def order_end(order: Order, *, actor: Account | None, reason: str) -> Order:
    """Cancel a locked order as a whole and return it. Ends its approval, releases budget and
    stock, and refunds its payments. The lines stay.
    """
    was_in_approval = order.approval_status == OrderApprovalStatus.PENDING
    before = order_transition(order, "cancel", "取消")
    if was_in_approval:
        approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=order.pk)
    order_release(order, actor=actor, note="取消订单")
    payments_close(order, actor=actor)
    order_record(order, actor=actor, kind=OrderEventKind.CANCELLED, before=before, reason=reason)
    return order


def orders_cancel_unpaid() -> int:
    """Cancel online orders without payment after 24 hours, each in its own transaction. Return
    the number of cancelled orders.

    The caller must open the platform scope.
    """
    late = (
        Order.objects.filter(status=OrderStatus.PENDING_CONFIRM, payment_kind=PaymentKind.ONLINE)
        .exclude(settlement_status=SettlementStatus.DONE)
        .annotate(payable_since=Min("payments__created_at"))
        .filter(payable_since__lt=timezone.now() - PAY_WITHIN)
    )
    return run_for_each(late.order_by("pk").values_list("order_no", "group_id"), _cancel_unpaid)


def _cancel_unpaid(order_no: str, group_id: int) -> bool:
    """Cancel the order. Return False if it was paid or cancelled in the meantime."""
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        # A concurrent transaction has paid or cancelled the order.
        if (
            order.status != OrderStatus.PENDING_CONFIRM
            or order.settlement_status == SettlementStatus.DONE
        ):
            return False
        order_end(order, actor=None, reason=UNPAID)
    return True


@transaction.atomic
def order_withdraw(*, actor: Account, order_no: str, reason: str = "") -> Order:
    """Move an order from 待审批 to 已撤回 and return it. Releases its budget and its stock.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: it is no longer waiting for approval.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    before = order_transition(order, "withdraw", "撤回")
    approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=order.pk)
    order_release(order, actor=actor, note="撤回订单")
    order_record(order, actor=actor, kind=OrderEventKind.WITHDRAWN, before=before, reason=reason)
    return order


def order_release(order: Order, *, actor: Account | None, note: str) -> None:
    """Release everything that a locked, unshipped order holds. Its requisition lines wait for a
    buyer again.
    """
    order_budgets_release(order, actor=actor, note=note)
    reserved_lines = list(
        order.lines.filter(quantity__gt=0)
        .order_by()
        .values("product_id")
        .annotate(
            pieces=Sum("quantity"), for_requisitions=Count("pk", filter=~Q(requisition_no=""))
        )
    )
    stock_release(
        lines={row["product_id"]: row["pieces"] for row in reserved_lines}, reference=order.order_no
    )
    if any(row["for_requisitions"] for row in reserved_lines):
        requisitions_free(actor=actor, order_no=order.order_no)


def pieces_hold(order: Order, pieces: Mapping[int, int]) -> None:
    """Hold pieces of a locked order, given by order line pk. A CHECK constraint limits them to
    the unshipped quantity.
    """
    for pk, number in sorted(pieces.items()):
        OrderLine.objects.filter(order=order, pk=pk).update(
            cancelling_quantity=F("cancelling_quantity") + number
        )


def pieces_free(order: Order, pieces: Mapping[int, int]) -> None:
    """Release held pieces of a locked order for shipping."""
    for pk, number in sorted(pieces.items()):
        OrderLine.objects.filter(order=order, pk=pk).update(
            cancelling_quantity=F("cancelling_quantity") - number
        )


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
        ValidationFailed, QuantityExceeded, QuantityIllegal: as `get_reduced_order`.
    """
    reduced = get_reduced_order(order=order, pieces=pieces, held=held)
    refuse_part(order, is_whole=reduced.is_whole)
    paid_amount = sum_paid(order)
    if reduced.is_whole:
        pieces_free(order, held or {})
        order_end(order, actor=actor, reason=reason)
        return CancelledPart(reduced, paid_amount)
    freed = order.total_amount - reduced.total
    _write_reduction(order, reduced)
    order_budgets_reduce(order, actor=actor, lines=reduced.lines, amount=freed, note="取消部分商品")
    stock_release(lines=reduced.released_pieces, reference=order.order_no)
    refunded = _refund_overpaid(order, paid_amount, actor=actor, reference=reference)
    before = order.status
    _advance_state(order, reduced.lines, actor=actor)
    data = {
        "reference": reference,
        "lines": {str(pk): number for pk, number in reduced.pieces.items()},
        "total": str(reduced.total),
    }
    note = _describe_reduction(reduced, freed, reason)
    order_record(
        order,
        actor=actor,
        kind=OrderEventKind.PARTLY_CANCELLED,
        before=before,
        reason=note,
        data=data,
    )
    return CancelledPart(reduced, refunded)


def _write_reduction(order: Order, reduced: ReducedOrder) -> None:
    """Save the reduced lines, their allocations and the amounts of the order."""
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
    allocations_rescale(order, lines=reduced.lines, freight=reduced.freight)
    order_amounts_save(order, goods=reduced.goods, freight=reduced.freight, tax=reduced.tax)


def _refund_overpaid(
    order: Order, paid_amount: Decimal, *, actor: Account | None, reference: str
) -> Decimal:
    """Refund the amount paid above the amount due, and return it in 元. An open online payment
    is closed and opened again with the new total.
    """
    pending_payments = order.payments.filter(status=PaymentStatus.PENDING)
    if pending_payments.update(status=PaymentStatus.CLOSED, updated_at=timezone.now()):
        payment_open(order=order)
    refunded, due = ZERO, compute_order_due(order, order.lines.all())
    if paid_amount > due:
        refunded = payment_refund(
            order, actor=actor, amount=paid_amount - due, note="取消部分商品", reference=reference
        )
    order_settle(order)
    return refunded


def _advance_state(order: Order, lines: list[OrderLine], *, actor: Account | None) -> None:
    """Move a partly shipped order on if nothing is left to ship: to 待收货, or to complete if all
    pieces are received.
    """
    if order.status != S.PARTLY_SHIPPED or any(
        line.shipped_quantity < line.quantity for line in lines
    ):
        return
    order_transition(order, "rest_cancelled", "取消")
    if all(line.received_quantity == line.quantity for line in lines):
        order_transition(order, "complete", "取消", at=timezone.now())
        # Each receipt consumed the budget of its goods. The freight belongs to the last receipt.
        budget_consume(
            actor=actor, reservation=order.budget_reservation, amount=order.freight_amount
        )


def _describe_reduction(reduced: ReducedOrder, freed: Decimal, reason: str) -> str:
    """Return the note of a partial cancellation for the order's log. `freed`: by how many 元 the
    order is smaller.
    """
    line_texts = [
        f"{line.customer_name or line.name} {reduced.pieces[line.pk]} {line.unit}"
        for line in reduced.lines
        if line.pk in reduced.pieces
    ]
    more = f"等 {len(line_texts)} 项" if len(line_texts) > MAX_NAMED_LINES else ""
    return (
        f"应付减少 ¥{freed:,.2f}；原因：{reason}；{'，'.join(line_texts[:MAX_NAMED_LINES])}{more}"
    )
