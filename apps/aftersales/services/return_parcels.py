"""The parcels of a return: goods that come back, replacements, repaired and refused goods that go
out, and their tracking at the carriers.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.aftersales.enums import (
    ParcelDirection,
    ReturnEventKind,
    ReturnKind,
    ReturnStatus,
    ReturnWay,
)
from apps.aftersales.errors import (
    NothingToSend,
    NothingToSendBack,
    ParcelIncomplete,
    ParcelPickedUp,
    ParcelRecordedAlready,
)
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ENDED, ReturnOrder, ReturnParcel
from apps.aftersales.services.return_flow import (
    RETURNS,
    get_accepted_quantities,
    return_record,
    return_transition,
)
from apps.aftersales.services.return_refund import shelf_fill
from apps.catalog.services.stock import stock_reserve, stock_ship
from apps.common.background.periodic import run_for_each
from apps.orders.models import OrderLine
from apps.orders.services.shipments import TRACKING_PERIOD, tracking_refresh

if TYPE_CHECKING:
    from apps.org.models import Account


# Topics of a parcel that was just sent.
SENT_TOPICS = ("return.sent", "return.replaced", "return.repaired", "return.sent_out")
# Parcels in transit. A parcel to the mall ends with its receipt, a parcel to the customer with the
# end of the return.
IN_TRANSIT = ~Q(return_order__status__in=ENDED) & (
    ~Q(direction=ParcelDirection.BACK) | Q(return_order__received_at__isnull=True)
)
PARCEL_COLUMNS = ("group_id", "carrier", "tracking_no", "sent_at")


@transaction.atomic
def return_ship(*, actor: Account, return_no: str, carrier: str, tracking_no: str) -> ReturnOrder:
    """Record the parcel that the customer sent back (待寄回 → 待收货).

    Raises:
        ReturnNotFound, NotYourReturn: the actor cannot see or change the return.
        WrongState: it is not 待寄回, or the mall picks the goods up.
        ValidationFailed: the carrier or the number is missing.
    """
    return_order = lock_own_return(actor=actor, return_no=return_no)
    if return_order.status == ReturnStatus.PENDING_SEND and return_order.way == ReturnWay.PICKUP:
        raise ParcelPickedUp
    return _record_sent_back(return_order, actor=actor, carrier=carrier, tracking_no=tracking_no)


def return_fetched(
    *, actor: Account, return_id: int, carrier: str, tracking_no: str
) -> ReturnOrder:
    """Record as staff that the goods are on their way (待寄回 → 待收货): after the pickup, or when
    the customer reports the parcel by telephone.

    Raises:
        WrongState: it is not 待寄回.
        ValidationFailed: the carrier or the number is missing.
    """
    with locked_return(return_id=return_id) as return_order:
        return _record_sent_back(
            return_order, actor=actor, carrier=carrier, tracking_no=tracking_no
        )


def _record_sent_back(
    return_order: ReturnOrder, *, actor: Account, carrier: str, tracking_no: str
) -> ReturnOrder:
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


def return_send_out(
    *, actor: Account, return_id: int, carrier: str, tracking_no: str
) -> ReturnOrder:
    """Send the result of a return to the customer (处理中 → 待确认). The replacement of a 换货
    leaves the stock, or a 维修 is sent back. Refused pieces are in the same parcel.

    Raises:
        WrongState: it is not 处理中, is a 退货, or no piece was accepted.
        StockShort: the stock is too low for the replacement.
        ValidationFailed: the carrier or the number is missing.
    """
    with locked_return(return_id=return_id) as return_order:
        accepted = get_accepted_quantities(return_order)
        if return_order.status != ReturnStatus.PROCESSING or return_order.kind == ReturnKind.RETURN:
            raise RETURNS.build_wrong_state(return_order, "寄出商品")
        if not accepted:
            raise NothingToSend
        before = return_transition(return_order, "settle", "寄出商品")
        parcel = parcel_record(
            return_order,
            actor=actor,
            direction=ParcelDirection.OUT,
            carrier=carrier,
            tracking_no=tracking_no,
        )
        is_exchange = return_order.kind == ReturnKind.EXCHANGE
        if is_exchange:
            _take_replacement(return_order, accepted)
        kind = ReturnEventKind.REPLACED if is_exchange else ReturnEventKind.REPAIRED
        return_record(
            return_order,
            actor=actor,
            kind=kind,
            before=before,
            reason=f"{parcel}，{get_parcel_contents(return_order)}",
        )
    return return_order


def get_parcel_contents(return_order: ReturnOrder) -> str:
    """Return the contents of the parcel of a 换货 or 维修 as text: replaced or repaired pieces, and
    refused pieces.
    """
    verb = "换新" if return_order.kind == ReturnKind.EXCHANGE else "修好"
    refused_pieces = count_refused(return_order)
    text = f"{verb} {sum(get_accepted_quantities(return_order).values())} 件"
    return text + (f"，随包裹退还未通过的 {refused_pieces} 件" if refused_pieces else "")


def return_send_refused(
    *, actor: Account, return_id: int, carrier: str, tracking_no: str
) -> ReturnOrder:
    """Send the refused pieces of a return to the customer. If no piece was accepted, the return
    moves from 处理中 to 待确认.

    Raises:
        WrongState: all pieces were accepted, or it is not 处理中 or 待确认.
        ValidationFailed: the carrier or the number is missing, or the parcel was sent already.
    """
    with locked_return(return_id=return_id) as return_order:
        accepted = get_accepted_quantities(return_order)
        if return_order.status not in (ReturnStatus.PROCESSING, ReturnStatus.PENDING_CONFIRM):
            raise RETURNS.build_wrong_state(return_order, "退还商品")
        if not count_refused(return_order):
            raise NothingToSendBack
        before = return_order.status
        if not accepted:
            return_transition(return_order, "settle", "退还商品")
        parcel = parcel_record(
            return_order,
            actor=actor,
            direction=ParcelDirection.REFUSED,
            carrier=carrier,
            tracking_no=tracking_no,
        )
        return_record(
            return_order,
            actor=actor,
            kind=ReturnEventKind.SENT_OUT,
            before=before,
            reason=str(parcel),
        )
    return return_order


def count_refused(return_order: ReturnOrder) -> int:
    """Return the number of pieces that were requested but not accepted."""
    return sum(row.quantity - (row.accepted_quantity or 0) for row in return_order.lines.all())


def _take_replacement(return_order: ReturnOrder, accepted: dict[int, int]) -> None:
    """Take the replacement from the stock, after the returned pieces that can be sold again
    were added.
    """
    shelf_fill(return_order)
    products = dict(OrderLine.objects.filter(pk__in=accepted).values_list("pk", "product_id"))
    pieces: Counter[int] = Counter()
    for pk, quantity in accepted.items():
        pieces[products[pk]] += quantity
    stock_reserve(lines=pieces, reference=return_order.return_no)
    stock_ship(lines=pieces, reference=return_order.return_no)


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
        raise ParcelIncomplete(empty)
    if return_order.parcels.filter(direction=direction).exists():
        raise ParcelRecordedAlready
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


def returns_track() -> int:
    """Query the carrier for every parcel in transit. Returns the number of parcels with tracking
    data. The caller must open the platform scope.
    """
    rows = (
        ReturnParcel.objects.filter(IN_TRANSIT, sent_at__gt=timezone.now() - TRACKING_PERIOD)
        .order_by("pk")
        .values_list(*PARCEL_COLUMNS)
    )
    return run_for_each(rows.iterator(), _refresh_tracking)


def handle_parcel_sent(_key: str, payload: dict[str, Any]) -> None:
    """Outbox: query the carrier for the parcels of a return right after sending, so that its
    page shows tracking at once.
    """
    for row in ReturnParcel.objects.filter(
        IN_TRANSIT, return_order=payload["return_id"]
    ).values_list(*PARCEL_COLUMNS):
        _refresh_tracking(*row)


def _refresh_tracking(group_id: int, carrier: str, tracking_no: str, sent_at: datetime) -> bool:
    return bool(
        tracking_refresh(
            group_id=group_id, carrier=carrier, tracking_no=tracking_no, sent_at=sent_at
        )
    )
