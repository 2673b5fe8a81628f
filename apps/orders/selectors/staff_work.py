"""Today's work of the staff: what waits, over all customers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from apps.orders.enums import OrderStatus, PaymentKind, SettlementStatus
from apps.orders.models import Order
from apps.orders.selectors.orders import OWED_ONLINE

# A confirmed order that has not left the house a day later is late.
SHIP_WITHIN = timedelta(days=1)
TO_SHIP = Q(status__in=[OrderStatus.PENDING_SHIPMENT, OrderStatus.PARTLY_SHIPPED])
OPEN_TRANSFER = Q(payment_kind=PaymentKind.TRANSFER, status=OrderStatus.PENDING_CONFIRM) & ~Q(settlement_status=SettlementStatus.DONE)


@dataclass(frozen=True, slots=True)
class StaffWork:
    """How many orders wait for staff, and of what."""

    to_confirm: int
    to_ship: int
    unpaid: int
    overdue: int
    unsettled: int
    today: int


def work_of(kind: str) -> Q:
    """Return what the orders behind a figure of StaffWork have in common: the figure and the list it leads to are the same."""
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


def staff_work() -> StaffWork:
    """Return today's work; one query, in the platform's scope."""
    counts = Order.objects.aggregate(**{each.name: Count("pk", filter=work_of(each.name)) for each in fields(StaffWork)})
    return StaffWork(**counts)


def oldest_work(*, kind: str, limit: int) -> list[Order]:
    """Return the orders that have waited longest for staff, with their customers."""
    waiting = Order.objects.filter(work_of(kind)).select_related("enterprise", "requester")
    return list(waiting.order_by("submitted_at", "pk")[:limit])
