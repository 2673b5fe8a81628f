"""Cancellation requests for open orders of the demo, in every state: waiting, granted, refused,
withdrawn.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from apps.aftersales.enums import CancelReason
from apps.aftersales.services.cancel_apply import (
    ORDER_CANCELLED,
    CancelForm,
    cancel_apply,
    handle_order_cancelled,
)
from apps.aftersales.services.cancel_decide import cancel_grant, cancel_refuse, cancel_withdraw
from apps.common.errors import DomainError
from apps.common.models import OutboxMessage
from apps.common.tenancy import tenant_scope
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.org.models import Account
from demo.load.clock import clock_at

STAFF = "ops.kefu"
# Final state of each request. The last ones wait for staff.
FATES = ("granted", "refused", "withdrawn", "waiting", "waiting")
WORDS = ("部门人数减少，用不了这么多", "改由分公司采购", "", "上次的还没用完", "")


def load_cancellations(now: datetime, chance: random.Random) -> str:
    """Record the cancelled orders of the history, and request cancellations of orders that wait
    for shipment. Return a summary in Chinese.
    """
    expected_text = 0
    for message in OutboxMessage.objects.filter(topic=ORDER_CANCELLED).order_by(
        "available_at", "id"
    ):
        with tenant_scope(group_id=message.group_id or 0), clock_at(message.available_at):
            handle_order_cancelled(message.key, message.payload)
            expected_text += 1
    staff = Account.objects.get(username=STAFF)
    waiting = (
        Order.objects.filter(status=OrderStatus.PENDING_SHIPMENT)
        .exclude(requester__username="buyer")
        .select_related("requester")
    )
    text = 0
    for fate, words, order in zip(FATES, WORDS, waiting.order_by("pk"), strict=False):
        with tenant_scope(group_id=order.group_id):
            text += _play_story(
                fate, words, order, staff, now - timedelta(hours=chance.uniform(3, 8)), chance
            )
    return f"{expected_text} 笔已取消，{text} 笔申请"


def _play_story(
    fate: str, words: str, order: Order, staff: Account, at: datetime, chance: random.Random
) -> bool:
    """Request the cancellation of one order line, and apply its fate one hour later. Return
    False if a service refuses.
    """
    line = order.lines.order_by("-no")[0]
    kind = chance.choice(
        (CancelReason.PLAN_CHANGED, CancelReason.UNWANTED, CancelReason.WRONG_CHOICE)
    )
    at = max(at, (order.confirmed_at or at) + timedelta(minutes=10))
    try:
        with clock_at(at):
            cancel = cancel_apply(
                actor=order.requester,
                form=CancelForm(order.order_no, kind, words, {line.pk: line.unshipped}),
            )
        with clock_at(at + timedelta(hours=1)):
            if fate == "granted":
                cancel_grant(actor=staff, cancel_id=cancel.pk, note="已通知仓库停止配货")
            if fate == "refused":
                cancel_refuse(actor=staff, cancel_id=cancel.pk, reason="商品已打包待出库，无法取消")
            if fate == "withdrawn":
                cancel_withdraw(actor=order.requester, cancel_id=cancel.pk)
    except DomainError:
        return False
    return True
