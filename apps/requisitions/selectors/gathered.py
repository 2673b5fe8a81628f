"""Requisition lines in cart lines. Their pieces keep the requester and the cost center."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.cart.selectors.cart import CartLine
from apps.requisitions.models import RequisitionLine


@dataclass(frozen=True, slots=True)
class Gathered:
    """Pieces of a cart line from a requisition. `wrong` is the reason why they can no longer be
    ordered.
    """

    line_id: int
    item_id: int
    quantity: int
    requisition_no: str
    requester: str
    cost_center: str
    wrong: str = ""


def gathered_of(lines: Iterable[CartLine]) -> dict[int, list[Gathered]]:
    """Return the requisition pieces by cart line, sorted by the time of the requisition. One
    query; none if no cart line has such pieces.
    """
    ids = [line.item_id for line in lines if line.is_for_colleagues]
    if not ids:
        return {}
    rows = RequisitionLine.objects.filter(
        cart_item__in=ids, gathered_quantity__gt=0
    ).select_related("requisition__requester")
    found: dict[int, list[Gathered]] = {}
    for row in rows.order_by("requisition__submitted_at", "pk"):
        item_id = row.cart_item_id or 0
        found.setdefault(item_id, []).append(_gathered(row, item_id))
    return found


def _gathered(row: RequisitionLine, item_id: int) -> Gathered:
    asked = row.requisition
    wrong = "" if asked.is_standing else str(asked.get_status_display())
    if not wrong and row.gathered_quantity > row.left:
        wrong = "已由同事下单"
    return Gathered(
        row.pk,
        item_id,
        row.gathered_quantity,
        asked.requisition_no,
        asked.requester.nickname,
        asked.cost_center,
        wrong,
    )
