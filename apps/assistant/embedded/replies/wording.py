"""The texts of products, prices and stock in replies."""

from __future__ import annotations

from apps.assistant.answers import HIDDEN_PRICE
from apps.common.money import format_yuan
from apps.pricing.selectors.offers import Offer


def escape_markdown(text: str) -> str:
    """Return a name with all Markdown characters escaped. Customers and suppliers choose names
    freely.
    """
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#~!" else letter for letter in text)


def format_price_line(offer: Offer) -> str:
    """Return the price and its source: agreement price with market price, or list price (元,
    含税).
    """
    unit = offer.product.unit
    if not offer.is_priced:
        return HIDDEN_PRICE
    if offer.price_source is None:
        return f"价格 {format_yuan(offer.price)}/{unit}"
    saving = offer.market_price - offer.price
    saving_text = f"，比市场价便宜 {format_yuan(saving)}" if saving > 0 else ""
    market_text = f"市场价 {format_yuan(offer.market_price)}{saving_text}"
    return f"协议价 {format_yuan(offer.price)}/{unit}（{market_text}）"


def format_stock_line(offer: Offer) -> str:
    """Return the stock, the legal quantities and the lead time."""
    product = offer.product
    if not offer.is_on_sale:
        return "已下架"
    stock = f"库存 {offer.available} {product.unit}" if offer.available > 0 else "暂时缺货"
    rule = (
        f"起订量 {product.min_quantity} {product.unit}、每次增减 {product.step_quantity} "
        f"{product.unit}"
    )
    return f"{stock}，{rule}，约 {product.lead_days} 天发货"


def format_product(offer: Offer) -> str:
    """Return a paragraph about a product: name, code, price, stock."""
    return (
        f"**{escape_markdown(offer.name)}**（编码 {offer.product.code}）\n\n"
        f"{format_price_line(offer)}；{format_stock_line(offer)}。"
    )
