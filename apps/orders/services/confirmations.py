"""Confirmations: staff confirm an order before they ship it, one by one or in a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.errors import DomainError
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentKind, SettlementStatus
from apps.orders.errors import OnlinePaymentMissing
from apps.orders.locks import locked_order
from apps.orders.models import Order
from apps.orders.services.transitions import BatchOutcome, order_record, order_transition

if TYPE_CHECKING:
    from apps.org.models import Account


def order_confirm(*, actor: Account, order_id: int) -> Order:
    """Move an order from 待确认 to 待发货.

    Raises:
        WrongState: it is not 待确认, or its online payment is missing.
    """
    with locked_order(order_id=order_id) as order:
        unpaid = (
            order.payment_kind == PaymentKind.ONLINE
            and order.settlement_status != SettlementStatus.DONE
        )
        if unpaid and order.status == OrderStatus.PENDING_CONFIRM:
            raise OnlinePaymentMissing
        before = order_transition(order, "confirm", "确认", at=timezone.now())
        order_record(order, actor=actor, kind=OrderEventKind.CONFIRMED, before=before)
    return order


def orders_confirm(*, actor: Account, order_ids: Sequence[int]) -> list[BatchOutcome]:
    """Confirm each of the orders. Return the results in the given order. The caller must open the
    platform scope.
    """
    outcomes = []
    numbers = dict(Order.objects.filter(pk__in=order_ids).values_list("pk", "order_no"))
    for order_id in order_ids:
        try:
            order_confirm(actor=actor, order_id=order_id)
            outcomes.append(
                BatchOutcome(
                    order_no=numbers[order_id], success=True, code="ok", message="已确认，待发货"
                )
            )
        except DomainError as error:
            outcomes.append(
                BatchOutcome(
                    order_no=numbers[order_id], success=False, code=error.code, message=error.text
                )
            )
    return outcomes
