"""Create cancellations. A customer cancels an order or pieces of it: an unconfirmed order is
cancelled at once, otherwise staff decide. Orders that were cancelled elsewhere are recorded too,
so that the list 取消订单 is complete.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.errors import CancelReasonMissing
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.aftersales.selectors.cancels import CancelPreview, build_cancel_preview
from apps.aftersales.services.cancel_decide import cancel_reason_text, cancel_record
from apps.common.money import ZERO, round_yuan
from apps.common.numbers import format_document_number
from apps.common.tenancy import platform_scope
from apps.orders.errors import OrderNotFound
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order
from apps.orders.selectors.order_reduction import ReducedOrder
from apps.orders.selectors.payments import sum_refunded
from apps.orders.services.cancellations import order_pieces_cancel, pieces_hold
from apps.org.models import Account

# The topic of `handle_order_cancelled`.
ORDER_CANCELLED = "order.cancelled"


@dataclass(frozen=True, slots=True)
class CancelForm:
    """The pieces to cancel ({order line pk: pieces}; None: everything possible) and the reason."""

    order_no: str
    reason_kind: str
    reason: str = ""
    pieces: Mapping[int, int] | None = None

    @property
    def reason_text(self) -> str:
        """The reason in one line of text."""
        return cancel_reason_text(self.reason_kind, self.reason)


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
        raise CancelReasonMissing
    order = lock_own_order(actor=actor, order_no=form.order_no)
    preview = build_cancel_preview(order=order, pieces=form.pieces)
    cancel = _create_from_form(order, preview, actor=actor, form=form)
    if preview.decide_by is None:
        outcome = order_pieces_cancel(
            order,
            actor=actor,
            pieces=preview.reduced.pieces,
            reason=form.reason_text,
            reference=cancel.cancel_no,
        )
        cancel.refund_amount = outcome.refunded
        kind = CancelEventKind.DONE
    else:
        pieces_hold(order, preview.reduced.pieces)
        kind = CancelEventKind.ASKED
    cancel_record(cancel, actor=actor, kind=kind, before="", reason=form.reason_text)
    return cancel


def cancel_by_staff(
    order: Order, *, actor: Account, reduced: ReducedOrder, reason: str
) -> CancelOrder:
    """Cancel pieces of a locked order for the customer, and return the finished cancellation. It
    has no requester. The requester of the order is notified.
    """
    now = timezone.now()
    cancel = _cancel_create(
        order,
        lines=_get_line_amounts(reduced),
        requester=None,
        status=CancelStatus.DONE,
        reason_kind=CancelReason.OTHER,
        reason=reason,
        is_whole=False,
        goods_amount=reduced.cancelled_goods,
        freight_after=reduced.freight,
        total_after=reduced.total,
        refund_amount=ZERO,
        submitted_at=now,
        decided_at=now,
        decided_by=actor,
    )
    outcome = order_pieces_cancel(
        order, actor=actor, pieces=reduced.pieces, reason=reason, reference=cancel.cancel_no
    )
    cancel.refund_amount = outcome.refunded
    cancel_record(cancel, actor=actor, kind=CancelEventKind.DONE, before="", reason=reason)
    return cancel


def _get_line_amounts(reduced: ReducedOrder) -> dict[int, tuple[int, Decimal]]:
    """Return {order line pk: (cancelled pieces, their amount in 元 含税)}."""
    prices = {line.pk: line.unit_price_incl_tax for line in reduced.lines}
    return {pk: (pieces, round_yuan(prices[pk] * pieces)) for pk, pieces in reduced.pieces.items()}


def _create_from_form(
    order: Order, preview: CancelPreview, *, actor: Account, form: CancelForm
) -> CancelOrder:
    """Save the cancellation of the form with the amounts of the preview. It is PENDING if staff
    decide.
    """
    reduced = preview.reduced
    now = timezone.now()
    return _cancel_create(
        order,
        lines=_get_line_amounts(reduced),
        requester=actor,
        status=CancelStatus.PENDING if preview.decide_by else CancelStatus.DONE,
        reason_kind=form.reason_kind,
        reason=form.reason,
        is_whole=reduced.is_whole,
        goods_amount=reduced.cancelled_goods,
        freight_after=reduced.freight,
        total_after=reduced.total,
        refund_amount=preview.refund,
        submitted_at=now,
        decide_by=preview.decide_by,
        decided_at=None if preview.decide_by else now,
    )


def _cancel_create(
    order: Order, *, lines: Mapping[int, tuple[int, Decimal]], **values: Any
) -> CancelOrder:
    """Save and return a cancellation with its lines: {order line pk: (pieces, amount in 元 含税)}.
    The amounts before the cancellation are the order's current ones.
    """
    cancel: CancelOrder = CancelOrder.objects.create(
        group_id=order.group_id,
        cancel_no=secrets.token_hex(12),
        order=order,
        freight_before=order.freight_amount,
        total_before=order.total_amount,
        **values,
    )
    cancel.cancel_no = format_document_number("QX", pk=cancel.pk, at=cancel.submitted_at)
    cancel.save(update_fields=["cancel_no"])
    CancelOrderLine.objects.bulk_create(
        CancelOrderLine(
            group_id=order.group_id,
            cancel_order=cancel,
            order_line_id=pk,
            quantity=pieces,
            amount_incl_tax=amount,
        )
        for pk, (pieces, amount) in lines.items()
    )
    return cancel


def handle_order_cancelled(key: str, payload: dict[str, Any]) -> None:
    """Outbox `order.cancelled`: record the cancellation of a whole order. Does nothing if there
    is one already, so the message may repeat.
    """
    with transaction.atomic():
        try:
            order = lock_order(order_no=key)
        except OrderNotFound:
            return
        cancellations = CancelOrder.objects.filter(
            order=order, is_whole=True, status=CancelStatus.DONE
        )
        if not cancellations.exists():
            _record_cancelled(order, payload)


def _record_cancelled(order: Order, payload: dict[str, Any]) -> None:
    """Save a finished cancellation with all lines of a cancelled order. If a member of the staff
    cancelled it, the cancellation has no requester.
    """
    actor: Account | None = None
    if payload.get("actor_id"):
        with platform_scope(reason="the actor may belong to the staff"):
            actor = Account.objects.filter(pk=payload["actor_id"]).first()
    by_staff = actor is not None and actor.is_staff
    lines = order.lines.filter(quantity__gt=0).order_by("no")
    now = timezone.now()
    cancel = _cancel_create(
        order,
        lines={line.pk: (line.quantity, line.amount_incl_tax) for line in lines},
        requester=None if by_staff else actor,
        status=CancelStatus.DONE,
        reason_kind=CancelReason.OTHER,
        reason=str(payload.get("reason") or "")[:200],
        is_whole=True,
        goods_amount=order.goods_amount,
        freight_after=ZERO,
        total_after=ZERO,
        refund_amount=sum_refunded(order, reference=f"{order.order_no}-closed"),
        submitted_at=now,
        decided_at=now,
        decided_by=actor if by_staff else None,
    )
    cancel_record(cancel, actor=actor, kind=CancelEventKind.DONE, before="", reason=cancel.reason)
