"""The reasons why a line cannot be bought, and a suggestion for each."""

from __future__ import annotations

from dataclasses import dataclass

from apps.catalog.errors import NotInCatalogue, OffSale, QuantityIllegal, StockShort
from apps.common.errors import DomainError, Stale
from apps.common.quantity import (
    MAX_QUANTITY,
    get_last_legal_quantity,
    get_next_legal_quantity,
    is_legal,
)
from apps.pricing.selectors.offers import Offer


@dataclass(frozen=True, slots=True)
class LineProblem:
    """`quantity` is the quantity that would be accepted, or None if there is none."""

    code: str
    message: str
    suggestion: str
    quantity: int | None = None

    def as_error(self, name: str) -> DomainError:
        """Return this problem as a domain error that names the product."""
        body = {"Suggestion": self.suggestion, "SuggestedQuantity": self.quantity}
        return ERRORS[self.code](f"“{name}”{self.message}，{self.suggestion}", body=body)


ERRORS: dict[str, type[DomainError]] = {
    error.code: error for error in (NotInCatalogue, OffSale, QuantityIllegal, StockShort)
}

# A quotation holds a price for another unit, pack or contents than those of the product now.
UNIT_CHANGED = LineProblem(Stale.code, "商品规格已变", "请重新生成报价单")


def find_line_problem(offer: Offer, quantity: int) -> LineProblem | None:
    """Return the first problem with this quantity, or None if the line can be bought."""
    product = offer.product
    if not offer.visible:
        return LineProblem(NotInCatalogue.code, "不在您的采购目录内", "请更换商品或联系客服")
    if not offer.is_on_sale:
        return LineProblem(OffSale.code, "已下架", "请更换其他商品")
    bounds = {"minimum": product.min_quantity, "step": product.step_quantity}
    if not is_legal(quantity, **bounds):
        legal = get_next_legal_quantity(quantity, **bounds)
        return LineProblem(
            QuantityIllegal.code,
            _explain_illegal_quantity(offer, quantity),
            f"请改为 {legal} {product.unit}",
            legal,
        )
    if offer.available < quantity:
        max_legal = get_last_legal_quantity(max(offer.available, 0), **bounds)
        suggestion = (
            f"请减少到 {max_legal} {product.unit}以内或更换商品"
            if max_legal
            else "请更换商品或到货后再购买"
        )
        return LineProblem(
            StockShort.code,
            f"库存不足，仅剩 {max(offer.available, 0)} {product.unit}",
            suggestion,
            max_legal or None,
        )
    return None


def _explain_illegal_quantity(offer: Offer, quantity: int) -> str:
    """Return in Chinese why the quantity is illegal: minimum, maximum or step."""
    product = offer.product
    if quantity < product.min_quantity:
        return f"低于起订量 {product.min_quantity} {product.unit}"
    if quantity > MAX_QUANTITY:
        return f"单次最多购买 {MAX_QUANTITY} {product.unit}"
    return (
        f"须从 {product.min_quantity} {product.unit}起、按 {product.step_quantity} {product.unit}"
        "的倍数增加"
    )
