"""Effect of orders on requisitions. An order takes pieces of lines, and releases them if it ends
without delivery. A piece is ordered once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.cart.locks import lock_cart
from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_fill
from apps.requisitions.errors import RequisitionNotFound, RequisitionTaken
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.selectors import requisitions_seen
from apps.requisitions.services.requisition_flow import (
    MOVED_TOPIC,
    requisition_record,
    requisition_stands,
    requisition_tell,
    requisitions_lock,
)

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def requisition_gather(
    *, actor: Account, quantities: Mapping[int, int]
) -> tuple[int, list[tuple[str, str]]]:
    """Add pieces of lines ({line: pieces}) to the actor's cart. Return the number of added
    lines, and (name, reason) of the refused ones.

    At most one cart holds a line at a time. The submit of the order checks the requisition again.

    Raises:
        RequisitionNotFound: the actor cannot see the requisition of a line.
    """
    lock_cart(actor=actor)
    found = list(
        RequisitionLine.objects.filter(
            pk__in=quantities,
            requisition__in=requisitions_seen(actor=actor).order_by().values("pk"),
        )
    )
    if len(found) < len(quantities):
        raise RequisitionNotFound
    rows = requisitions_lock(ids={line.requisition_id for line in found})
    # Read the lines again under the lock.
    lines = list(
        RequisitionLine.objects.filter(pk__in=quantities)
        .select_related("gathered_by")
        .order_by("pk")
    )
    alive = set(
        CartItem.objects.filter(
            pk__in=[line.cart_item_id for line in lines if line.cart_item_id]
        ).values_list("pk", flat=True)
    )
    told: list[tuple[str, str]] = []
    taken: list[RequisitionLine] = []
    for line in lines:
        why = _why_not(
            line,
            rows[line.requisition_id],
            quantities[line.pk],
            is_held=line.cart_item_id in alive,
            actor=actor,
        )
        if why:
            told.append((line.name, why))
        else:
            taken.append(line)
    refused = _fill(actor, taken, quantities)
    told += [
        (line.name, refused[line.product_code]) for line in taken if line.product_code in refused
    ]
    gathered = [line for line in taken if line.product_code not in refused]
    _note(actor, rows, gathered)
    return len(gathered), told


def _why_not(
    line: RequisitionLine, row: Requisition, quantity: int, *, is_held: bool, actor: Account
) -> str:
    if not row.is_standing:
        return f"申请{row.get_status_display()}，请刷新查看"
    if is_held and line.gathered_by is not None:
        return (
            "已在您的购物车中"
            if line.gathered_by_id == actor.pk
            else f"{line.gathered_by.nickname}正在采购"
        )
    if quantity > line.left:
        return f"只剩 {line.left} {line.unit}未下单，请调整数量" if line.left else "已全部下单"
    return ""


def _fill(
    actor: Account, lines: list[RequisitionLine], quantities: Mapping[int, int]
) -> dict[str, str]:
    """Add the lines to the cart and link them to its cart lines. Return the reasons of refused
    products, by code.
    """
    wanted: Counter[str] = Counter()
    for line in lines:
        wanted[line.product_code] += quantities[line.pk]
    _, left_out = cart_fill(actor=actor, quantities=wanted)
    refused = {code: why for code, _, why in left_out}
    items = dict(
        CartItem.objects.filter(
            account=actor, product__in=[line.product_id for line in lines]
        ).values_list("product_id", "pk")
    )
    for line in lines:
        if line.product_code not in refused:
            line.gathered_by, line.cart_item_id, line.gathered_quantity = (
                actor,
                items[line.product_id],
                quantities[line.pk],
            )
    RequisitionLine.objects.bulk_update(
        [line for line in lines if line.product_code not in refused],
        ["gathered_by", "cart_item", "gathered_quantity"],
    )
    return refused


def _note(actor: Account, rows: Mapping[int, Requisition], gathered: list[RequisitionLine]) -> None:
    for pk, row in rows.items():
        names = [
            f"{line.name} {line.gathered_quantity} {line.unit}"
            for line in gathered
            if line.requisition_id == pk
        ]
        if names:
            requisition_record(
                row, actor=actor, kind="gathered", before=row.status, note="、".join(names)
            )


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
