"""Buyers order the lines of requisitions. 加入采购: a buyer adds lines of colleagues' requisitions
to their own cart; each line keeps its requester and its cost center. An order takes pieces of
lines, and releases them if it ends without delivery. A piece is ordered once.
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
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import require_purchasing
from apps.requisitions import texts
from apps.requisitions.enums import RequisitionEventKind
from apps.requisitions.errors import RequisitionNotFound, RequisitionTaken
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.selectors import list_visible_requisitions
from apps.requisitions.services.requisitions import (
    MOVED,
    requisition_note,
    requisition_notify,
    requisition_set_ordered,
    requisitions_lock,
)

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def requisition_gather(
    *, actor: Account, quantities: Mapping[int, int]
) -> tuple[int, list[tuple[RequisitionLine, str]]]:
    """Add pieces of lines ({line: pieces}) to the actor's cart. Return the number of added
    lines, and (line, reason) of the refused ones. A line has its product and brand.

    At most one cart holds a line at a time. The submit of the order checks the requisition again.

    Raises:
        RequisitionNotFound: the actor cannot see the requisition of a line.
        PurchasingRefused: the actor may not order.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.ORDER)
    lock_cart(actor=actor)
    visible = list(
        RequisitionLine.objects.filter(
            pk__in=quantities,
            requisition__in=list_visible_requisitions(actor=actor).order_by().values("pk"),
        )
    )
    if len(visible) < len(quantities):
        raise RequisitionNotFound
    rows = requisitions_lock(ids={line.requisition_id for line in visible})
    # Read the lines again under the lock.
    lines = list(
        RequisitionLine.objects.filter(pk__in=quantities)
        .select_related("gathered_by", "product__brand")
        .order_by("pk")
    )
    items_in_carts = set(
        CartItem.objects.filter(
            pk__in=[line.cart_item_id for line in lines if line.cart_item_id]
        ).values_list("pk", flat=True)
    )
    left_out: list[tuple[RequisitionLine, str]] = []
    accepted: list[RequisitionLine] = []
    for line in lines:
        reason = _find_gather_refusal(
            line,
            rows[line.requisition_id],
            quantity=quantities[line.pk],
            is_held=line.cart_item_id in items_in_carts,
            actor=actor,
        )
        if reason:
            left_out.append((line, reason))
        else:
            accepted.append(line)
    reason_by_code = _add_to_cart(actor, accepted, quantities)
    gathered: list[RequisitionLine] = []
    for line in accepted:
        if line.product_code in reason_by_code:
            left_out.append((line, reason_by_code[line.product_code]))
        else:
            gathered.append(line)
    _record_gathered(actor, rows, gathered)
    return len(gathered), left_out


def _find_gather_refusal(
    line: RequisitionLine, row: Requisition, *, quantity: int, is_held: bool, actor: Account
) -> str:
    """Return why these pieces of a line cannot be gathered, "" if they can. `is_held`: a cart
    holds the line.
    """
    if not row.is_orderable:
        return texts.requisition_not_open(row.get_status_display())
    if is_held and line.gathered_by is not None:
        if line.gathered_by_id == actor.pk:
            return texts.IN_YOUR_CART
        return texts.in_cart_of(line.gathered_by.nickname)
    if quantity > line.left:
        return texts.less_left(left=line.left, unit=line.unit) if line.left else texts.ALL_ORDERED
    return ""


def _add_to_cart(
    actor: Account, lines: list[RequisitionLine], quantities: Mapping[int, int]
) -> dict[str, str]:
    """Add the lines to the cart and link them to its cart lines. Return the reasons of refused
    products, by code.
    """
    pieces: Counter[str] = Counter()
    for line in lines:
        pieces[line.product_code] += quantities[line.pk]
    _, left_out = cart_fill(actor=actor, quantities=pieces)
    reason_by_code = {code: reason for code, _, reason in left_out}
    items = dict(
        CartItem.objects.filter(
            account=actor, product__in=[line.product_id for line in lines]
        ).values_list("product_id", "pk")
    )
    gathered = [line for line in lines if line.product_code not in reason_by_code]
    for line in gathered:
        line.gathered_by = actor
        line.cart_item_id = items[line.product_id]
        line.gathered_quantity = quantities[line.pk]
    RequisitionLine.objects.bulk_update(gathered, ["gathered_by", "cart_item", "gathered_quantity"])
    return reason_by_code


def _record_gathered(
    actor: Account, rows: Mapping[int, Requisition], gathered: list[RequisitionLine]
) -> None:
    """Write into each requisition which of its lines went into a cart."""
    for pk, row in rows.items():
        names = [
            f"{line.name} {line.gathered_quantity} {line.unit}"
            for line in gathered
            if line.requisition_id == pk
        ]
        if names:
            requisition_note(
                row, actor=actor, kind=RequisitionEventKind.GATHERED, note="、".join(names)
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
    has_ended = any(not row.is_orderable for row in rows.values())
    if has_ended or any(line.left < 0 for line in lines.values()):
        raise RequisitionTaken
    RequisitionLine.objects.bulk_update(
        lines.values(), ["ordered_quantity", "gathered_by", "cart_item", "gathered_quantity"]
    )
    now = timezone.now()
    RequisitionTake.objects.bulk_create(
        RequisitionTake(
            group_id=lines[take.line_id].group_id,
            line=lines[take.line_id],
            order_no=take.order_no,
            quantity=take.quantity,
            buyer=actor,
            at=now,
        )
        for take in takes
    )
    for pk, row in rows.items():
        orders = "、".join(
            sorted({take.order_no for take in takes if lines[take.line_id].requisition_id == pk})
        )
        _set_ordered(
            row,
            actor=actor,
            kind=RequisitionEventKind.ORDERED,
            note=f"订单 {orders}",
            text=f"{actor.nickname}已下单，订单 {orders}",
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
        _set_ordered(
            row,
            actor=actor,
            kind=RequisitionEventKind.FREED,
            note=f"订单 {order_no}",
            text=f"订单 {order_no} 未成，申请恢复待采购",
        )


def _set_ordered(
    row: Requisition, *, actor: Account | None, kind: RequisitionEventKind, note: str, text: str
) -> None:
    """Set the state, write the event, and notify the requester unless it is the actor."""
    requisition_set_ordered(row, actor=actor, kind=kind, note=note)
    requisition_notify(
        row,
        actor=actor,
        topic=MOVED,
        to={row.requester_id} - ({actor.pk} if actor else set()),
        title=f"您的采购申请 {row.requisition_no} {row.get_status_display()}",
        text=text,
        once=f"{kind}:{note}",
    )
