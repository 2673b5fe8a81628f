"""The rows of an exported selection, with current prices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.documents.excel.writer import Cell
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

HEADER = (
    "序号",
    "需求",
    "商品编码",
    "物料编码",
    "商品名称",
    "品牌",
    "型号",
    "包装规格",
    "单位",
    "数量",
    "含税单价",
    "含税金额",
    "库存",
    "说明",
)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """The typed text, and the selected product. Without a selected product the code is empty."""

    text: str
    code: str = ""
    quantity: int = 0


def selection_rows(*, actor: Account, lines: Sequence[SheetLine]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every line, then the total. One query besides those of the catalogue."""
    offers = offers_by_code(
        context=catalogue_context(actor=actor), codes=[line.code for line in lines if line.code]
    )
    total = Decimal("0.00")
    for number, line in enumerate(lines, 1):
        offer = offers.get(line.code)
        if offer is None or not offer.visible:
            said = "未选定商品" if not line.code else "该商品不在您的采购目录内"
            yield (
                number,
                line.text,
                line.code,
                "",
                "",
                "",
                "",
                "",
                "",
                line.quantity or None,
                None,
                None,
                None,
                said,
            )
            continue
        product = offer.product
        amount = offer.price * line.quantity
        total += amount
        named = (
            product.code,
            offer.customer_code,
            offer.name,
            product.brand.name,
            product.model_code,
            product.pack,
            product.unit,
        )
        said = "协议价" if offer.price_source else ""
        yield (
            number,
            line.text,
            *named,
            line.quantity,
            offer.price,
            amount,
            offer.available,
            said if offer.is_on_sale else "已下架",
        )
    yield (None, "合计", "", "", "", "", "", "", "", None, None, total, None, "")
