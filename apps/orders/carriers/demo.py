"""The demo's carrier: each parcel, to a customer or back from him, goes the same way, an hour or a day apart."""

from __future__ import annotations

from datetime import datetime, timedelta

from apps.orders.carriers.base import Sighting
from apps.orders.enums import TrackingKind

K = TrackingKind
# Hours after it was sent.
WAY: tuple[tuple[float, TrackingKind, str], ...] = (
    (0, K.PICKED_UP, "快件已揽收"),
    (3, K.IN_TRANSIT, "快件已到达始发地转运中心，正在分拣"),
    (9, K.IN_TRANSIT, "快件已发往目的地转运中心"),
    (22, K.IN_TRANSIT, "快件已到达目的地转运中心"),
    (27, K.DELIVERING, "快件正在派送，请收件人保持电话畅通"),
    (31, K.DELIVERED, "快件已送达收件地址"),
)


class DemoCarrier:
    """Advances by the clock alone."""

    def sightings(self, *, tracking_no: str, sent_at: datetime, now: datetime) -> list[Sighting]:
        """Return the stages that have come by now."""
        stages = ((sent_at + timedelta(hours=hours), kind, text) for hours, kind, text in WAY)
        return [Sighting(at, kind, text) for at, kind, text in stages if at <= now]
