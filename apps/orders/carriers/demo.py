"""The demo carrier. Every parcel, also a return, passes the same stages at fixed times after
shipping.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from apps.orders.carriers.base import Sighting
from apps.orders.enums import TrackingKind

K = TrackingKind
# (hours after shipping, stage, text)
WAY: tuple[tuple[float, TrackingKind, str], ...] = (
    (0, K.PICKED_UP, "快件已揽收"),
    (3, K.IN_TRANSIT, "快件已到达始发地转运中心，正在分拣"),
    (9, K.IN_TRANSIT, "快件已发往目的地转运中心"),
    (22, K.IN_TRANSIT, "快件已到达目的地转运中心"),
    (27, K.DELIVERING, "快件正在派送，请收件人保持电话畅通"),
    (31, K.DELIVERED, "快件已送达收件地址"),
)


class DemoCarrier:
    """Derives the stage of a parcel from the clock."""

    def sightings(self, *, tracking_no: str, sent_at: datetime, now: datetime) -> list[Sighting]:
        """Return the stages up to now."""
        stages = ((sent_at + timedelta(hours=hours), kind, text) for hours, kind, text in WAY)
        return [Sighting(at, kind, text) for at, kind, text in stages if at <= now]
