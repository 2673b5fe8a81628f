"""Carriers of earlier shipments."""

from __future__ import annotations

from django.db.models import Count

from apps.orders.models import Shipment


def carriers_used(*, limit: int = 20) -> list[str]:
    """Return the carriers of past shipments, the most used first. Runs in the platform scope."""
    rows = (
        Shipment.objects.order_by()
        .values("carrier")
        .annotate(number=Count("pk"))
        .order_by("-number", "carrier")
    )
    return [row["carrier"] for row in rows[:limit]]
