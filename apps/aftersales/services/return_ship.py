"""Record the parcel to the mall: the customer enters it, or staff do after the pickup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.aftersales.enums import ParcelDirection, ReturnEventKind, ReturnStatus, ReturnWay
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import return_record, return_transition
from apps.aftersales.services.return_parcels import parcel_record
from apps.common.errors import WrongState

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def return_ship(*, actor: Account, return_no: str, carrier: str, tracking_no: str) -> ReturnOrder:
    """待寄回 → 待收货, by the customer.

    Raises:
        ReturnNotFound, NotYourReturn: the actor cannot see or change the return.
        WrongState: it is not 待寄回, or the mall picks the goods up.
        ValidationFailed: the carrier or the number is missing.
    """
    return_order = lock_own_return(actor=actor, return_no=return_no)
    if return_order.status == ReturnStatus.PENDING_SEND and return_order.way == ReturnWay.PICKUP:
        raise WrongState("该售后单由我们上门取件，无需填写运单")
    return _ship(return_order, actor, carrier, tracking_no)


def return_fetched(
    *, actor: Account, return_id: int, carrier: str, tracking_no: str
) -> ReturnOrder:
    """待寄回 → 待收货, by staff: after the pickup, or when the customer reports the parcel by
    telephone.

    Raises:
        WrongState: it is not 待寄回.
        ValidationFailed: the carrier or the number is missing.
    """
    with locked_return(return_id=return_id) as return_order:
        return _ship(return_order, actor, carrier, tracking_no)


def _ship(return_order: ReturnOrder, actor: Account, carrier: str, tracking_no: str) -> ReturnOrder:
    before = return_transition(return_order, "send_back", "登记寄回")
    parcel = parcel_record(
        return_order,
        actor=actor,
        direction=ParcelDirection.BACK,
        carrier=carrier,
        tracking_no=tracking_no,
    )
    return_record(
        return_order, actor=actor, kind=ReturnEventKind.SENT, before=before, reason=str(parcel)
    )
    return return_order
