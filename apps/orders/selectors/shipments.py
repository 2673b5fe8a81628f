"""Shipments: the carriers in use, tracking events of parcels, the rows of the shipping sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from django.db.models import Count, F, Q

from apps.documents.excel.writer import Cell
from apps.orders.enums import SHIPPABLE
from apps.orders.models import Order, OrderLine, Shipment, TrackingEvent
from apps.orders.snapshots import format_address

Parcel = tuple[str, str]
MAX_SHEET_LINES = 1000
TO_SHIP = Q(status__in=SHIPPABLE)


def list_used_carriers(*, limit: int = 20) -> list[str]:
    """Return the carriers of past shipments, the most used first. The caller must open the platform
    scope.
    """
    rows = (
        Shipment.objects.order_by()
        .values("carrier")
        .annotate(number=Count("pk"))
        .order_by("-number", "carrier")
    )
    return [row["carrier"] for row in rows[:limit]]


def get_tracking_by_parcel(parcels: Collection[Parcel]) -> dict[Parcel, list[TrackingEvent]]:
    """Return the tracking events by (carrier, tracking number), newest first."""
    events_by_parcel: dict[Parcel, list[TrackingEvent]] = defaultdict(list)
    if not parcels:
        return events_by_parcel
    condition = Q()
    for carrier, tracking_no in set(parcels):
        condition |= Q(carrier=carrier, tracking_no=tracking_no)
    for event in TrackingEvent.objects.filter(condition).order_by("-at", "-pk"):
        events_by_parcel[event.carrier, event.tracking_no].append(event)
    return events_by_parcel


def iterate_shipping_rows(*, order_ids: Sequence[int] | None = None) -> Iterator[list[Cell]]:
    """Yield the open lines of these orders. Without orders, yield those of all orders that wait
    for shipping, the longest waiting first, at most 1,000.
    """
    orders = Order.objects.filter(TO_SHIP)
    if order_ids is not None:
        orders = orders.filter(pk__in=order_ids)
    lines = OrderLine.objects.filter(
        order__in=orders, quantity__gt=F("shipped_quantity") + F("cancelling_quantity")
    )
    rows = lines.select_related("order__enterprise").order_by(
        "order__confirmed_at", "order_id", "no"
    )
    for line in rows[:MAX_SHEET_LINES]:
        order = line.order
        to = order.address_snapshot
        address = f"{to.get('Receiver', '')} {to.get('Mobile', '')} {format_address(to)}".strip()
        unshipped = line.unshipped
        yield [
            order.order_no,
            line.no,
            line.product_code,
            line.name,
            order.enterprise.name,
            address,
            unshipped,
            unshipped,
            "",
            "",
        ]
