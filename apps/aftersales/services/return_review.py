"""Review an application (staff): approve it with or without goods, or reject it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone

from apps.aftersales.enums import ReturnEventKind, ReturnFinding, ReturnWay
from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import quantities_of, return_record, return_transition
from apps.aftersales.services.return_quantities import quantities_free
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account


def return_approve(
    *, actor: Account, return_id: int, send_to: str = "", needs_goods: bool = True, note: str = ""
) -> ReturnOrder:
    """待审核 → 待寄回; without goods → 处理中 with all pieces accepted.

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
                accepted_quantity=F("quantity"), finding=ReturnFinding.AS_TOLD
            )
        else:
            before = return_transition(return_order, "approve", "审核", at=timezone.now())
            if return_order.way == ReturnWay.SEND and not send_to.strip():
                raise ValidationFailed({"send_to": ["请填写客户寄回的收件地址"]})
            return_order.send_to = send_to.strip()
        return_record(
            return_order, actor=actor, kind=ReturnEventKind.APPROVED, before=before, reason=note
        )
    return return_order


def return_reject(*, actor: Account, return_id: int, reason: str) -> ReturnOrder:
    """待审核 → 审核驳回. The pieces stay with the customer.

    Raises:
        WrongState: it is not 待审核.
        ValidationFailed: the reason is empty.
    """
    if not reason.strip():
        raise ValidationFailed({"reason": ["请填写驳回原因"]})
    with locked_return(return_id=return_id) as return_order:
        before = return_transition(return_order, "reject", "驳回", reason=reason.strip())
        quantities_free(quantities=quantities_of(return_order))
        return_record(
            return_order,
            actor=actor,
            kind=ReturnEventKind.REJECTED,
            before=before,
            reason=reason.strip(),
        )
    return return_order
