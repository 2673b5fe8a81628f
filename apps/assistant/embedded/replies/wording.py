"""How products and money are said."""

from __future__ import annotations

from apps.catalog.selectors.offers import Offer
from apps.common.money import yuan_text


def plainly(text: str) -> str:
    """Return a name that no mark of Markdown in it can change: names are the customers' and suppliers' own words."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#~!" else letter for letter in text)


def price_line(offer: Offer) -> str:
    """Return price and where it comes from."""
    unit = offer.product.unit
    if offer.price_source is None:
        return f"价格 {yuan_text(offer.price)}/{unit}"
    saved = offer.market_price - offer.price
    less = f"，比市场价便宜 {yuan_text(saved)}" if saved > 0 else ""
    return f"协议价 {yuan_text(offer.price)}/{unit}（市场价 {yuan_text(offer.market_price)}{less}）"


def stock_line(offer: Offer) -> str:
    """Return what is in stock, the quantities that may be bought, and how soon it leaves."""
    product = offer.product
    if not offer.is_on_sale:
        return "已下架"
    stock = f"库存 {offer.available} {product.unit}" if offer.available > 0 else "暂时缺货"
    rule = f"起订量 {product.min_quantity} {product.unit}、每次增减 {product.step_quantity} {product.unit}"
    return f"{stock}，{rule}，约 {product.lead_days} 天发货"


def told(offer: Offer) -> str:
    """Return a product in a paragraph: name, code, price, stock."""
    return f"**{plainly(offer.name)}**（编码 {offer.product.code}）\n\n{price_line(offer)}；{stock_line(offer)}。"
