"""Reads the lines of a wish list from a text or a sheet, and returns the rows of an exported
selection with current prices.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import IO, TYPE_CHECKING

from apps.common.errors import ValidationFailed
from apps.common.files import SHEETS, file_take
from apps.common.files.intake import Upload
from apps.documents.excel import read_rows
from apps.documents.excel.writer import Cell
from apps.org.selectors.purchasing import require_prices
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from apps.selection.errors import WishListTooLong
from apps.selection.solver.wishes import Wish, parse_wishes, parse_wishes_of_rows

if TYPE_CHECKING:
    from apps.org.models import Account

# The maximum number of lines of a cart.
MAX_LINES = 200
# More than the maximum number of lines, to allow for blank rows, titles and headers.
MAX_ROWS, MAX_COLUMNS = 1000, 50
MAX_MB = 5
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


def parse_wishes_of_text(text: str) -> list[Wish]:
    """Return the lines of a text.

    Raises:
        ValidationFailed: the text has no line.
        TooLarge: there are more than 200 lines.
    """
    return _require_valid_count(parse_wishes(text), "Text", "请输入清单，每行写一种商品")


def parse_wishes_of_file(upload: Upload | IO[bytes]) -> list[Wish]:
    """Return the lines of an .xlsx or .csv file. A workbook is read from its first visible
    sheet.

    Raises:
        FileRefused: the file has another format, is broken, or has more than 1,000 rows.
        ValidationFailed: the file has no line.
        TooLarge: there are more than 200 lines.
    """
    upload_file = file_take(
        upload, kinds=SHEETS, max_mb=MAX_MB, message="请上传 .xlsx 或 .csv 文件"
    )
    rows = read_rows(io.BytesIO(upload_file.content), max_rows=MAX_ROWS, max_columns=MAX_COLUMNS)
    return _require_valid_count(
        parse_wishes_of_rows(rows), "file", "表格里没有清单，请在第一张工作表中每行写一种商品"
    )


def _require_valid_count(wishes: list[Wish], key: str, nothing: str) -> list[Wish]:
    """Return the wishes if there are 1 to MAX_LINES. `key` is the wire key of the error, `nothing`
    the message for an empty list.
    """
    if not wishes:
        raise ValidationFailed({key: [nothing]})
    if len(wishes) > MAX_LINES:
        raise WishListTooLong(len(wishes), MAX_LINES)
    return wishes


@dataclass(frozen=True, slots=True)
class SheetLine:
    """The typed text, and the selected product. Without a selected product the code is empty."""

    text: str
    code: str = ""
    quantity: int = 0


def iterate_selection_rows(
    *, actor: Account, lines: Sequence[SheetLine]
) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every line, then the total. One query besides those of the catalogue.

    Raises:
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    offers = get_offers_by_code(
        context=get_catalogue_context(actor=actor), codes=[line.code for line in lines if line.code]
    )
    total = Decimal("0.00")
    for number, line in enumerate(lines, 1):
        offer = offers.get(line.code)
        if offer is None or not offer.visible:
            note = "未选定商品" if not line.code else "该商品不在您的采购目录内"
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
                note,
            )
            continue
        product = offer.product
        price = offer.get_price_for(line.quantity)
        amount = price * line.quantity
        total += amount
        name_cells = (
            product.code,
            offer.customer_code,
            offer.name,
            product.brand.name,
            product.model_code,
            product.pack,
            product.unit,
        )
        note = "协议价" if offer.price_source else ""
        yield (
            number,
            line.text,
            *name_cells,
            line.quantity,
            price,
            amount,
            offer.available,
            note if offer.is_on_sale else "已下架",
        )
    yield (None, "合计", "", "", "", "", "", "", "", None, None, total, None, "")
