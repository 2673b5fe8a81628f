"""Effect of orders on requisitions. An order takes pieces of lines, and releases them if it
ends without delivery. A piece is ordered once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import F
from django.utils import timezone

from apps.requisitions.errors import RequisitionTaken
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.services.requisition_moves import (
    MOVED_TOPIC,
    requisition_record,
    requisition_stands,
    requisition_tell,
    requisitions_lock,
)

if TYPE_CHECKING:
    from apps.org.models import Account


class Take(NamedTuple):
    """Pieces of a line that an order takes."""

    line_id: int
    order_no: str
    quantity: int


def requisitions_order(*, actor: Account, takes: Sequence[Take]) -> None:
    """Mark pieces as ordered and notify the requesters. Runs in the transaction of the caller,
    after all its other locks.

    Raises:
        RequisitionTaken: a requisition has ended, or a line has not enough pieces left.
    """
    if not takes:
        return
    pks = {take.line_id for take in takes}
    rows = requisitions_lock(
        ids=set(
            RequisitionLine.objects.filter(pk__in=pks)
            .order_by()
            .values_list("requisition_id", flat=True)
        )
    )
    lines = RequisitionLine.objects.in_bulk(pks)
    for take in takes:
        line = lines[take.line_id]
        line.ordered_quantity += take.quantity
        line.gathered_by = line.cart_item = None
        line.gathered_quantity = 0
    if any(not row.is_standing for row in rows.values()) or any(
        line.left < 0 for line in lines.values()
    ):
        raise RequisitionTaken
    RequisitionLine.objects.bulk_update(
        lines.values(), ["ordered_quantity", "gathered_by", "cart_item", "gathered_quantity"]
    )
    now = timezone.now()
    RequisitionTake.objects.bulk_create(
        RequisitionTake(
            group_id=line.group_id,
            line=line,
            order_no=take.order_no,
            quantity=take.quantity,
            buyer=actor,
            at=now,
        )
        for take in takes
        for line in [lines[take.line_id]]
    )
    for pk, row in rows.items():
        orders = sorted(
            {take.order_no for take in takes if lines[take.line_id].requisition_id == pk}
        )
        _moved(
            row,
            actor=actor,
            kind="ordered",
            note=f"订单 {'、'.join(orders)}",
            told=f"{actor.nickname}已下单，订单 {'、'.join(orders)}",
        )


def requisitions_free(*, actor: Account | None, order_no: str) -> None:
    """Release the pieces of an order that ended without delivery, and notify the requesters. A
    requisition that has ended meanwhile keeps its state.
    """
    takes = list(RequisitionTake.objects.filter(order_no=order_no).select_related("line"))
    rows = requisitions_lock(ids={take.line.requisition_id for take in takes})
    for take in takes:
        RequisitionLine.objects.filter(pk=take.line_id).update(
            ordered_quantity=F("ordered_quantity") - take.quantity
        )
    RequisitionTake.objects.filter(pk__in=[take.pk for take in takes]).delete()
    for row in rows.values():
        _moved(
            row,
            actor=actor,
            kind="freed",
            note=f"订单 {order_no}",
            told=f"订单 {order_no} 未成，申请恢复待采购",
        )


def _moved(row: Requisition, *, actor: Account | None, kind: str, note: str, told: str) -> None:
    before = row.status
    requisition_stands(row)
    requisition_record(row, actor=actor, kind=kind, before=before, note=note)
    to = {row.requester_id} - ({actor.pk} if actor else set())
    title = f"您的采购申请 {row.requisition_no} {row.get_status_display()}"
    requisition_tell(row, topic=MOVED_TOPIC, to=to, title=title, text=told, once=f"{kind}:{note}")
