"""Record orders that were cancelled elsewhere as cancellations, so that the list 取消订单 is
complete.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.aftersales.cancel_enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.aftersales.services.cancel_flow import cancel_record
from apps.common.money import ZERO
from apps.common.numbers import document_number
from apps.common.tenancy import platform_scope
from apps.orders.errors import OrderNotFound
from apps.orders.locks import lock_order
from apps.orders.models import Order
from apps.orders.selectors.payments import refunded_for
from apps.org.models import Account

LISTENS_TO = "order.cancelled"


def cancelled_handler(key: str, payload: dict[str, Any]) -> None:
    """Outbox `order.cancelled`: record the cancellation of a whole order. Does nothing if there
    is one already, so the message may repeat.
    """
    with transaction.atomic():
        try:
            order = lock_order(order_no=key)
        except OrderNotFound:
            return
        if not CancelOrder.objects.filter(
            order=order, is_whole=True, status=CancelStatus.DONE
        ).exists():
            _kept(order, payload)


def _kept(order: Order, payload: dict[str, Any]) -> None:
    now = timezone.now()
    with platform_scope(reason="who cancelled may be of the staff"):
        actor = (
            Account.objects.filter(pk=payload["actor_id"]).first()
            if payload.get("actor_id")
            else None
        )
    requester = actor if actor is not None and not actor.is_staff else None
    cancel = CancelOrder.objects.create(
        group_id=order.group_id,
        cancel_no=secrets.token_hex(12),
        order=order,
        requester=requester,
        status=CancelStatus.DONE,
        reason_kind=CancelReason.OTHER,
        reason=str(payload.get("reason") or "")[:200],
        is_whole=True,
        goods_amount=order.goods_amount,
        freight_before=order.freight_amount,
        freight_after=ZERO,
        total_before=order.total_amount,
        total_after=ZERO,
        refund_amount=refunded_for(order, reference=f"{order.order_no}-closed"),
        submitted_at=now,
        decided_at=now,
        decided_by=actor if actor is not None and actor.is_staff else None,
    )
    cancel.cancel_no = document_number("QX", pk=cancel.pk, at=now)
    cancel.save(update_fields=["cancel_no"])
    rows = order.lines.filter(quantity__gt=0).order_by("no")
    CancelOrderLine.objects.bulk_create(
        CancelOrderLine(
            group_id=order.group_id,
            cancel_order=cancel,
            order_line=line,
            quantity=line.quantity,
            amount_incl_tax=line.amount_incl_tax,
        )
        for line in rows
    )
    cancel_record(cancel, actor=actor, kind=CancelEventKind.DONE, before="", reason=cancel.reason)
