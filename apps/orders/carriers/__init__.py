"""Parcel carriers: one protocol with a demo implementation. Add a real carrier to
`carrier_named`.
"""

from __future__ import annotations

from django.conf import settings

from apps.orders.carriers.base import Carrier, Sighting
from apps.orders.carriers.demo import DemoCarrier

__all__ = ["Carrier", "Sighting", "carrier_named"]


def carrier_named(_name: str) -> Carrier | None:
    """Return the client of a carrier. In demo mode, the demo client serves every carrier.
    Otherwise None; the page then shows only the tracking number.
    """
    return DemoCarrier() if settings.DEMO_MODE else None
