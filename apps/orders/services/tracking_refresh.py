"""Ask carriers where the parcels are, and write down what is new."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.common.background.periodic import done_for_each
from apps.common.tenancy import tenant_scope
from apps.orders.carriers import carrier_named
from apps.orders.models import Shipment, TrackingEvent

# A parcel that nobody received is asked after no longer.
ASKED_FOR = timedelta(days=30)


def tracking_refresh(*, group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> int:
    """Write what the carrier tells of a parcel that is not known yet; return how much is known now."""
    found = carrier_named(carrier)
    if found is None:
        return 0
    rows = [
        TrackingEvent(group_id=group_id, carrier=carrier, tracking_no=tracking_no, kind=seen.kind, text=seen.text, at=seen.at)
        for seen in found.sightings(tracking_no=tracking_no, sent_at=sent_at, now=timezone.now())
    ]
    with tenant_scope(group_id=group_id):
        TrackingEvent.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def shipments_track() -> int:
    """Ask after every parcel that is on its way; return of how many something is known. Runs in the platform's scope."""
    open_now = Shipment.objects.filter(received_at__isnull=True, shipped_at__gt=timezone.now() - ASKED_FOR)
    rows = open_now.order_by("pk").values_list("group_id", "carrier", "tracking_no", "shipped_at")
    return done_for_each(rows.iterator(), _track)


def _track(group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> bool:
    return bool(tracking_refresh(group_id=group_id, carrier=carrier, tracking_no=tracking_no, sent_at=sent_at))


def shipped_handler(_key: str, payload: dict[str, Any]) -> None:
    """Ask after the parcels of an order that was shipped just now, so that its page has something to tell at once."""
    parcels = Shipment.objects.filter(order_id=payload["order_id"], received_at__isnull=True)
    for row in parcels.values_list("group_id", "carrier", "tracking_no", "shipped_at"):
        _track(*row)
