"""The product import: preview, all or nothing, update by code."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from apps.catalog.errors import ImportRefused
from apps.catalog.models import Brand, CatalogChange, Category, Product, StockMovement, SuggestTerm
from apps.catalog.services.imports import SheetFile, import_apply, import_preview
from apps.catalog.services.taxonomy import brand_save
from apps.catalog.tests.factories import BrandFactory, CategoryFactory
from apps.catalog.tests.sheets import PRODUCT_HEADER, Rows, build_product_row
from apps.common.models import OutboxMessage


@pytest.fixture(autouse=True)
def _taxonomy(platform: None) -> None:
    BrandFactory(code="B1", name="墨岚")
    root = CategoryFactory(code="11", name="办公文具")
    middle = CategoryFactory(code="1101", name="书写工具", parent=root, level=2, menu_group=None)
    CategoryFactory(code="110101", name="中性笔", parent=middle, level=3, menu_group=None)


def apply_products(*rows: tuple[str, ...]) -> None:
    import_apply(actor=None, kind="products", source=Rows(PRODUCT_HEADER, *rows))


def list_errors(*rows: tuple[str, ...]) -> list[str]:
    with pytest.raises(ImportRefused) as refused:
        import_apply(actor=None, kind="products", source=Rows(*rows))
    return [str(error) for error in refused.value.report.errors]


def test_a_new_row_becomes_a_product_with_its_category_path_tokens_and_suggestions() -> None:
    apply_products(build_product_row("100001"))

    product = Product.objects.get(code="100001")
    assert product.market_price == Decimal("2.50")
    assert [product.l1.code, product.l2.code, product.l3.code] == ["11", "1101", "110101"]
    assert "100001" in product.search_tokens.split()
    assert SuggestTerm.objects.filter(product=product, key="100001").exists()


def test_each_written_row_records_one_change() -> None:
    apply_products(build_product_row("100001"), build_product_row("100002"))
    apply_products(build_product_row("100001"), build_product_row("100002", 市场价="3.00"))

    changes = (
        CatalogChange.objects.filter(kind="product").order_by("id").values_list("key", flat=True)
    )
    assert list(changes) == ["100001", "100002", "100002"]


def test_import_preview_shows_old_and_new_values_and_writes_nothing() -> None:
    apply_products(build_product_row("100001"), build_product_row("100003"))
    sheet = Rows(
        PRODUCT_HEADER,
        build_product_row("100001", 市场价="2.80"),
        build_product_row("100002"),
        build_product_row("100003"),
    )

    report = import_preview(actor=None, kind="products", source=sheet)

    assert (report.created, report.updated, report.unchanged, report.applied) == (1, 1, 1, False)
    assert report.examples[0].changes == (("市场价", "2.50", "2.80"),)
    assert Product.objects.get(code="100001").market_price == Decimal("2.50")
    assert not Product.objects.filter(code="100002").exists()


def test_one_invalid_cell_refuses_the_whole_file() -> None:
    assert list_errors(
        PRODUCT_HEADER, build_product_row("100001"), build_product_row("100002", 市场价="两元")
    ) == ["第 3 行「市场价」：请填写金额，例如 12.50"]
    assert not Product.objects.exists()


@pytest.mark.parametrize(
    ("header", "cell", "message"),
    [
        ("商品编码", "A-1", "商品编码只能由 1 到 18 位数字组成"),
        ("商品编码", "", "不能为空"),
        ("名称", "", "不能为空"),
        ("名称", "长" * 121, "最多 120 个字，现有 121 个，请缩短"),
        ("品牌编码", "B9", "没有编码为 B9 的品牌，请先导入"),
        ("三级分类编码", "1101", "没有编码为 1101 的三级类目，请先导入"),
        ("市场价", "-1", "金额不能为负数"),
        ("市场价", "1.234", "金额最多两位小数"),
        ("市场价", "NaN", "请填写金额，例如 12.50"),
        ("市场价", "1e5", "请填写金额，例如 12.50"),
        ("市场价", "１２", "请填写金额，例如 12.50"),
        ("市场价", "12,5", "请填写金额，例如 12.50"),
        ("市场价", "9" * 30, "金额不能超过 99999999.99"),
        ("税率", "1e-1", "请填写税率，例如 0.13 或 13%"),
        ("税率", "13", "税率应在 0 到 0.99 之间，最多两位小数，例如 0.13"),
        ("库存", "1.5", "请填写整数"),
        ("库存", "-1", "请填写 0 到 2000000000 之间的整数"),
        ("上架日期", "2026-02-30", "请填写日期，例如 2026-03-01"),
    ],
)
def test_a_refused_cell_is_named_by_row_and_column(header: str, cell: str, message: str) -> None:
    assert list_errors(PRODUCT_HEADER, build_product_row("100001", **{header: cell})) == [
        f"第 2 行「{header}」：{message}"
    ]


def test_repeated_code_is_refused_at_its_second_row() -> None:
    assert list_errors(
        PRODUCT_HEADER, build_product_row("100001"), build_product_row("100001")
    ) == ["第 3 行：与第 2 行重复（100001），请只保留一行"]


def test_an_unknown_column_is_refused() -> None:
    assert "第 1 行「价格」：没有这一列" in list_errors(("商品编码", "价格"), ("100001", "1"))[0]


def test_partial_sheet_updates_only_its_columns() -> None:
    apply_products(build_product_row("100001"))

    import_apply(
        actor=None, kind="products", source=Rows(("商品编码", "市场价"), ("100001", "9.90"))
    )

    product = Product.objects.get(code="100001")
    assert (product.market_price, product.name, product.stock) == (
        Decimal("9.90"),
        "按动中性笔 100001",
        10,
    )


def test_a_new_product_needs_the_columns_that_a_short_sheet_lacks() -> None:
    messages = list_errors(("商品编码", "市场价"), ("100001", "9.90"))

    assert "第 2 行「名称」：100001 尚不存在，新增时需要这一列" in messages


def test_a_renamed_product_is_found_by_its_new_words() -> None:
    apply_products(build_product_row("100001"))
    before = Product.objects.get(code="100001").search_tokens

    apply_products(build_product_row("100001", 名称="硒鼓"))

    assert Product.objects.get(code="100001").search_tokens != before
    assert SuggestTerm.objects.filter(product__code="100001", key="xg").exists()


def test_a_changed_stock_leaves_a_movement_of_the_difference() -> None:
    apply_products(build_product_row("100001"))
    apply_products(build_product_row("100001", 库存="4"))

    assert list(StockMovement.objects.order_by("id").values_list("kind", "quantity")) == [
        ("adjust", 10),
        ("adjust", -6),
    ]


def test_imported_stock_below_the_reserved_quantity_is_refused() -> None:
    apply_products(build_product_row("100001"))
    Product.objects.filter(code="100001").update(reserved=5)

    assert list_errors(PRODUCT_HEADER, build_product_row("100001", 库存="4")) == [
        "第 2 行「库存」：已有订单预占 5，库存不能小于它"
    ]


def test_the_stock_sheet_sets_stock_of_products_that_exist() -> None:
    apply_products(build_product_row("100001"))

    import_apply(actor=None, kind="stock", source=Rows(("商品编码", "库存"), ("100001", "77")))

    assert Product.objects.get(code="100001").stock == 77


def test_the_stock_sheet_makes_no_products_and_asks_for_no_more_columns() -> None:
    with pytest.raises(ImportRefused) as refused:
        import_apply(actor=None, kind="stock", source=Rows(("商品编码", "库存"), ("9", "77")))

    assert [str(error) for error in refused.value.report.errors] == [
        "第 2 行「商品编码」：没有编码为 9 的商品，请先导入商品"
    ]


def test_blank_rows_are_read_over_and_do_not_shift_the_numbers() -> None:
    rows = (PRODUCT_HEADER, ("",) * 10, build_product_row("100001", 市场价="x"))

    assert list_errors(*rows) == ["第 3 行「市场价」：请填写金额，例如 12.50"]


def test_file_of_an_unsupported_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")

    report = import_preview(actor=None, kind="products", source=SheetFile.from_path(path))

    assert [str(error) for error in report.errors] == [
        "文件：不是有效的表格文件，请另存为 .xlsx 或 UTF-8 编码的 CSV 后重试"
    ]


def test_renamed_brand_reindexes_its_products() -> None:
    apply_products(build_product_row("100001"))

    import_apply(actor=None, kind="brands", source=Rows(("编码", "名称"), ("B1", "Zebrix")))

    assert Brand.objects.get(code="B1").name == "Zebrix"
    assert "zebrix" in Product.objects.get(code="100001").search_tokens.split()


def test_brand_renamed_in_its_form_reindexes_its_products() -> None:
    apply_products(build_product_row("100001"))
    brand = Brand.objects.get(code="B1")
    brand.english_name = "Zebrix"

    brand_save(actor=None, brand=brand)

    assert "zebrix" in Product.objects.get(code="100001").search_tokens.split()


def test_a_moved_category_takes_its_products_along() -> None:
    apply_products(build_product_row("100001"))
    sheet = Rows(
        ("编码", "名称", "上级编码", "级别", "菜单分组编码", "菜单分组名称"),
        ("12", "耗材", "", "1", "12", "耗材"),
        ("1101", "书写工具", "12", "2", "", ""),
    )

    import_apply(actor=None, kind="categories", source=sheet)

    assert Product.objects.get(code="100001").l1.code == "12"
    assert Category.objects.get(code="110101").parent == Category.objects.get(code="1101")


def list_stored_pictures() -> list[list[str]]:
    return [
        message.payload["Paths"]
        for message in OutboxMessage.objects.filter(topic="pictures.stored").order_by("id")
    ]


def test_photos_of_new_products_are_reported_once_and_drawings_never() -> None:
    def apply_pictured(*rows: tuple[str, ...]) -> None:
        import_apply(actor=None, kind="products", source=Rows((*PRODUCT_HEADER, "图片"), *rows))

    apply_pictured(
        (*build_product_row("100001"), "1.jpg"),
        (*build_product_row("100002"), "2.svg"),
        (*build_product_row("100003"), "3.png"),
    )
    assert list_stored_pictures() == [["products/1.jpg", "products/3.png"]]

    apply_pictured(
        (*build_product_row("100001", 市场价="3.00"), "1.jpg"),
        (*build_product_row("100003"), "new.png"),
    )
    assert list_stored_pictures()[1:] == [["products/new.png"]]


def test_contents_come_by_sheet_and_a_conflict_with_the_pack_is_refused() -> None:
    header = (*PRODUCT_HEADER, "包装规格", "基本单位", "内含数量")
    box = (*build_product_row("100001", 单位="盒"), "12支/盒")
    import_apply(
        actor=None,
        kind="products",
        source=Rows(header, (*box, "支", "12"), (*build_product_row("100002"), "", "", "")),
    )

    stored = Product.objects.order_by("code").values_list("base_unit", "contents")
    assert list(stored) == [("支", 12), ("", None)]
    assert list_errors(header, (*box, "支", "10")) == [
        "第 2 行「内含数量」：包装规格“12支/盒”写明一盒有 12支，与内含数量 10支不一致，请核对"
    ]
    assert list_errors(("商品编码", "包装规格"), ("100001", "10支/盒")) == [
        "第 2 行「内含数量」：包装规格“10支/盒”写明一盒有 10支，与内含数量 12支不一致，请核对"
    ]


def test_imported_barcode_is_stored_and_a_wrong_check_digit_refused() -> None:
    header = (*PRODUCT_HEADER, "条码")
    import_apply(
        actor=None,
        kind="products",
        source=Rows(
            header,
            (*build_product_row("100001"), "6901234567892"),
            (*build_product_row("100002"), ""),
        ),
    )

    stored = Product.objects.order_by("code").values_list("barcode", flat=True)
    assert list(stored) == ["6901234567892", ""]
    assert list_errors(("商品编码", "条码"), ("100001", "6901234567893")) == [
        "第 2 行「条码」：条码 6901234567893 的校验位应为 2，请核对是否抄错"
    ]
    assert list_errors(("商品编码", "条码"), ("100001", "690123")) == [
        "第 2 行「条码」：条码须为 8、12、13 或 14 位数字"
    ]
