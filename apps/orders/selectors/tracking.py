"""Tracking events that carriers reported."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Q

from apps.orders.models import TrackingEvent

Parcel = tuple[str, str]


def tracking_of(parcels: Collection[Parcel]) -> dict[Parcel, list[TrackingEvent]]:
    """Return the tracking events by (carrier, tracking number), newest first. One query in the
    open scope.
    """
    known: dict[Parcel, list[TrackingEvent]] = defaultdict(list)
    if not parcels:
        return known
    wanted = Q()
    for carrier, tracking_no in set(parcels):
        wanted |= Q(carrier=carrier, tracking_no=tracking_no)
    for event in TrackingEvent.objects.filter(wanted).order_by("-at", "-pk"):
        known[event.carrier, event.tracking_no].append(event)
    return known
