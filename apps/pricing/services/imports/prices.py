"""The importers of price lists (价目表) and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.catalog.enums import ChangeKind
from apps.catalog.models import Product
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, Importer, Planned
from apps.catalog.services.imports.sheet import Column, Row
from apps.pricing.enums import PriceListKind
from apps.pricing.models import PriceList, PriceListItem
from apps.pricing.services.price_moves import Moved, price_moves_record

KINDS = {kind.value: kind.value for kind in PriceListKind} | {
    str(kind.label): kind.value for kind in PriceListKind
}


class PriceListImporter(CodedImporter[PriceList]):
    kind = "price_lists"
    title = "价目表"
    model = PriceList
    change_kind = ChangeKind.PRICE
    columns = (
        Column("编码", "code", cells.text(30), is_key=True, example="PL-XL-2026"),
        Column("名称", "name", cells.text(80), required=True, example="2026 年度集采价"),
        Column("类型", "kind", cells.choice(KINDS), required=True, example="合同价"),
        Column("生效日", "valid_from", cells.day, example="2026-01-01"),
        Column("失效日", "valid_to", cells.day, example="2026-12-31"),
    )

    def check(self, item: Planned[PriceList]) -> None:
        begins, ends = item.instance.valid_from, item.instance.valid_to
        if begins and ends and ends < begins:
            item.row.refuse("失效日", "失效日不能早于生效日")


class PriceItemImporter(Importer[PriceListItem]):
    """The key of a row is the price list and the product."""

    kind = "price_items"
    export_related = ("price_list", "product")
    title = "价目"
    model = PriceListItem
    change_kind = ChangeKind.PRICE
    columns = (
        Column(
            "编码",
            "list_code",
            cells.text(30),
            is_key=True,
            writes="price_list_id",
            example="PL-XL-2026",
        ),
        Column(
            "商品编码",
            "product_code",
            cells.digits(18, what="商品编码"),
            is_key=True,
            writes="product_id",
            example="100001",
        ),
        Column("协议价", "price", cells.money, example="9.90"),
        Column("客户品名", "customer_name", cells.text(120), empty="", example="黑色签字笔"),
        Column("客户物料编码", "customer_code", cells.text(60), empty="", example="WL-0001"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._lists = dict(PriceList.objects.values_list("code", "pk"))

    def key_of(self, row: Row) -> str:
        return f"{row.values['list_code']}:{row.values['product_code']}"

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = {row.values["product_code"] for row in rows}
        self._products = dict(Product.objects.filter(code__in=codes).values_list("code", "pk"))
        lists = {
            self._lists[row.values["list_code"]]
            for row in rows
            if row.values["list_code"] in self._lists
        }
        items = PriceListItem.objects.filter(
            price_list__in=lists, product__in=self._products.values()
        )
        self._found = {(item.price_list_id, item.product_id): item for item in items}

    def attributes(self, row: Row) -> dict[str, Any]:
        values = dict(row.values)
        list_code, product_code = values.pop("list_code"), values.pop("product_code")
        if list_code not in self._lists:
            row.refuse("编码", f"没有编码为 {list_code} 的价目表，请先导入价目表")
        if product_code not in self._products:
            row.refuse("商品编码", f"没有编码为 {product_code} 的商品，请先导入商品")
        if row.refused:
            return {}
        return {
            **values,
            "price_list_id": self._lists[list_code],
            "product_id": self._products[product_code],
        }

    def check(self, item: Planned[PriceListItem]) -> None:
        if item.instance.price is None and not (
            item.instance.customer_name or item.instance.customer_code
        ):
            item.row.refuse("协议价", "协议价、客户品名、客户物料编码至少填写一项")

    def find(self, row: Row) -> PriceListItem | None:
        return self._found.get(
            (self._lists[row.values["list_code"]], self._products[row.values["product_code"]])
        )

    def store(self, changed: Sequence[Planned[PriceListItem]]) -> None:
        super().store(changed)
        price_moves_record(
            Moved(item.instance.pk, item.instance.product_id, old, new)
            for item in changed
            for name, old, new in item.changes
            if name == "price"
        )
