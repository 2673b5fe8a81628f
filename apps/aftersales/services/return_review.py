"""The decisions of the staff on a return: approve or reject the application, receive the goods,
and record the inspection of each line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone

from apps.aftersales.enums import ReturnEventKind, ReturnFinding, ReturnWay
from apps.aftersales.errors import (
    AcceptedQuantityExceeded,
    InspectionMissing,
    InspectionNoteMissing,
    ReturnAddressMissing,
    ReturnRejectionReasonMissing,
)
from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnLine, ReturnOrder
from apps.aftersales.services.return_flow import (
    get_requested_quantities,
    return_record,
    return_transition,
)
from apps.aftersales.services.return_quantities import quantities_free

if TYPE_CHECKING:
    from apps.org.models import Account


def return_approve(
    *, actor: Account, return_id: int, send_to: str = "", needs_goods: bool = True, note: str = ""
) -> ReturnOrder:
    """Approve a return that waits for review (待审核). The customer then sends the goods to the
    address `send_to` (待寄回). If no goods come back (`needs_goods` is False, or the return's way
    is NONE), the return moves to 处理中 and all its pieces are accepted.

    Raises:
        WrongState: it is not 待审核.
        ValidationFailed: the customer has to send the goods, and the address is empty.
    """
    with locked_return(return_id=return_id) as return_order:
        if not needs_goods or return_order.way == ReturnWay.NONE:
            before = return_transition(
                return_order, "approve_without_goods", "审核", at=timezone.now()
            )
            return_order.way = ReturnWay.NONE
            return_order.save(update_fields=["way"])
            return_order.lines.update(
                accepted_quantity=F("quantity"), finding=ReturnFinding.AS_DESCRIBED
            )
        else:
            before = return_transition(return_order, "approve", "审核", at=timezone.now())
            if return_order.way == ReturnWay.SEND and not send_to.strip():
                raise ReturnAddressMissing
            return_order.send_to = send_to.strip()
        return_record(
            return_order, actor=actor, kind=ReturnEventKind.APPROVED, before=before, reason=note
        )
    return return_order


def return_reject(*, actor: Account, return_id: int, reason: str) -> ReturnOrder:
    """Reject a return (待审核 → 审核驳回). The pieces stay with the customer.

    Raises:
        WrongState: it is not 待审核.
        ValidationFailed: the reason is empty.
    """
    if not reason.strip():
        raise ReturnRejectionReasonMissing
    with locked_return(return_id=return_id) as return_order:
        before = return_transition(return_order, "reject", "驳回", reason=reason.strip())
        quantities_free(quantities=get_requested_quantities(return_order))
        return_record(
            return_order,
            actor=actor,
            kind=ReturnEventKind.REJECTED,
            before=before,
            reason=reason.strip(),
        )
    return return_order


@dataclass(frozen=True, slots=True)
class InspectionResult:
    """The inspection result of a line. Refused pieces go back to the customer, and the note has
    the reason.
    """

    accepted: int
    finding: str = ReturnFinding.AS_DESCRIBED
    note: str = ""
    to_shelf: bool = False


def return_receive(*, actor: Account, return_id: int) -> ReturnOrder:
    """Record that the goods of a return arrived (待收货 → 检测中).

    Raises:
        WrongState: it is not 待收货.
    """
    with locked_return(return_id=return_id) as return_order:
        before = return_transition(return_order, "receive", "收货", at=timezone.now())
        return_record(return_order, actor=actor, kind=ReturnEventKind.RECEIVED, before=before)
    return return_order


def return_inspect(
    *, actor: Account, return_id: int, lines: Mapping[int, InspectionResult]
) -> ReturnOrder:
    """Record the result of the inspection (检测中 → 处理中). `lines` is {return line pk: result}.
    Refused pieces leave after-sales.

    Raises:
        WrongState: it is not 检测中.
        QuantityExceeded: more pieces of a line are accepted than requested.
        ValidationFailed: a line has no result, or pieces are refused without a note.
    """
    with locked_return(return_id=return_id) as return_order:
        before = return_transition(return_order, "inspect", "登记检测结果", at=timezone.now())
        rows = list(return_order.lines.select_related("order_line").order_by("no"))
        for row in rows:
            _set_inspection(row, lines.get(row.pk))
        ReturnLine.objects.bulk_update(
            rows, ["accepted_quantity", "finding", "finding_note", "to_shelf"]
        )
        quantities_free(
            quantities={
                row.order_line_id: row.quantity - (row.accepted_quantity or 0) for row in rows
            }
        )
        requested_pieces = sum(row.quantity for row in rows)
        accepted = sum(row.accepted_quantity or 0 for row in rows)
        notes = "；".join(
            f"{row.order_line.name}：{row.finding_note}" for row in rows if row.finding_note
        )
        note = f"申请 {requested_pieces} 件，通过 {accepted} 件" + (f"；{notes}" if notes else "")
        return_record(
            return_order, actor=actor, kind=ReturnEventKind.INSPECTED, before=before, reason=note
        )
    return return_order


def _set_inspection(row: ReturnLine, result: InspectionResult | None) -> None:
    """Check the result and set it on the line. Nothing is saved.

    Raises:
        InspectionMissing, AcceptedQuantityExceeded, InspectionNoteMissing: the result is incomplete
            or wrong.
    """
    name = row.order_line.name
    if result is None:
        raise InspectionMissing(name)
    if not 0 <= result.accepted <= row.quantity:
        raise AcceptedQuantityExceeded(name, row.quantity)
    note = result.note.strip()
    if result.accepted < row.quantity and not note:
        raise InspectionNoteMissing(name)
    row.accepted_quantity = result.accepted
    row.finding = result.finding
    row.finding_note = note
    row.to_shelf = result.to_shelf and result.accepted > 0
