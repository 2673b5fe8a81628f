"""Record money that arrived outside the gateway: 公司转账, 货到付款, the settlement of 月结."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.errors import Stale, ValidationFailed, WrongState
from apps.common.money import ZERO, yuan
from apps.common.tenancy import tenant_scope
from apps.orders.enums import OrderEventKind, PaymentKind, PaymentStatus
from apps.orders.locks import lock_order
from apps.orders.models import Order, Payment
from apps.orders.numbers import payment_number
from apps.orders.selectors.payments import left_to_pay
from apps.orders.services.moves import order_record, wrong_state
from apps.orders.services.order_settle import order_settle
from apps.orders.settlement import UNPAYABLE

if TYPE_CHECKING:
    from apps.org.models import Account


def payment_record(
    *,
    actor: Account,
    order_id: int,
    amount: Decimal,
    reference: str = "",
    paid_at: datetime | None = None,
    left_seen: Decimal | None = None,
) -> Payment:
    """Return the recorded payment of `amount` 元 and update the settlement status. `paid_at`
    defaults to now.

    Raises:
        Stale: the amount left to pay differs from `left_seen`. None skips this check.
        WrongState: the order is paid online, or has ended unpaid, or is not approved yet.
        ValidationFailed: not above zero, or more than is left to pay.
    """
    found = Order.objects.only("order_no", "group_id").get(pk=order_id)
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        order = lock_order(order_no=found.order_no)
        _check(order, amount=amount, left_seen=left_seen)
        payment: Payment = Payment.objects.create(
            group_id=order.group_id,
            order=order,
            payment_no=payment_number(order_no=order.order_no),
            kind=order.payment_kind,
            amount=yuan(amount),
            status=PaymentStatus.PAID,
            paid_at=paid_at or timezone.now(),
        )
        order_settle(order)
        note = f"{order.get_payment_kind_display()} {amount:,.2f} 元" + (
            f"，凭证 {reference}" if reference else ""
        )
        order_record(
            order,
            actor=actor,
            kind=OrderEventKind.PAYMENT_RECORDED,
            before=order.status,
            reason=note,
        )
    return payment


def _check(order: Order, *, amount: Decimal, left_seen: Decimal | None) -> None:
    if order.status in UNPAYABLE:
        raise wrong_state(order, "登记收款")
    if order.payment_kind == PaymentKind.ONLINE:
        raise WrongState("在线支付的订单由支付渠道通知到账，不能手工登记")
    left = left_to_pay(order)
    if left_seen is not None and left_seen != left:
        raise Stale(
            f"未结金额已由 {left_seen:,.2f} 元变为 {left:,.2f} 元，可能已有人登记，"
            "请刷新页面核对后再登记"
        )
    if not ZERO < amount <= left:
        raise ValidationFailed({"amount": [f"金额须大于 0 且不超过未结金额 {left:,.2f} 元"]})
