"""Convert a quantity from the unit in the text to the unit of sale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.common.figures import DOZENS
from apps.selection.solver.packs import PIECES, pieces_in

if TYPE_CHECKING:
    from apps.cart.parsing import Reading
    from apps.catalog.models import Product

SAME = {"pcs": "个", "pc": "个", "ea": "个", "box": "盒", "单位": ""}


def in_units_sold(product: Product, reading: Reading) -> tuple[int | None, str, bool]:
    """Return the quantity in the unit of sale, a message about the conversion, and whether the
    conversion is certain. 24支 of a product in 12支/盒 are 2 盒; 2盒 of a product sold by 支 is
    uncertain.
    """
    written = reading.unit.casefold()
    wanted = SAME.get(written, written)
    if not wanted or wanted == product.unit:
        dozen = DOZENS.get(wanted, 1)
        return (None if reading.quantity is None else -(-reading.quantity // dozen)), "", True
    pieces = "/".join(sorted(PIECES)) if wanted in DOZENS else wanted
    each = pieces_in(unit=product.unit, pack=product.pack, wanted=pieces)
    if each is None or reading.quantity is None:
        said = f"您写的单位是“{reading.unit}”，此商品按“{product.unit}”销售，请核对数量"
        return reading.quantity, said, reading.quantity is None
    quantity = -(-reading.quantity // each)
    if wanted in DOZENS:
        return quantity, f"“{reading.unit}”按 12 个计，共 {quantity} {product.unit}", True
    said = (
        ""
        if each == 1
        else f"{reading.quantity} {reading.unit}按 {product.pack} 折合 {quantity} {product.unit}"
    )
    return quantity, said, True
