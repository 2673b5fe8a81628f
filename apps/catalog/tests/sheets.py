"""In-memory sheets for the import tests: rows of text, also as .csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence


class Rows:
    """A source of rows that can be read more than once."""

    def __init__(self, *rows: Sequence[str]) -> None:
        self._rows = [list(row) for row in rows]

    def iterate_rows(self) -> Iterator[list[str]]:
        """Yield the header, then the rows."""
        yield from self._rows

    def csv(self) -> bytes:
        """Return the header and the rows as the bytes of a .csv file."""
        text = io.StringIO()
        csv.writer(text).writerows(self._rows)
        return text.getvalue().encode("utf-8-sig")


PRODUCT_HEADER = (
    "商品编码",
    "名称",
    "品牌编码",
    "三级分类编码",
    "单位",
    "市场价",
    "税率",
    "税收分类编码",
    "库存",
    "上架日期",
)


def build_product_row(code: str, **changes: str) -> tuple[str, ...]:
    """Return a valid row for PRODUCT_HEADER. `changes` replaces cells by header name."""
    good = {
        "商品编码": code,
        "名称": f"按动中性笔 {code}",
        "品牌编码": "B1",
        "三级分类编码": "110101",
        "单位": "支",
        "市场价": "2.50",
        "税率": "0.13",
        "税收分类编码": "1060201000000000000",
        "库存": "10",
        "上架日期": "2026-01-02",
    }
    return tuple((good | changes)[header] for header in PRODUCT_HEADER)
