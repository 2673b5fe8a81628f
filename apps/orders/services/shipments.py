"""Shipments: ship goods of an order by line and quantity, and fetch tracking events of parcels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.catalog.services.stock import stock_ship
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.orders.carriers import get_carrier
from apps.orders.enums import SHIPPABLE, OrderEventKind
from apps.orders.errors import (
    NothingToShip,
    ParcelNumberMissing,
    ShipmentEmpty,
    ShippedMeanwhile,
    ShippedQuantityExceeded,
)
from apps.orders.locks import locked_order
from apps.orders.models import Order, OrderLine, Shipment, ShipmentLine, TrackingEvent
from apps.orders.services.transitions import order_record, order_transition
from apps.orders.states import ORDERS

if TYPE_CHECKING:
    from apps.org.models import Account


# Older parcels are no longer tracked, even if nobody has received them.
TRACKING_PERIOD = timedelta(days=30)


def order_ship(
    *,
    actor: Account,
    order_id: int,
    carrier: str,
    tracking_no: str,
    quantities: Mapping[int, int] | None = None,
    shipped_seen: int | None = None,
) -> Shipment:
    """Return the new shipment and take the goods out of stock. `quantities` is by order line
    pk; None ships everything that is left.

    Raises:
        WrongState: the order is not 待发货 or 部分发货, or a cancellation request holds everything
            that is left.
        Stale: the shipped pieces of all lines differ from `shipped_seen`. None skips this check.
        QuantityExceeded: more than is left of a line, or a line of another order.
        ValidationFailed: no carrier or number, or nothing to ship.
    """
    if not carrier.strip() or not tracking_no.strip():
        raise ParcelNumberMissing
    with locked_order(order_id=order_id) as order:
        if order.status not in SHIPPABLE:
            raise ORDERS.build_wrong_state(order, "发货")
        lines = list(order.lines.order_by("pk"))
        _refuse_stale(lines, shipped_seen)
        shipped = _check_quantities(lines, quantities)
        shipment = _create_shipment(
            order=order,
            actor=actor,
            carrier=carrier.strip(),
            tracking_no=tracking_no.strip(),
            shipped=shipped,
        )
        for line in lines:
            line.shipped_quantity += shipped.get(line.pk, 0)
        OrderLine.objects.bulk_update(lines, ["shipped_quantity"])
        is_all = all(line.shipped_quantity == line.quantity for line in lines)
        before = order_transition(
            order, "ship_all" if is_all else "ship_part", "发货", at=shipment.shipped_at
        )
        stock_ship(lines=_sum_pieces_by_product(lines, shipped), reference=order.order_no)
        data = {
            "shipment_no": shipment.shipment_no,
            "lines": {str(pk): quantity for pk, quantity in shipped.items()},
        }
        note = f"{shipment.carrier} {shipment.tracking_no}，共 {sum(shipped.values())} 件"
        order_record(
            order, actor=actor, kind=OrderEventKind.SHIPPED, before=before, reason=note, data=data
        )
    return shipment


def _refuse_stale(lines: list[OrderLine], shipped_seen: int | None) -> None:
    shipped = sum(line.shipped_quantity for line in lines)
    if shipped_seen is not None and shipped_seen != shipped:
        raise ShippedMeanwhile(shipped - shipped_seen)


def _check_quantities(
    lines: list[OrderLine], quantities: Mapping[int, int] | None
) -> dict[int, int]:
    """Return {order line pk: pieces to ship}. Without `quantities`, everything that is not
    shipped yet.

    Raises:
        NothingToShip: every piece is shipped.
        ShipmentEmpty: all quantities are 0.
        ShippedQuantityExceeded: a line has fewer unshipped pieces.
    """
    unshipped = {line.pk: line.unshipped for line in lines}
    if quantities is None:
        open_pieces = {pk: quantity for pk, quantity in unshipped.items() if quantity}
        if not open_pieces:
            raise NothingToShip
        return open_pieces
    requested_pieces = {pk: quantity for pk, quantity in quantities.items() if quantity}
    if not requested_pieces:
        raise ShipmentEmpty
    names = {line.pk: line.name for line in lines}
    for pk, quantity in requested_pieces.items():
        if not 0 < quantity <= unshipped.get(pk, 0):
            pieces_in_cancellation = sum(
                line.cancelling_quantity for line in lines if line.pk == pk
            )
            raise ShippedQuantityExceeded(
                name=names.get(pk), left=unshipped.get(pk, 0), held=pieces_in_cancellation
            )
    return requested_pieces


def _sum_pieces_by_product(lines: list[OrderLine], shipped: Mapping[int, int]) -> Counter[int]:
    """Return {product pk: shipped pieces}. `shipped` is by order line pk."""
    pieces: Counter[int] = Counter()
    for line in lines:
        if line.pk in shipped:
            pieces[line.product_id] += shipped[line.pk]
    return pieces


def _create_shipment(
    order: Order, actor: Account, carrier: str, tracking_no: str, shipped: Mapping[int, int]
) -> Shipment:
    shipment: Shipment = Shipment.objects.create(
        group_id=order.group_id,
        order=order,
        shipment_no=f"{order.order_no}-{order.shipments.count() + 1}",
        carrier=carrier,
        tracking_no=tracking_no,
        shipped_by=actor,
        shipped_at=timezone.now(),
    )
    rows = [
        ShipmentLine(
            group_id=order.group_id, shipment=shipment, order_line_id=pk, quantity=quantity
        )
        for pk, quantity in shipped.items()
    ]
    ShipmentLine.objects.bulk_create(rows)
    return shipment


def tracking_refresh(*, group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> int:
    """Save the new tracking events of a parcel. Return the number of events that the carrier
    reports.
    """
    carrier_api = get_carrier(carrier)
    if carrier_api is None:
        return 0
    rows = [
        TrackingEvent(
            group_id=group_id,
            carrier=carrier,
            tracking_no=tracking_no,
            kind=event.kind,
            text=event.text,
            at=event.at,
        )
        for event in carrier_api.list_events(
            tracking_no=tracking_no, sent_at=sent_at, now=timezone.now()
        )
    ]
    with tenant_scope(group_id=group_id):
        TrackingEvent.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def shipments_track() -> int:
    """Refresh the tracking of every parcel in transit. Return the number of parcels with at least
    one event. The caller must open the platform scope.
    """
    open_now = Shipment.objects.filter(
        received_at__isnull=True, shipped_at__gt=timezone.now() - TRACKING_PERIOD
    )
    rows = open_now.order_by("pk").values_list("group_id", "carrier", "tracking_no", "shipped_at")
    return run_for_each(rows.iterator(), _store_tracking)


def _store_tracking(group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> bool:
    """Query the carrier and store the events of the parcel. Return whether it reports any."""
    return bool(
        tracking_refresh(
            group_id=group_id, carrier=carrier, tracking_no=tracking_no, sent_at=sent_at
        )
    )


def handle_order_shipped(_key: str, payload: dict[str, Any]) -> None:
    """Refresh the tracking of an order that has just shipped, so that its page shows events at
    once.
    """
    parcels = Shipment.objects.filter(order_id=payload["order_id"], received_at__isnull=True)
    for row in parcels.values_list("group_id", "carrier", "tracking_no", "shipped_at"):
        _store_tracking(*row)
