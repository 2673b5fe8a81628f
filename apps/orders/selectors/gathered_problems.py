"""What keeps colleagues' pieces in a cart from being ordered for them, each with what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.cart.selectors.cart import CartLine
from apps.cart.selectors.gathered import Gathered
from apps.common.errors import Stale, ValidationFailed
from apps.orders.selectors.checkout_problems import CheckoutProblem


def gathered_problems(*, lines: Sequence[CartLine], gathered: Mapping[int, Sequence[Gathered]]) -> list[CheckoutProblem]:
    """Return the lines whose requisition has ended or was ordered by another, and those lowered below what was asked for."""
    found: list[CheckoutProblem] = []
    for line in lines:
        rows = gathered.get(line.item_id, ())
        for row in rows:
            if row.wrong:
                what = f"{row.requester}的采购申请 {row.requisition_no}{row.wrong}"
                found.append(CheckoutProblem(Stale.code, f"“{line.offer.name}”来自{what}，请从购物车移出后重试", line.item_id))
        asked = sum(row.quantity for row in rows)
        if asked > line.quantity:
            message = (
                f"“{line.offer.name}”中有 {asked} {line.offer.product.unit}来自采购申请，现仅 {line.quantity} {line.offer.product.unit}，"
                "请改回数量，或移出购物车后重新选择申请数量"
            )
            found.append(CheckoutProblem(ValidationFailed.code, message, line.item_id, "Lines", asked))
    return found
