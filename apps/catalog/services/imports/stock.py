"""The importer of stock (库存): counted quantities by product code."""

from __future__ import annotations

from apps.catalog.models import Product
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.columns import Column, Row
from apps.catalog.services.imports.products import ProductImporter


class StockImporter(ProductImporter):
    """Sets stock and lead time of existing products."""

    kind = "stock"
    title = "库存"
    columns = (
        Column(
            "商品编码", "code", cells.digits(18, what="商品编码"), is_key=True, example="100001"
        ),
        Column("库存", "stock", cells.integer(0, 2_000_000_000), required=True, example="500"),
        Column("交货天数", "lead_days", cells.integer(0, 365), required=True, example="2"),
    )

    def find(self, row: Row) -> Product | None:
        found = super().find(row)
        if found is None:
            row.refuse("商品编码", f"没有编码为 {row.values['code']} 的商品，请先导入商品")
        return found
