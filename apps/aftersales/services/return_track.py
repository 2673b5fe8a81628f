"""Carriers are asked where the parcels of returns are, in both directions, as they are of orders'."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.aftersales.enums import ParcelDirection
from apps.aftersales.models import ReturnParcel
from apps.aftersales.models.returns import ENDED
from apps.common.background.periodic import done_for_each
from apps.orders.services.tracking_refresh import ASKED_FOR, tracking_refresh

# What tells of a parcel that was sent just now.
LISTENS_TO = ("return.sent", "return.replaced", "return.repaired", "return.sent_out")
# What came to us is asked after no longer; of what goes out we know when the customer says that he has it.
ON_ITS_WAY = ~Q(return_order__status__in=ENDED) & (~Q(direction=ParcelDirection.BACK) | Q(return_order__received_at__isnull=True))
PARCEL = ("group_id", "carrier", "tracking_no", "sent_at")


def returns_track() -> int:
    """Ask after every parcel that is on its way; return of how many something is known. Runs in the platform's scope."""
    rows = ReturnParcel.objects.filter(ON_ITS_WAY, sent_at__gt=timezone.now() - ASKED_FOR).order_by("pk").values_list(*PARCEL)
    return done_for_each(rows.iterator(), _track)


def parcel_sent_handler(_key: str, payload: dict[str, Any]) -> None:
    """Ask after the parcels of a return of which one was sent just now, so that its page has something to tell at once."""
    for row in ReturnParcel.objects.filter(ON_ITS_WAY, return_order=payload["return_id"]).values_list(*PARCEL):
        _track(*row)


def _track(group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> bool:
    return bool(tracking_refresh(group_id=group_id, carrier=carrier, tracking_no=tracking_no, sent_at=sent_at))
