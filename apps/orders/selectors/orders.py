"""The order list with its counted tabs, and one order whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.db.models import Case, CharField, Count, F, Prefetch, Q, QuerySet, Value, When

from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import approval_of
from apps.common.days import day_begins
from apps.common.events import events_of
from apps.common.models import Event
from apps.orders.enums import OrderStatus, PaymentKind, SettlementStatus
from apps.orders.errors import OrderNotFound
from apps.orders.models import Order, OrderLine, ShipmentLine, TrackingEvent
from apps.orders.selectors.scope import SUBJECT_TYPE, orders_in_scope, orders_visible
from apps.orders.selectors.tracking import Parcel, tracking_of

if TYPE_CHECKING:
    from apps.org.models import Account

UNPAID = "unpaid"
OWED_ONLINE = Q(status=OrderStatus.PENDING_CONFIRM, payment_kind=PaymentKind.ONLINE) & ~Q(settlement_status=SettlementStatus.DONE)


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """What the list is narrowed by; `status` is a state or `unpaid`, `since` and `until` days in Shanghai, both included."""

    keyword: str = ""
    status: str = ""
    since: date | None = None
    until: date | None = None
    requester_id: int | None = None
    department_id: int | None = None
    payment_kind: str = ""
    purchase_order_no: str = ""


def orders_listed(*, actor: Account, wanted: OrderFilter) -> QuerySet[Order]:
    """Return the orders of the actor's data scope under the filter, newest first, with requester, department and lines."""
    queryset = _filtered(actor, wanted)
    if wanted.status:
        queryset = queryset.filter(OWED_ONLINE if wanted.status == UNPAID else Q(status=wanted.status))
    return queryset.select_related("requester", "department").prefetch_related(Prefetch("lines", OrderLine.objects.order_by("no")))


def order_tabs(*, actor: Account, wanted: OrderFilter) -> dict[str, int]:
    """Return how many orders the filter leaves in each state, and in `unpaid` and "" (all); one query."""
    split = Case(When(OWED_ONLINE, then=Value(UNPAID)), default=F("status"), output_field=CharField())
    rows = _filtered(actor, wanted).order_by().values("status", tab=split).annotate(number=Count("pk"))
    counts = dict.fromkeys(["", UNPAID, *OrderStatus.values], 0)
    for row in rows:
        counts[""] += row["number"]
        counts[row["status"]] += row["number"]
        if row["tab"] == UNPAID:
            counts[UNPAID] += row["number"]
    return counts


def _filtered(actor: Account, wanted: OrderFilter) -> QuerySet[Order]:
    queryset = orders_in_scope(actor=actor)
    if wanted.keyword:
        text = wanted.keyword
        named = OrderLine.objects.filter(
            Q(name__icontains=text) | Q(customer_name__icontains=text) | Q(product_code=text) | Q(customer_code=text)
        )
        queryset = queryset.filter(Q(order_no__icontains=text) | Q(purchase_order_no=text) | Q(pk__in=named.values("order")))
    if wanted.since:
        queryset = queryset.filter(submitted_at__gte=day_begins(wanted.since))
    if wanted.until:
        queryset = queryset.filter(submitted_at__lt=day_begins(wanted.until) + timedelta(days=1))
    exact = {
        "requester_id": wanted.requester_id,
        "department_id": wanted.department_id,
        "payment_kind": wanted.payment_kind,
        "purchase_order_no": wanted.purchase_order_no,
    }
    return queryset.filter(**{name: value for name, value in exact.items() if value})


@dataclass(frozen=True, slots=True)
class OrderDetail:
    """One order with its lines, shipments and payments, its approval and its timeline."""

    order: Order
    timeline: list[Event]
    approval: Approval | None
    tracking: dict[Parcel, list[TrackingEvent]]


def order_detail(*, actor: Account, order_no: str) -> OrderDetail:
    """Return one order that the actor may see: his data scope's, or one he was asked to approve.

    Raises:
        OrderNotFound: there is none.
    """
    found = orders_visible(actor=actor).filter(order_no=order_no)
    order = (
        found.select_related("requester", "department", "enterprise", "budget_reservation__budget")
        .prefetch_related(
            Prefetch("lines", OrderLine.objects.order_by("no")),
            Prefetch("shipments__lines", ShipmentLine.objects.select_related("order_line").order_by("pk")),
            "payments",
        )
        .first()
    )
    if order is None:
        raise OrderNotFound
    tracking = tracking_of([(shipment.carrier, shipment.tracking_no) for shipment in order.shipments.all()])
    return OrderDetail(order, list(events_of(order)), approval_of(subject_type=SUBJECT_TYPE, subject_id=order.pk), tracking)
