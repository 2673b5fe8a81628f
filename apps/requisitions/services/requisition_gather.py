"""加入采购: a buyer adds lines of colleagues' requisitions to the own cart. Each line keeps its
requester and its cost center.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.locks import lock_cart
from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_fill
from apps.requisitions.errors import RequisitionNotFound
from apps.requisitions.models import Requisition, RequisitionLine
from apps.requisitions.selectors.requisitions import requisitions_seen
from apps.requisitions.services.requisition_moves import requisition_record, requisitions_lock

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
