"""Track the parcels of returns at the carriers, in both directions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.aftersales.enums import ParcelDirection
from apps.aftersales.models import ReturnParcel
from apps.aftersales.models.returns import ENDED
from apps.common.background.periodic import run_for_each
from apps.orders.services.tracking_refresh import ASKED_FOR, tracking_refresh

# Topics of a parcel that was just sent.
LISTENS_TO = ("return.sent", "return.replaced", "return.repaired", "return.sent_out")
# Parcels in transit. A parcel to the mall ends with its receipt, a parcel to the customer with the
# end of the return.
ON_ITS_WAY = ~Q(return_order__status__in=ENDED) & (
    ~Q(direction=ParcelDirection.BACK) | Q(return_order__received_at__isnull=True)
)
PARCEL = ("group_id", "carrier", "tracking_no", "sent_at")


def returns_track() -> int:
    """Query the carrier for every parcel in transit. Returns the number of parcels with
    tracking data. Runs in the platform's scope.
    """
    rows = (
        ReturnParcel.objects.filter(ON_ITS_WAY, sent_at__gt=timezone.now() - ASKED_FOR)
        .order_by("pk")
        .values_list(*PARCEL)
    )
    return run_for_each(rows.iterator(), _track)


def parcel_sent_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox: query the carrier for the parcels of a return right after sending, so that its
    page shows tracking at once.
    """
    for row in ReturnParcel.objects.filter(
        ON_ITS_WAY, return_order=payload["return_id"]
    ).values_list(*PARCEL):
        _track(*row)


def _track(group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> bool:
    return bool(
        tracking_refresh(
            group_id=group_id, carrier=carrier, tracking_no=tracking_no, sent_at=sent_at
        )
    )
