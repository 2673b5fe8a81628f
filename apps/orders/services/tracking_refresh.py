"""Fetch tracking events from carriers and save the new ones."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.orders.carriers import carrier_named
from apps.orders.models import Shipment, TrackingEvent

# Older parcels are no longer tracked, even if nobody has received them.
ASKED_FOR = timedelta(days=30)


def tracking_refresh(*, group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> int:
    """Save the new tracking events of a parcel. Return the number of events that the carrier
    reports.
    """
    found = carrier_named(carrier)
    if found is None:
        return 0
    rows = [
        TrackingEvent(
            group_id=group_id,
            carrier=carrier,
            tracking_no=tracking_no,
            kind=seen.kind,
            text=seen.text,
            at=seen.at,
        )
        for seen in found.sightings(tracking_no=tracking_no, sent_at=sent_at, now=timezone.now())
    ]
    with tenant_scope(group_id=group_id):
        TrackingEvent.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def shipments_track() -> int:
    """Refresh the tracking of every parcel in transit. Return the number of parcels with at
    least one event. Runs in the platform scope.
    """
    open_now = Shipment.objects.filter(
        received_at__isnull=True, shipped_at__gt=timezone.now() - ASKED_FOR
    )
    rows = open_now.order_by("pk").values_list("group_id", "carrier", "tracking_no", "shipped_at")
    return run_for_each(rows.iterator(), _track)


def _track(group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> bool:
    return bool(
        tracking_refresh(
            group_id=group_id, carrier=carrier, tracking_no=tracking_no, sent_at=sent_at
        )
    )


def shipped_handler(_key: str, payload: dict[str, Any]) -> None:
    """Refresh the tracking of an order that has just shipped, so that its page shows events at
    once.
    """
    parcels = Shipment.objects.filter(order_id=payload["order_id"], received_at__isnull=True)
    for row in parcels.values_list("group_id", "carrier", "tracking_no", "shipped_at"):
        _track(*row)
