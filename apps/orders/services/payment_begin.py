"""Start the online payment of an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.common.errors import WrongState
from apps.orders.enums import OrderStatus, PaymentKind, PaymentStatus, SettlementStatus
from apps.orders.gateways import DEFAULT_GATEWAY, gateway_named
from apps.orders.locks import lock_own_order
from apps.orders.models import Payment
from apps.orders.services.moves import wrong_state
from apps.orders.services.payment_open import payment_open

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def payment_begin(*, actor: Account, order_no: str) -> tuple[Payment, str]:
    """Return the payment and the URL path where the buyer pays. Reuses an open payment, or
    opens a new one after a failure.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: it has another kind of payment, is paid already, or is not 待确认.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    if order.payment_kind != PaymentKind.ONLINE:
        raise WrongState(f"订单付款方式为{order.get_payment_kind_display()}，无需在线支付")
    if order.status != OrderStatus.PENDING_CONFIRM:
        raise wrong_state(order, "支付")
    if order.settlement_status == SettlementStatus.DONE:
        raise WrongState("订单已支付，请勿重复支付")
    gateway = gateway_named(DEFAULT_GATEWAY)
    payment = order.payments.filter(status=PaymentStatus.PENDING).first() or payment_open(
        order=order
    )
    return payment, gateway.pay_path(payment_no=payment.payment_no)
