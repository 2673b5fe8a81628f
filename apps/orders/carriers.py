"""Parcel carriers: one protocol with a demo implementation. `get_carrier` chooses the carrier."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from django.conf import settings

from apps.orders.enums import TrackingKind

K = TrackingKind
# (hours after shipping, stage, text)
DEMO_STAGES: tuple[tuple[float, TrackingKind, str], ...] = (
    (0, K.PICKED_UP, "快件已揽收"),
    (3, K.IN_TRANSIT, "快件已到达始发地转运中心，正在分拣"),
    (9, K.IN_TRANSIT, "快件已发往目的地转运中心"),
    (22, K.IN_TRANSIT, "快件已到达目的地转运中心"),
    (27, K.DELIVERING, "快件正在派送，请收件人保持电话畅通"),
    (31, K.DELIVERED, "快件已送达收件地址"),
)


@dataclass(frozen=True, slots=True)
class CarrierEvent:
    """A tracking event of a parcel. `kind` is an enums.TrackingKind."""

    at: datetime
    kind: str
    text: str


class Carrier(Protocol):
    """Reports tracking events of a parcel. It may report the same event again."""

    def list_events(
        self, *, tracking_no: str, sent_at: datetime, now: datetime
    ) -> list[CarrierEvent]:
        """Return the events of the parcel up to now, oldest first."""


class DemoCarrier:
    """Derives the stage of a parcel from the clock."""

    def list_events(
        self, *, tracking_no: str, sent_at: datetime, now: datetime
    ) -> list[CarrierEvent]:
        """Return the stages up to now."""
        stages = (
            (sent_at + timedelta(hours=hours), kind, text) for hours, kind, text in DEMO_STAGES
        )
        return [CarrierEvent(at, kind, text) for at, kind, text in stages if at <= now]


def get_carrier(_name: str) -> Carrier | None:
    """Return the client of a carrier. In demo mode, the demo client serves every carrier.
    Otherwise None; the page then shows only the tracking number.
    """
    return DemoCarrier() if settings.DEMO_MODE else None
