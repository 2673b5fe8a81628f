"""Who carries the parcels: one protocol, the demo's carrier for now; a real one is added to the function below by its name."""

from __future__ import annotations

from django.conf import settings

from apps.orders.carriers.base import Carrier, Sighting
from apps.orders.carriers.demo import DemoCarrier

__all__ = ["Carrier", "Sighting", "carrier_named"]


def carrier_named(_name: str) -> Carrier | None:
    """Return who can tell of the carrier's parcels; None where nobody can, and only the number is shown. In the demo one tells of all."""
    return DemoCarrier() if settings.DEMO_MODE else None
