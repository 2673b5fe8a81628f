"""Cancellations that an account may see, and the preview of a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from apps.aftersales.deadlines import decide_within
from apps.aftersales.enums import CancelAction, CancelStatus
from apps.aftersales.errors import CancelOrderNotFound, CancelPending
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.common.days import filter_days
from apps.common.events import list_events
from apps.common.models import Event
from apps.common.money import ZERO
from apps.common.queries import count_states
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import list_visible_orders
from apps.orders.selectors.order_reduction import (
    ReducedOrder,
    get_reduced_order,
    is_cancelled_at_once,
    refuse_part,
)
from apps.orders.selectors.payments import sum_paid, sum_returned_amount
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class CancelFilter:
    """Filter of the list. `since` and `until` are days in Shanghai, both inclusive."""

    keyword: str = ""
    status: str = ""
    since: date | None = None
    until: date | None = None
    order_no: str = ""


@dataclass(frozen=True, slots=True)
class CancelDetail:
    """One cancellation with its timeline."""

    cancel: CancelOrder
    timeline: list[Event]


def list_visible_cancels(*, actor: Account) -> QuerySet[CancelOrder]:
    """Return the cancellations of orders in the actor's data scope."""
    scope = scope_filter(
        actor=actor, menu=MenuCode.ORDER_CANCEL, prefix="order__", account="requester"
    )
    queryset: QuerySet[CancelOrder] = CancelOrder.objects.filter(scope)
    return queryset


def list_cancels(*, actor: Account, filters: CancelFilter) -> QuerySet[CancelOrder]:
    """Return the cancellations that match the filter, newest first, with orders, requesters and
    lines.
    """
    queryset = _filter_cancels(actor, filters)
    if filters.status:
        queryset = queryset.filter(status=filters.status)
    return queryset.select_related("order", "requester").prefetch_related(_prefetch_lines())


def count_cancels_by_status(*, actor: Account, filters: CancelFilter) -> dict[str, int]:
    """Return the number of matching cancellations by state, and of all under "". One query."""
    return count_states(_filter_cancels(actor, filters), CancelStatus.values)


def get_cancel(*, actor: Account, cancel_id: int) -> CancelDetail:
    """Return one cancellation with its timeline.

    Raises:
        CancelOrderNotFound: the actor cannot see a cancellation with this number.
    """
    cancels = list_visible_cancels(actor=actor).filter(pk=cancel_id)
    cancel = (
        cancels.select_related("order", "requester").prefetch_related(_prefetch_lines()).first()
    )
    if cancel is None:
        raise CancelOrderNotFound
    return CancelDetail(cancel, list(list_events(cancel)))


def get_cancel_actions(*, actor: Account, cancel: CancelOrder) -> list[str]:
    """Return the codes of the actions that the actor may take now."""
    is_open = cancel.status == CancelStatus.PENDING and may_change(actor=actor, order=cancel.order)
    return [CancelAction.WITHDRAW.value] if is_open else []


def list_waiting_cancels() -> QuerySet[CancelOrder]:
    """Return the pending cancellations, nearest deadline first."""
    queryset: QuerySet[CancelOrder] = CancelOrder.objects.filter(status=CancelStatus.PENDING)
    return queryset.order_by("decide_by", "pk")


def list_overdue_cancels() -> QuerySet[CancelOrder]:
    """Return the pending cancellations past their deadline."""
    return list_waiting_cancels().filter(decide_by__lte=timezone.now())


def _prefetch_lines() -> Prefetch[str]:
    return Prefetch(
        "lines", CancelOrderLine.objects.select_related("order_line").order_by("order_line__no")
    )


def _filter_cancels(actor: Account, filters: CancelFilter) -> QuerySet[CancelOrder]:
    """Return the requests that the actor can see and the filters select. The keyword is part of
    a number or a name, or a product code.
    """
    queryset = list_visible_cancels(actor=actor)
    if filters.keyword:
        text = filters.keyword
        line_matches = (
            Q(order_line__name__icontains=text)
            | Q(order_line__customer_name__icontains=text)
            | Q(order_line__product_code=text)
        )
        lines = CancelOrderLine.objects.filter(line_matches)
        numbers = Q(cancel_no__icontains=text) | Q(order__order_no__icontains=text)
        queryset = queryset.filter(numbers | Q(pk__in=lines.values("cancel_order")))
    if filters.order_no:
        queryset = queryset.filter(order__order_no=filters.order_no)
    return queryset.filter(filter_days("submitted_at", filters.since, filters.until))


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


def get_cancel_preview(
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
        list_visible_orders(actor=actor)
        .select_related("budget_reservation__budget")
        .filter(order_no=order_no)
        .first()
    )
    if order is None:
        raise OrderNotFound
    if not may_change(actor=actor, order=order):
        raise NotYourOrder
    return build_cancel_preview(order=order, pieces=pieces)


def build_cancel_preview(*, order: Order, pieces: Mapping[int, int] | None) -> CancelPreview:
    """Return the preview for an order that is already loaded or locked."""
    refuse_second(order)
    refuse_part(order, is_whole=True)
    reduced = get_reduced_order(order=order, pieces=pieces)
    refuse_part(order, is_whole=reduced.is_whole)
    refund = max(sum_paid(order) - (reduced.total - sum_returned_amount(reduced.lines)), ZERO)
    decide_by = None if is_cancelled_at_once(order) else timezone.now() + decide_within()
    return CancelPreview(order, list(order.lines.order_by("no")), reduced, refund, decide_by)


def refuse_second(order: Order) -> None:
    """Refuse a second request while one is pending.

    Raises:
        WrongState: the message has the number of the pending request.
    """
    pending_no = (
        CancelOrder.objects.filter(order=order, status=CancelStatus.PENDING)
        .values_list("cancel_no", flat=True)
        .first()
    )
    if pending_no:
        raise CancelPending(pending_no)
