"""Preview of a cancellation: the lines that can still be cancelled, and the order after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.aftersales.cancel_enums import CancelStatus
from apps.aftersales.cancel_time import decide_within
from apps.aftersales.models import CancelOrder
from apps.common.errors import WrongState
from apps.common.money import ZERO
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_reduction import (
    ReducedOrder,
    is_cancelled_at_once,
    order_reduced,
    refuse_part,
)
from apps.orders.selectors.payments import paid_for
from apps.orders.selectors.scope import orders_visible
from apps.orders.settlement import gone_back_of

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class CancelPreview:
    """The order before and after the cancellation. `refund` is the money that would be paid
    back, in 元 含税.

    `decide_by` is the deadline of staff for a request made now, None if the order is cancelled at
    once.
    """

    order: Order
    lines: list[OrderLine]
    reduced: ReducedOrder
    refund: Decimal
    decide_by: datetime | None


def cancel_preview(
    *, actor: Account, order_no: str, pieces: Mapping[int, int] | None
) -> CancelPreview:
    """Return the effect of cancelling the pieces ({order line pk: pieces}; None: everything
    possible). Writes nothing.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see or change the order.
        WrongState, ValidationFailed, QuantityExceeded, QuantityIllegal: `cancel_apply` would refuse
            the request.
    """
    order = (
        orders_visible(actor=actor)
        .select_related("budget_reservation__budget")
        .filter(order_no=order_no)
        .first()
    )
    if order is None:
        raise OrderNotFound
    if not may_change(actor=actor, order=order):
        raise NotYourOrder
    return preview_of(order=order, pieces=pieces)


def preview_of(*, order: Order, pieces: Mapping[int, int] | None) -> CancelPreview:
    """Return the preview for an order that is already loaded or locked."""
    refuse_second(order)
    refuse_part(order, is_whole=True)
    reduced = order_reduced(order=order, pieces=pieces)
    refuse_part(order, is_whole=reduced.is_whole)
    refund = max(paid_for(order) - (reduced.total - gone_back_of(reduced.lines)), ZERO)
    decide_by = None if is_cancelled_at_once(order) else timezone.now() + decide_within()
    return CancelPreview(order, list(order.lines.order_by("no")), reduced, refund, decide_by)


def refuse_second(order: Order) -> None:
    """Refuse a second request while one is pending.

    Raises:
        WrongState: the message has the number of the pending request.
    """
    waiting = (
        CancelOrder.objects.filter(order=order, status=CancelStatus.PENDING)
        .values_list("cancel_no", flat=True)
        .first()
    )
    if waiting:
        raise WrongState(f"该订单已有待处理的取消申请 {waiting}，请等待客服处理，或先撤销该申请")
