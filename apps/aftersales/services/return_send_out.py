"""Send a parcel to the customer (staff): a replacement, repaired goods, or refused goods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.aftersales.enums import ParcelDirection, ReturnEventKind, ReturnKind, ReturnStatus
from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import (
    RETURNS,
    accepted_of,
    return_record,
    return_transition,
)
from apps.aftersales.services.return_parcels import parcel_record
from apps.aftersales.services.return_refund import shelf_fill
from apps.catalog.services.stock import stock_reserve, stock_ship
from apps.common.errors import WrongState
from apps.orders.models import OrderLine

if TYPE_CHECKING:
    from apps.org.models import Account


def return_send_out(
    *, actor: Account, return_id: int, carrier: str, tracking_no: str
) -> ReturnOrder:
    """处理中 → 待确认. The replacement of a 换货 leaves the stock, or a 维修 is sent back. Refused
    pieces
    are in the same parcel.

    Raises:
        WrongState: it is not 处理中, is a 退货, or no piece was accepted.
        StockShort: the stock is too low for the replacement.
        ValidationFailed: the carrier or the number is missing.
    """
    with locked_return(return_id=return_id) as return_order:
        accepted = accepted_of(return_order)
        if return_order.status != ReturnStatus.PROCESSING or return_order.kind == ReturnKind.RETURN:
            raise RETURNS.wrong_state(return_order, "寄出商品")
        if not accepted:
            raise WrongState("没有通过检测的商品，请登记退还给客户的包裹")
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
            _replace(return_order, accepted)
        kind = ReturnEventKind.REPLACED if is_exchange else ReturnEventKind.REPAIRED
        return_record(
            return_order,
            actor=actor,
            kind=kind,
            before=before,
            reason=f"{parcel}，{contents_told(return_order)}",
        )
    return return_order


def contents_told(return_order: ReturnOrder) -> str:
    """Return the contents of the parcel of a 换货 or 维修 as text: replaced or repaired pieces, and
    refused pieces.
    """
    done = "换新" if return_order.kind == ReturnKind.EXCHANGE else "修好"
    refused = refused_of(return_order)
    return f"{done} {sum(accepted_of(return_order).values())} 件" + (
        f"，随包裹退还未通过的 {refused} 件" if refused else ""
    )


def return_send_refused(
    *, actor: Account, return_id: int, carrier: str, tracking_no: str
) -> ReturnOrder:
    """Send the refused pieces of a return to the customer. If no piece was accepted, 处理中 →
    待确认.

    Raises:
        WrongState: all pieces were accepted, or it is not 处理中 or 待确认.
        ValidationFailed: the carrier or the number is missing, or the parcel was sent already.
    """
    with locked_return(return_id=return_id) as return_order:
        accepted = accepted_of(return_order)
        if return_order.status not in (ReturnStatus.PROCESSING, ReturnStatus.PENDING_CONFIRM):
            raise RETURNS.wrong_state(return_order, "退还商品")
        if not refused_of(return_order):
            raise WrongState("商品全部通过检测，没有需要退还的")
        before = (
            return_order.status
            if accepted
            else return_transition(return_order, "settle", "退还商品")
        )
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


def refused_of(return_order: ReturnOrder) -> int:
    """Return the number of pieces that were requested but not accepted."""
    return sum(row.quantity - (row.accepted_quantity or 0) for row in return_order.lines.all())


def _replace(return_order: ReturnOrder, accepted: dict[int, int]) -> None:
    """Take the replacement from the stock, after the returned pieces that can be sold again
    were added.
    """
    shelf_fill(return_order)
    products = dict(OrderLine.objects.filter(pk__in=accepted).values_list("pk", "product_id"))
    pieces: dict[int, int] = {}
    for pk, quantity in accepted.items():
        pieces[products[pk]] = pieces.get(products[pk], 0) + quantity
    stock_reserve(lines=pieces, reference=return_order.return_no)
    stock_ship(lines=pieces, reference=return_order.return_no)
