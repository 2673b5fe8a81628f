"""The protocol of a carrier."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sighting:
    """A tracking event of a parcel. `kind` is an enums.TrackingKind."""

    at: datetime
    kind: str
    text: str


class Carrier(Protocol):
    """Reports tracking events of a parcel. It may report the same event again."""

    def sightings(self, *, tracking_no: str, sent_at: datetime, now: datetime) -> list[Sighting]:
        """Return the events of the parcel up to now, oldest first."""
