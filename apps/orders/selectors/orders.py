"""The order list with its counted tabs, and the detail of one order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone

from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import find_latest_approval
from apps.common.days import filter_days
from apps.common.events import list_events
from apps.common.models import Event
from apps.orders.enums import OrderStatus, PaymentKind, SettlementStatus
from apps.orders.errors import OrderNotFound
from apps.orders.models import Order, OrderLine, ShipmentLine, TrackingEvent
from apps.orders.selectors.access import SUBJECT_TYPE, list_orders_in_scope, list_visible_orders
from apps.orders.selectors.batches import list_batch_orders
from apps.orders.selectors.order_search import build_keyword_condition
from apps.orders.selectors.payments import list_order_payments
from apps.orders.selectors.shipments import Parcel, get_tracking_by_parcel
from apps.org.models import Account

UNPAID, TO_REVIEW = "unpaid", "to_review"
OWED_ONLINE = Q(status=OrderStatus.PENDING_CONFIRM, payment_kind=PaymentKind.ONLINE) & ~Q(
    settlement_status=SettlementStatus.DONE
)


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """The filter of the list. `status` is a state, `unpaid` or `to_review`. `since` and `until`
    are days in Shanghai, both included.
    """

    keyword: str = ""
    status: str = ""
    since: date | None = None
    until: date | None = None
    requester_id: int | None = None
    department_id: int | None = None
    payment_kind: str = ""
    purchase_order_no: str = ""


def list_orders(*, actor: Account, filters: OrderFilter) -> QuerySet[Order]:
    """Return the filtered orders of the actor's data scope, newest first, with requester,
    department and lines.
    """
    return _prefetch_whole(
        _filter_by_tab(find_orders(actor=actor, filters=filters), filters.status)
    )


@dataclass(frozen=True, slots=True)
class ListedOrders(Sequence[Order]):
    """The orders of a tab, to be cut into pages. The tabs already give its length.

    A page is found by its keys from an index. Only the rows of the page are read in full, because
    an order row is wide.
    """

    orders: QuerySet[Order]
    status: str
    total: int

    def __len__(self) -> int:
        return self.total

    def __getitem__(self, key: Any) -> Any:
        return _prefetch_whole(
            Order.objects.filter(pk__in=_filter_by_tab(self.orders, self.status).values("pk")[key])
        )


def _prefetch_whole(orders: QuerySet[Order]) -> QuerySet[Order]:
    return orders.select_related("requester", "department").prefetch_related(
        Prefetch("lines", OrderLine.objects.order_by("no"))
    )


def _filter_by_tab(orders: QuerySet[Order], status: str) -> QuerySet[Order]:
    return orders.filter(_build_tab_condition(status)) if status else orders


def build_awaits_review_condition() -> Q:
    """Return the condition of 待评价: a received line has no review, and the review period is
    open. It does not test the state of the order.
    """
    return Q(review_until__gt=timezone.now())


def _build_tab_condition(status: str) -> Q:
    """Return the condition of a tab. 待支付 and 待评价 span several states."""
    if status == TO_REVIEW:
        return build_awaits_review_condition()
    return OWED_ONLINE if status == UNPAID else Q(status=status)


def count_order_tabs(orders: QuerySet[Order]) -> dict[str, int]:
    """Return the number of filtered orders in each state, in `unpaid`, in `to_review` and in ""
    (all).
    """
    rows = (
        orders.order_by()
        .values("status")
        .annotate(
            number=Count("pk"),
            unpaid=Count("pk", filter=OWED_ONLINE),
            to_review=Count("pk", filter=_build_tab_condition(TO_REVIEW)),
        )
    )
    counts = dict.fromkeys(["", UNPAID, *OrderStatus.values, TO_REVIEW], 0)
    for row in rows:
        counts[""] += row["number"]
        counts[row["status"]] += row["number"]
        counts[UNPAID] += row["unpaid"]
        counts[TO_REVIEW] += row["to_review"]
    return counts


def find_orders(*, actor: Account, filters: OrderFilter) -> QuerySet[Order]:
    """Return the filtered orders of the actor's data scope in any state. The keyword is
    resolved here.
    """
    queryset = list_orders_in_scope(actor=actor)
    if filters.keyword:
        queryset = queryset.filter(build_keyword_condition(filters.keyword))
    queryset = queryset.filter(filter_days("submitted_at", filters.since, filters.until))
    exact = {
        "requester_id": filters.requester_id,
        "department_id": filters.department_id,
        "payment_kind": filters.payment_kind,
        "purchase_order_no": filters.purchase_order_no,
    }
    return queryset.filter(**{name: value for name, value in exact.items() if value})


@dataclass(frozen=True, slots=True)
class OrderDetail:
    """One order with its lines, shipments and payments, its approval and its timeline."""

    order: Order
    timeline: list[Event]
    approval: Approval | None
    tracking: dict[Parcel, list[TrackingEvent]]
    batch: list[Order]


def get_order_detail(*, actor: Account, order_no: str) -> OrderDetail:
    """Return one order that the actor may see: an order in the data scope, or an order that the
    actor approves.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
    """
    orders = list_visible_orders(actor=actor).filter(order_no=order_no)
    order = (
        orders.select_related("requester", "department", "enterprise", "budget_reservation__budget")
        .prefetch_related(
            Prefetch("lines", OrderLine.objects.order_by("no")),
            Prefetch(
                "shipments__lines", ShipmentLine.objects.select_related("order_line").order_by("pk")
            ),
            Prefetch("payments", list_order_payments()),
        )
        .first()
    )
    if order is None:
        raise OrderNotFound
    tracking = get_tracking_by_parcel(
        [(shipment.carrier, shipment.tracking_no) for shipment in order.shipments.all()]
    )
    approval = find_latest_approval(subject_type=SUBJECT_TYPE, subject_id=order.pk)
    return OrderDetail(
        order=order,
        timeline=list(list_events(order)),
        approval=approval,
        tracking=tracking,
        batch=list_batch_orders(actor=actor, order=order),
    )


def list_awaiting_order_numbers() -> QuerySet[Any]:
    """Return the numbers of the orders in approval in the open scope."""
    rows: QuerySet[Any] = Order.objects.filter(status=OrderStatus.PENDING_APPROVAL)
    return rows.order_by().values("order_no")


def filter_visible_order_numbers(actor: Account, numbers: Collection[str]) -> set[str]:
    """Return those of the numbers whose orders the actor may open."""
    return set(
        list_visible_orders(actor=actor)
        .filter(order_no__in=numbers)
        .order_by()
        .values_list("order_no", flat=True)
    )
