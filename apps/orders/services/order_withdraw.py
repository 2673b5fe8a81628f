"""Withdraw an order that waits for approval. The requester does this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.approvals.services.approval_flow import approval_withdraw
from apps.orders.enums import OrderEventKind
from apps.orders.locks import lock_own_order
from apps.orders.models import Order
from apps.orders.selectors.scope import SUBJECT_TYPE
from apps.orders.services.moves import order_move, order_record
from apps.orders.services.order_release import order_release

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def order_withdraw(*, actor: Account, order_no: str, reason: str = "") -> Order:
    """Move an order from 待审批 to 已撤回 and return it. Releases its budget and its stock.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: it is no longer waiting for approval.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    before = order_move(order, "withdraw", "撤回")
    approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=order.pk)
    order_release(order, actor=actor, note="撤回订单")
    order_record(order, actor=actor, kind=OrderEventKind.WITHDRAWN, before=before, reason=reason)
    return order
