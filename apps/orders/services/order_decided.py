"""Apply the end of an approval to its order: approved or rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.orders.enums import OrderEventKind, PaymentKind
from apps.orders.models import Order
from apps.orders.services.moves import order_move, order_record
from apps.orders.services.order_release import order_release
from apps.orders.services.payment_open import payment_open

if TYPE_CHECKING:
    from apps.org.models import Account


def _locked(order_id: int) -> Order:
    order: Order = (
        Order.objects.select_for_update(of=("self",))
        .select_related("budget_reservation")
        .get(pk=order_id)
    )
    return order


@transaction.atomic
def order_approved(*, actor: Account | None, order_id: int) -> None:
    """Move an order from 待审批 to 待确认. Opens the payment of an order with online payment.

    Raises:
        WrongState: it is no longer 待审批.
    """
    order = _locked(order_id)
    before = order_move(order, "approve", "通过审批")
    if order.payment_kind == PaymentKind.ONLINE:
        payment_open(order=order)
    order_record(order, actor=actor, kind=OrderEventKind.APPROVED, before=before)


@transaction.atomic
def order_rejected(
    *, actor: Account, order_id: int, reason: str, acting_for: Account | None = None
) -> None:
    """Move an order from 待审批 to 审批驳回. Releases its budget and its stock.

    Raises:
        WrongState: it is no longer 待审批.
    """
    order = _locked(order_id)
    before = order_move(order, "reject", "驳回")
    order_release(order, actor=actor, note="审批驳回")
    order_record(
        order,
        actor=actor,
        kind=OrderEventKind.REJECTED,
        before=before,
        reason=reason,
        acting_for=acting_for,
    )
