"""Today's work of the staff over all customers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, CharField, Count, F, Min, Q, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apps.common.owners import build_owner_name_expression
from apps.orders.enums import OrderStatus, PaymentKind, SettlementStatus
from apps.orders.models import Order
from apps.orders.selectors.orders import OWED_ONLINE
from apps.orders.selectors.shipments import TO_SHIP

# A confirmed order is late if it has not shipped after a day.
SHIP_WITHIN = timedelta(days=1)
OPEN_TRANSFER = Q(payment_kind=PaymentKind.TRANSFER, status=OrderStatus.PENDING_CONFIRM) & ~Q(
    settlement_status=SettlementStatus.DONE
)


EVERYBODYS = Q()
KINDS = ("to_confirm", "to_ship", "unpaid", "overdue", "unsettled", "today")
# The states of orders that wait. Of orders in other states only today's are counted.
WAITING = (OrderStatus.PENDING_CONFIRM, OrderStatus.PENDING_SHIPMENT, OrderStatus.PARTLY_SHIPPED)


@dataclass(frozen=True, slots=True)
class Work:
    """The number of orders of a kind, and the time since which the oldest one waits. None if
    there is none.
    """

    number: int
    oldest: datetime | None


def build_work_condition(kind: str) -> Q:
    """Return the condition on orders for a kind of work. The figure and its linked list both
    use it, so they agree.
    """
    now = timezone.now()
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    kinds = {
        "to_confirm": Q(status=OrderStatus.PENDING_CONFIRM) & ~OWED_ONLINE,
        "to_ship": TO_SHIP,
        "unpaid": OWED_ONLINE,
        "overdue": TO_SHIP & Q(confirmed_at__lt=now - SHIP_WITHIN),
        "unsettled": OPEN_TRANSFER,
        "today": Q(submitted_at__gte=midnight),
    }
    return kinds[kind]


def get_staff_work(*, owner_condition: Q = EVERYBODYS) -> dict[str, Work]:
    """Return today's work by kind. One query reads the waiting orders and those of today. The
    caller must open the platform scope.

    `owner_condition` limits the result to orders of one staff member, or to orders without an
    owner.
    """
    numbers = {f"{kind}_number": Count("pk", filter=build_work_condition(kind)) for kind in KINDS}
    since = {
        f"{kind}_since": Min("submitted_at", filter=build_work_condition(kind)) for kind in KINDS
    }
    # All states are listed, so that today's orders use the same index as the waiting orders.
    orders = (
        Order.objects.order_by()
        .filter(owner_condition)
        .filter(
            Q(status__in=WAITING) | Q(status__in=OrderStatus.values) & build_work_condition("today")
        )
    )
    sums = orders.aggregate(**numbers, **since)
    return {kind: Work(sums[f"{kind}_number"], sums[f"{kind}_since"]) for kind in KINDS}


def list_oldest_work(
    *, kinds: Sequence[str], limit: int, owner_condition: Q = EVERYBODYS
) -> dict[str, list[Order]]:
    """Return by kind the orders that have waited longest for staff, with their customers and
    `owner_name`.

    The kinds must not overlap.
    """
    kind = Case(
        *(When(build_work_condition(each), then=Value(each)) for each in kinds),
        output_field=CharField(),
    )
    place = Window(
        RowNumber(), partition_by=F("kind"), order_by=[F("submitted_at").asc(), F("pk").asc()]
    )
    of_any = Q()
    for each in kinds:
        of_any |= build_work_condition(each)
    orders = (
        Order.objects.filter(of_any, owner_condition, status__in=WAITING)
        .annotate(kind=kind)
        .annotate(place=place)
    )
    orders_by_kind: dict[str, list[Order]] = {each: [] for each in kinds}
    for order in (
        orders.filter(place__lte=limit)
        .annotate(owner_name=build_owner_name_expression(Order))
        .select_related("enterprise", "requester")
        .order_by("place")
    ):
        orders_by_kind[order.kind].append(order)
    return orders_by_kind
