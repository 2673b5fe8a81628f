"""End a requisition before all of it is ordered. A buyer returns it with a reason, or the
requester withdraws it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.locks import lock_cart
from apps.cart.models import CartItem
from apps.common.errors import ValidationFailed, WrongState
from apps.requisitions.errors import NotYourRequisition, RequisitionNotFound
from apps.requisitions.models import Requisition, RequisitionLine
from apps.requisitions.selectors.requisitions import requisitions_seen
from apps.requisitions.services.requisition_moves import (
    MOVED_TOPIC,
    requisition_move,
    requisition_record,
    requisition_tell,
    requisitions_lock,
)

if TYPE_CHECKING:
    from apps.org.models import Account


def _locked(actor: Account, requisition_no: str) -> Requisition:
    pk = (
        requisitions_seen(actor=actor)
        .filter(requisition_no=requisition_no)
        .values_list("pk", flat=True)
        .first()
    )
    if pk is None:
        raise RequisitionNotFound
    return requisitions_lock(ids=[pk])[pk]


def _gatherers(row: Requisition) -> set[int]:
    """Return the keys of the buyers whose carts hold lines of the requisition."""
    lines = RequisitionLine.objects.filter(
        requisition=row, cart_item__in=CartItem.objects.values("pk")
    )
    return {
        pk for pk in lines.order_by().values_list("gathered_by_id", flat=True) if pk is not None
    }


@transaction.atomic
def requisition_return(*, actor: Account, requisition_no: str, reason: str) -> Requisition:
    """Return the unordered rest to its requester, who gets a notice with the reason. Its pieces
    leave the actor's cart.

    Raises:
        ValidationFailed: the reason is empty.
        RequisitionNotFound: the actor cannot see a requisition with this number.
        WrongState: it is the actor's own, or it has ended.
    """
    if not reason.strip():
        raise ValidationFailed({"Reason": ["请填写退回原因，以便申请人修改后重新提交"]})
    lock_cart(actor=actor)
    row = _locked(actor, requisition_no)
    if row.requester_id == actor.pk:
        raise WrongState("这是您自己的申请，不需要时请撤回")
    before = requisition_move(row, "give_back", "退回", reason=reason)
    _out_of_cart(actor, row)
    requisition_record(row, actor=actor, kind="returned", before=before, note=reason)
    title = f"您的采购申请 {row.requisition_no} 被退回"
    told = {row.requester_id} | (_gatherers(row) - {actor.pk})
    requisition_tell(
        row,
        topic=MOVED_TOPIC,
        to=told,
        title=title,
        text=f"{actor.nickname}：{reason}",
        once=row.status,
    )
    return row


def _out_of_cart(actor: Account, row: Requisition) -> None:
    for line in RequisitionLine.objects.filter(
        requisition=row, gathered_by=actor, cart_item__in=CartItem.objects.values("pk")
    ):
        item = CartItem.objects.get(pk=line.cart_item_id)
        if item.quantity > line.gathered_quantity:
            item.quantity -= line.gathered_quantity
            item.save(update_fields=["quantity", "updated_at"])
        else:
            item.delete()
    RequisitionLine.objects.filter(requisition=row, gathered_by=actor).update(
        gathered_by=None, cart_item=None, gathered_quantity=0
    )


@transaction.atomic
def requisition_withdraw(*, actor: Account, requisition_no: str, reason: str = "") -> Requisition:
    """Withdraw the unordered rest of an own requisition. Buyers whose carts hold lines of it
    get a notice and can no longer order them.

    Raises:
        RequisitionNotFound: the actor cannot see a requisition with this number.
        NotYourRequisition: it belongs to a colleague.
        WrongState: all of it is ordered, or it has ended.
    """
    row = _locked(actor, requisition_no)
    if row.requester_id != actor.pk:
        raise NotYourRequisition
    before = requisition_move(row, "withdraw", "撤回", reason=reason)
    requisition_record(row, actor=actor, kind="withdrawn", before=before, note=reason)
    title = f"{actor.nickname}撤回了采购申请 {row.requisition_no}"
    text = "请从购物车移出申请的商品" + (f"；原因：{reason}" if reason else "")
    requisition_tell(
        row, topic=MOVED_TOPIC, to=_gatherers(row), title=title, text=text, once=row.status
    )
    return row
