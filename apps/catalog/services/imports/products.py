"""The importers of products (商品) and of their stock (库存). A sheet may have 50,000 rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, ClassVar

from apps.catalog.enums import ChangeKind, ProductStatus
from apps.catalog.errors import ContentsRefused
from apps.catalog.indexing.dictionary import dictionary_load, dictionary_refresh
from apps.catalog.locks import hold_category_tree, lock_families_of
from apps.catalog.models import Brand, Category, Product, StockMovement
from apps.catalog.models.product import MAX_CONTENTS, MAX_LEAD_DAYS, MAX_STEP, MAX_STOCK
from apps.catalog.selectors.contents import check_contents
from apps.catalog.selectors.low_prices import is_low_price
from apps.catalog.services.families import FITTING_FIELDS, members_refit
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, PlannedRow
from apps.catalog.services.imports.report import Action
from apps.catalog.services.imports.sheet import Column, Row
from apps.catalog.services.product_files import main_pictures_follow_up
from apps.catalog.services.product_hooks import MarketPriceChange, market_price_hooks_run
from apps.catalog.services.product_index import (
    INDEXED_FIELDS,
    products_index,
    suggest_terms_write,
    suggestions_prepare,
)
from apps.catalog.services.stock import IMPORT_REFERENCE, StockCount, stock_count_record

STATUSES = {str(status.label): status.value for status in ProductStatus}
IMAGE_FOLDER = "products/"
# Fields that the search index contains.
SEARCHED = frozenset(
    {"name", "brand_id", "category_id", "model_code", "pack", "keywords", "attributes"}
)


def parse_image_path(cell: str, today: date) -> str:
    """Return the storage path of a picture named in a sheet. A bare name means the products'
    folder.
    """
    name = str(cells.build_text_parser(180)(cell, today))
    if ".." in name or name.startswith("/") or "\\" in name or ":" in name:
        raise ValueError("请填写图片文件名，例如 100001.svg")
    return name if "/" in name else f"{IMAGE_FOLDER}{name}"


class ProductImporter(CodedImporter[Product]):
    """Updates products by code. Only the columns in the sheet change."""

    kind = "products"
    export_related = ("brand", "category")
    title = "商品"
    model = Product
    change_kind = ChangeKind.PRODUCT
    # Small chunks: each product also writes tokens, suggestions, a stock movement and the index.
    chunk_rows = 50
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "商品编码",
            "code",
            cells.build_digits_parser(18, label="商品编码"),
            is_key=True,
            example="100001",
        ),
        Column(
            "名称",
            "name",
            cells.build_text_parser(120),
            required=True,
            example="按动中性笔 0.5mm 黑色 12支/盒",
        ),
        Column(
            "品牌编码",
            "brand_code",
            cells.build_text_parser(20),
            required=True,
            writes="brand_id",
            example="B001",
        ),
        Column(
            "三级分类编码",
            "category_code",
            cells.build_text_parser(20),
            required=True,
            writes="category_id",
            example="11010101",
        ),
        Column("型号", "model_code", cells.build_text_parser(60), empty="", example="ZY-1103"),
        Column("条码", "barcode", cells.parse_barcode, empty="", example="6901234567892"),
        Column("单位", "unit", cells.build_text_parser(10), required=True, example="盒"),
        Column("包装规格", "pack", cells.build_text_parser(60), empty="", example="12支/盒"),
        Column("基本单位", "base_unit", cells.build_text_parser(10), empty="", example="支"),
        Column("内含数量", "contents", cells.build_integer_parser(1, MAX_CONTENTS), example="12"),
        Column(
            "起订量", "min_quantity", cells.build_integer_parser(1, MAX_STEP), empty=1, example="1"
        ),
        Column(
            "增量", "step_quantity", cells.build_integer_parser(1, MAX_STEP), empty=1, example="1"
        ),
        Column("市场价", "market_price", cells.parse_money, required=True, example="21.00"),
        Column("税率", "tax_rate", cells.parse_rate, required=True, example="0.13"),
        Column(
            "税收分类编码",
            "tax_code",
            cells.build_digits_parser(19, label="税收分类编码"),
            required=True,
            example="1060201000000000000",
        ),
        Column("库存", "stock", cells.build_integer_parser(0, MAX_STOCK), empty=0, example="500"),
        Column(
            "交货天数",
            "lead_days",
            cells.build_integer_parser(0, MAX_LEAD_DAYS),
            empty=1,
            example="2",
        ),
        Column(
            "销量",
            "sales_count",
            cells.build_integer_parser(0, 2_000_000_000),
            empty=0,
            example="0",
        ),
        Column(
            "状态",
            "status",
            cells.build_choice_parser(STATUSES),
            empty=ProductStatus.ON_SALE.value,
            example="在售",
        ),
        Column("是否公开", "is_public", cells.parse_yes_no, empty=True, example="是"),
        Column("上架日期", "listed_at", cells.parse_day, required=True, example="2026-03-01"),
        Column(
            "属性", "attributes", cells.parse_attributes, empty={}, example="颜色:黑色;线幅:0.5mm"
        ),
        Column("图片", "image", parse_image_path, empty="", example="100001.svg"),
        Column("关键词", "keywords", cells.build_text_parser(200), empty="", example="水笔;签字笔"),
        Column(
            "卖点",
            "selling_points",
            cells.build_text_parser(200),
            empty="",
            example="书写顺滑;速干不晕染",
        ),
        Column(
            "详情",
            "description",
            cells.build_text_parser(20_000),
            empty="",
            example="常备库存，急单可加急配送。",
        ),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._brands = dict(Brand.objects.values_list("code", "pk"))
        self._categories = dict(Category.objects.filter(level=3).values_list("code", "pk"))

    def plan_attributes(self, row: Any) -> dict[str, Any]:
        """Return the values with the primary keys of brand and category in place of their codes."""
        values = dict(row.values)
        for field, header, target, keys_by_code in (
            ("brand_code", "品牌编码", "brand_id", self._brands),
            ("category_code", "三级分类编码", "category_id", self._categories),
        ):
            code = values.pop(field, None)
            if code is None:
                continue
            if code not in keys_by_code:
                row.refuse(
                    header,
                    (
                        f"没有编码为 {code} 的{'品牌' if field == 'brand_code' else '三级类目'}，"
                        "请先导入"
                    ),
                )
            values[target] = keys_by_code.get(code)
        return values

    def check(self, item: PlannedRow[Product]) -> None:
        """Refuse a stock below the reserved quantity, and contents that contradict the pack."""
        product = item.instance
        if product.stock < product.reserved:
            item.row.refuse("库存", f"已有订单预占 {product.reserved}，库存不能小于它")
        try:
            check_contents(
                unit=product.unit,
                pack=product.pack,
                base_unit=product.base_unit,
                contents=product.contents,
            )
        except ContentsRefused as error:
            item.row.refuse(error.header, error.text)

    def compute_moved_cents(self, item: PlannedRow[Product]) -> int:
        """Return the change of the market price. A new product has none before."""
        if item.action is Action.CREATE:
            return 0
        return sum(
            int(abs(new - old) * 100) for name, old, new in item.changes if name == "market_price"
        )

    def has_low_price(self, item: PlannedRow[Product]) -> bool:
        """Return whether the market price falls far below the present one."""
        return item.action is not Action.CREATE and any(
            is_low_price(new, present_price=old, market_price=old)
            for name, old, new in item.changes
            if name == "market_price"
        )

    def get_confirmed_value(self, item: PlannedRow[Product]) -> str | None:
        """Return the market price before the row; "" without a product."""
        if "market_price" not in item.row.values:
            return None
        if item.action is Action.CREATE:
            return ""
        before = [old for name, old, _new in item.changes if name == "market_price"]
        return str(before[0] if before else item.instance.market_price)

    def format_value(self, field: str, value: Any) -> str:
        """Return the value as the preview shows it: brands and categories by their code."""
        keys_by_code = {"brand_id": self._brands, "category_id": self._categories}.get(field)
        if keys_by_code is not None:
            return next((code for code, pk in keys_by_code.items() if pk == value), "（空）")
        return super().format_value(field, value)

    def lock(self, keys: Iterable[int]) -> None:
        """Lock the tree, the families, then the products by primary key. Stock reservations lock in
        the same order, so the two cannot deadlock.
        """
        hold_category_tree()
        key_list = list(keys)
        lock_families_of(product_ids=key_list)
        for start in range(0, len(key_list), 1000):
            list(
                Product.objects.select_for_update(no_key=True)
                .filter(pk__in=key_list[start : start + 1000])
                .order_by("pk")
                .values_list("pk")
            )

    @classmethod
    def begin(cls) -> None:
        """Add the names of brands and categories to the tokenizer."""
        dictionary_load()

    def precompute(self, planned: Sequence[PlannedRow[Product]]) -> None:
        """Compute the search tokens and suggestion keys of the products. Under the lock they
        are reused unless a brand or a category was renamed meanwhile.
        """
        reworded = self._list_products_with_new_words(planned)
        if reworded:
            dictionary_refresh()
            products_index(products=reworded, words=self.words)
            suggestions_prepare(products=reworded, words=self.words)

    def _list_products_with_new_words(
        self, changed: Sequence[PlannedRow[Product]]
    ) -> list[Product]:
        """Return the new products and those of which a searched field changed."""
        return [
            item.instance
            for item in changed
            if item.action is Action.CREATE or SEARCHED & self._list_changed_fields(item)
        ]

    def store(self, changed: Sequence[PlannedRow[Product]]) -> None:
        """Save the products, then update what depends on them: agreement prices, search
        suggestions, stock counts and picture variants.
        """
        # Sets the search fields on the instances, so it comes before the save.
        products_with_new_words = self._list_products_with_new_words(changed)
        products_index(products=products_with_new_words, words=self.words)
        super().store(changed)
        products_with_new_axis_values = [
            item.instance
            for item in changed
            if item.action is not Action.CREATE and FITTING_FIELDS & self._list_changed_fields(item)
        ]
        if products_with_new_axis_values:
            members_refit(products=products_with_new_axis_values)
        market_price_hooks_run(
            MarketPriceChange(item.instance.pk, old, new)
            for item in changed
            for name, old, new in item.changes
            if name == "market_price"
        )
        suggest_terms_write(
            product_ids=[product.pk for product in products_with_new_words], words=self.words
        )
        stock_count_record(self._list_stock_counts(changed))
        products_with_new_picture = [
            item.instance
            for item in changed
            if item.instance.image
            and (item.action is Action.CREATE or "image" in self._list_changed_fields(item))
        ]
        main_pictures_follow_up(products=products_with_new_picture)

    @staticmethod
    def _list_changed_fields(item: PlannedRow[Product]) -> set[str]:
        return {name for name, _, _ in item.changes}

    def erase(self, keys: list[int]) -> None:
        """Delete products together with the stock movement that the import wrote."""
        first = StockMovement.objects.filter(
            product__in=keys,
            kind=StockMovement.Kind.ADJUST,
            reference=IMPORT_REFERENCE,
            quantity__gte=0,
        )
        first.delete()
        super().erase(keys)

    def _list_stock_counts(self, changed: Sequence[PlannedRow[Product]]) -> list[StockCount]:
        """Return the stock of each changed product before and after the import. New products had
        0.
        """
        counts = []
        for item in changed:
            stock_changes = [(old, new) for name, old, new in item.changes if name == "stock"]
            before, after = (
                stock_changes[0]
                if stock_changes
                else (0, item.instance.stock if item.action is Action.CREATE else 0)
            )
            if before != after:
                counts.append(StockCount(product_id=item.instance.pk, before=before, after=after))
        return counts

    def list_written_fields(self) -> list[str]:
        """Include the search fields, which `store` derives."""
        return [*super().list_written_fields(), *INDEXED_FIELDS, "updated_at"]


class StockImporter(ProductImporter):
    """Sets stock and lead time of existing products."""

    kind = "stock"
    title = "库存"
    creates_rows = False
    columns = (
        Column(
            "商品编码",
            "code",
            cells.build_digits_parser(18, label="商品编码"),
            is_key=True,
            example="100001",
        ),
        Column(
            "库存", "stock", cells.build_integer_parser(0, MAX_STOCK), required=True, example="500"
        ),
        Column(
            "交货天数",
            "lead_days",
            cells.build_integer_parser(0, MAX_LEAD_DAYS),
            required=True,
            example="2",
        ),
    )

    def find(self, row: Row) -> Product | None:
        """Refuse a product that does not exist, because this sheet creates none."""
        product = super().find(row)
        if product is None:
            row.refuse("商品编码", f"没有编码为 {row.values['code']} 的商品，请先导入商品")
        return product
