"""What the mall needs of a carrier."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a parcel was; `kind` is an enums.TrackingKind."""

    at: datetime
    kind: str
    text: str


class Carrier(Protocol):
    """Tells where a parcel is; the same sighting may be told again and again."""

    def sightings(self, *, tracking_no: str, sent_at: datetime, now: datetime) -> list[Sighting]:
        """Return what is known of the parcel by now, oldest first."""
