"""Problems with the requisitions of colleagues in a cart. Each message says how to fix the
problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.cart.selectors.cart import CartLine
from apps.common.errors import Stale, ValidationFailed
from apps.orders.selectors.checkout_problems import CheckoutProblem
from apps.requisitions.selectors import Gathered


def gathered_problems(
    *, lines: Sequence[CartLine], gathered: Mapping[int, Sequence[Gathered]]
) -> list[CheckoutProblem]:
    """Return a problem for each line whose requisition has ended or was already ordered, and
    for each line with fewer pieces than requested.
    """
    found: list[CheckoutProblem] = []
    for line in lines:
        rows = gathered.get(line.item_id, ())
        for row in rows:
            if row.problem:
                what = f"{row.requester}的采购申请 {row.requisition_no}{row.problem}"
                found.append(
                    CheckoutProblem(
                        Stale.code,
                        f"“{line.offer.name}”来自{what}，请从购物车移出后重试",
                        line.item_id,
                    )
                )
        asked = sum(row.quantity for row in rows)
        if asked > line.quantity:
            message = (
                f"“{line.offer.name}”中有 {asked} {line.offer.product.unit}来自采购申请，现仅 "
                f"{line.quantity} {line.offer.product.unit}，"
                "请改回数量，或移出购物车后重新选择申请数量"
            )
            found.append(
                CheckoutProblem(ValidationFailed.code, message, line.item_id, "Lines", asked)
            )
    return found
