"""Parcels of a return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.aftersales.enums import ParcelDirection
from apps.aftersales.models import ReturnOrder, ReturnParcel
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account


def parcel_record(
    return_order: ReturnOrder,
    *,
    actor: Account,
    direction: ParcelDirection,
    carrier: str,
    tracking_no: str,
) -> ReturnParcel:
    """Save and return a new parcel of a locked return.

    Raises:
        ValidationFailed: the carrier or the number is missing, or this direction has a parcel
            already.
    """
    empty = [
        name
        for name, text in (("Carrier", carrier), ("TrackingNo", tracking_no))
        if not text.strip()
    ]
    if empty:
        raise ValidationFailed({name: ["请填写承运商和运单号"] for name in empty})
    if return_order.parcels.filter(direction=direction).exists():
        raise ValidationFailed({"TrackingNo": ["该包裹已登记，请刷新后查看"]})
    parcel: ReturnParcel = ReturnParcel.objects.create(
        group_id=return_order.group_id,
        return_order=return_order,
        direction=direction,
        carrier=carrier.strip(),
        tracking_no=tracking_no.strip(),
        sent_by=actor.impersonator or actor,
        sent_at=timezone.now(),
    )
    return parcel
