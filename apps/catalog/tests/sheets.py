"""Sheets for the tests of the import: rows as text, as a .csv in memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence


class Rows:
    """A source of rows that can be read again and again."""

    def __init__(self, *rows: Sequence[str]) -> None:
        self._rows = [list(row) for row in rows]

    def rows(self) -> Iterator[list[str]]:
        """Yield the rows, the header first."""
        yield from self._rows

    def csv(self) -> bytes:
        """Return them as the bytes of a .csv."""
        text = io.StringIO()
        csv.writer(text).writerows(self._rows)
        return text.getvalue().encode("utf-8-sig")


PRODUCT_HEADER = ("商品编码", "名称", "品牌编码", "三级分类编码", "单位", "市场价", "税率", "税收分类编码", "库存", "上架日期")


def product_row(code: str, **changes: str) -> tuple[str, ...]:
    """Return a good row of PRODUCT_HEADER with some of its cells changed, named by header."""
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
