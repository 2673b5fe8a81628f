"""Problems of a checkout that is split over addresses. Each message says how to fix the
problem.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.cart.selectors.cart import CartLine
from apps.catalog.errors import QuantityIllegal
from apps.common.errors import ValidationFailed
from apps.common.quantity import is_legal
from apps.orders.selectors.checkout_problems import CheckoutProblem
from apps.orders.selectors.deliveries import Delivery

FIELD = "Deliveries"


def split_problems(
    *, lines: Sequence[CartLine], deliveries: Sequence[Delivery]
) -> list[CheckoutProblem]:
    """Return a problem for each line whose parts do not sum to its quantity, and for each part
    that violates minimum or step. Each part becomes an order line.
    """
    return _sums(lines, deliveries) + _illegal(deliveries)


def _sums(lines: Sequence[CartLine], deliveries: Sequence[Delivery]) -> list[CheckoutProblem]:
    given: dict[int, int] = {}
    for delivery in deliveries:
        for pk, quantity in delivery.quantities.items():
            given[pk] = given.get(pk, 0) + quantity
    return [
        CheckoutProblem(
            ValidationFailed.code,
            f"“{line.offer.name}”共 {line.quantity} {line.offer.product.unit}，各地址合计 "
            f"{given.get(line.item_id, 0)} "
            f"{line.offer.product.unit}，请调整到一致",
            line.item_id,
            FIELD,
        )
        for line in lines
        if given.get(line.item_id, 0) != line.quantity
    ]


def _illegal(deliveries: Sequence[Delivery]) -> list[CheckoutProblem]:
    found: list[CheckoutProblem] = []
    for delivery in deliveries:
        receiver = delivery.address.receiver if delivery.address else ""
        for piece in delivery.pieces:
            product = piece.line.offer.product
            if is_legal(piece.quantity, minimum=product.min_quantity, step=product.step_quantity):
                continue
            rule = (
                f"起订量 {product.min_quantity} {product.unit}，增量 {product.step_quantity} "
                f"{product.unit}"
            )
            message = (
                f"送给{receiver}的“{piece.line.offer.name}”{piece.quantity} {product.unit}"
                f"不符合要求（{rule}），每个地址单独成单，请调整"
            )
            found.append(CheckoutProblem(QuantityIllegal.code, message, piece.line.item_id, FIELD))
    return found
