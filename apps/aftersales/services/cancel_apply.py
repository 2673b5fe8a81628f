"""Create cancellations. A customer cancels an order or pieces of it: an unconfirmed order is
cancelled at once, otherwise staff decide. Orders that were cancelled elsewhere are recorded too,
so that the list 取消订单 is complete.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.aftersales.selectors.cancels import CancelPreview, preview_of
from apps.aftersales.services.cancel_flow import cancel_record
from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, yuan
from apps.common.numbers import document_number
from apps.common.tenancy import platform_scope
from apps.orders.errors import OrderNotFound
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order
from apps.orders.selectors.payments import refunded_for
from apps.orders.services.cancellations import order_pieces_cancel, pieces_hold
from apps.org.models import Account

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class CancelForm:
    """The pieces to cancel ({order line pk: pieces}; None: everything possible) and the reason."""

    order_no: str
    reason_kind: str
    reason: str = ""
    pieces: Mapping[int, int] | None = None

    @property
    def words(self) -> str:
        """The reason in one line of text."""
        named = str(CancelReason(self.reason_kind).label)
        return f"{named}：{self.reason}" if self.reason else named


@transaction.atomic
def cancel_apply(*, actor: Account, form: CancelForm) -> CancelOrder:
    """Return the new cancellation. It is done at once, or it waits for staff and its pieces
    cannot be shipped meanwhile.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see or change the order.
        WrongState: the order's state does not allow it, or another request is pending.
        ValidationFailed, QuantityExceeded, QuantityIllegal: the reason or a quantity is invalid.
    """
    if form.reason_kind == CancelReason.OTHER and not form.reason:
        raise ValidationFailed({"Reason": ["请填写取消原因"]})
    order = lock_own_order(actor=actor, order_no=form.order_no)
    preview = preview_of(order=order, pieces=form.pieces)
    cancel = _created(order, preview, actor, form)
    if preview.decide_by is None:
        done = order_pieces_cancel(
            order,
            actor=actor,
            pieces=preview.reduced.pieces,
            reason=form.words,
            reference=cancel.cancel_no,
        )
        cancel.refund_amount = done.refunded
        cancel_record(cancel, actor=actor, kind=CancelEventKind.DONE, before="", reason=form.words)
    else:
        pieces_hold(order, preview.reduced.pieces)
        cancel_record(cancel, actor=actor, kind=CancelEventKind.ASKED, before="", reason=form.words)
    return cancel


def _created(order: Order, preview: CancelPreview, actor: Account, form: CancelForm) -> CancelOrder:
    now, reduced = timezone.now(), preview.reduced
    cancel: CancelOrder = CancelOrder.objects.create(
        group_id=order.group_id,
        cancel_no=secrets.token_hex(12),
        order=order,
        requester=actor,
        status=CancelStatus.PENDING if preview.decide_by else CancelStatus.DONE,
        reason_kind=form.reason_kind,
        reason=form.reason,
        is_whole=reduced.is_whole,
        goods_amount=reduced.cancelled_goods,
        freight_before=order.freight_amount,
        freight_after=reduced.freight,
        total_before=order.total_amount,
        total_after=reduced.total,
        refund_amount=preview.refund,
        submitted_at=now,
        decide_by=preview.decide_by,
        decided_at=None if preview.decide_by else now,
    )
    cancel.cancel_no = document_number("QX", pk=cancel.pk, at=now)
    cancel.save(update_fields=["cancel_no"])
    prices = {line.pk: line.unit_price_incl_tax for line in reduced.lines}
    CancelOrderLine.objects.bulk_create(
        _line(cancel, pk, number, prices[pk]) for pk, number in reduced.pieces.items()
    )
    return cancel


def _line(
    cancel: CancelOrder, order_line_id: int, quantity: int, price: Decimal
) -> CancelOrderLine:
    amount: Any = yuan(price * quantity)
    return CancelOrderLine(
        group_id=cancel.group_id,
        cancel_order=cancel,
        order_line_id=order_line_id,
        quantity=quantity,
        amount_incl_tax=amount,
    )


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
