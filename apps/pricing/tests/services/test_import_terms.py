"""The import of price lists, assortments and agreements."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.catalog.errors import ImportRefused
from apps.catalog.models import CatalogChange, Product
from apps.catalog.services.imports import ImportReport, import_apply
from apps.catalog.services.imports.writer import CHANGED_SINCE, CatalogueWriter
from apps.catalog.tests.factories import ProductFactory
from apps.catalog.tests.sheets import Rows
from apps.common.models import ImportRun
from apps.common.services.import_run import Refusal
from apps.org.models import Enterprise, Group
from apps.pricing.models import Agreement, AssortmentRule, CustomerAgreement, PriceListItem
from apps.pricing.models.tiers import PriceTier, get_tiers

TODAY = date(2026, 3, 1)
D = Decimal


@pytest.fixture(autouse=True)
def _terms(platform: None) -> None:
    ProductFactory(code="100001")
    group = Group.objects.create(code="XL", name="星澜")
    Enterprise.objects.create(
        group=group, code="XLJG", name="精工", credit_code="91320500000000000R"
    )
    run(
        "price_lists",
        ("编码", "名称", "类型", "生效日", "失效日"),
        ("P1", "框架价", "contract", "-30d", "+30d"),
        ("P2", "自定价", "客户专属价", "", ""),
    )
    run("assortments", ("编码", "名称", "说明"), ("A1", "通用目录", "给同事看"))


def run(kind: str, *rows: tuple[str, ...]) -> None:
    import_apply(actor=None, kind=kind, source=Rows(*rows), today=TODAY)


def get_refusal(kind: str, *rows: tuple[str, ...]) -> str:
    with pytest.raises(ImportRefused) as refused:
        run(kind, *rows)
    return str(refused.value.report.errors[0])


ITEMS = ("编码", "商品编码", "协议价", "客户品名", "客户物料编码")
AGREEMENTS = ("编码", "名称", "价目表", "商品范围", "生效日", "失效日")


def test_a_relative_date_counts_from_the_day_of_the_import() -> None:
    run("agreements", AGREEMENTS, ("G1", "协议", "P1", "A1", "-1d", "+365d"))

    agreement = Agreement.objects.get(code="G1")
    assert (agreement.valid_from, agreement.valid_to) == (date(2026, 2, 28), date(2027, 3, 1))


def test_an_item_is_updated_by_its_list_and_product() -> None:
    run("price_items", ITEMS, ("P1", "100001", "9.00", "签字笔", "M-1"))
    run("price_items", ITEMS, ("P1", "100001", "8.50", "签字笔", "M-1"))

    item = PriceListItem.objects.get()
    assert (item.price, item.customer_name, item.customer_code) == (
        Decimal("8.50"),
        "签字笔",
        "M-1",
    )
    assert list(CatalogChange.objects.filter(key="P1:100001").values_list("kind", flat=True)) == [
        "price",
        "price",
    ]


def test_price_item_with_only_a_customer_name_has_no_price() -> None:
    run("price_items", ITEMS, ("P2", "100001", "", "签字笔", ""))

    assert PriceListItem.objects.get().price is None


def test_price_item_without_a_value_is_refused() -> None:
    assert (
        get_refusal("price_items", ITEMS, ("P2", "100001", "", "", ""))
        == "第 2 行「协议价」：协议价、客户品名、客户物料编码至少填写一项"
    )


def test_repeated_assortment_rule_import_creates_no_duplicate() -> None:
    rows = (
        ("编码", "模式", "类型", "目标"),
        ("A1", "include", "product", "100001"),
        ("A1", "排除", "全部商品", ""),
    )
    run("assortment_rules", *rows)
    run("assortment_rules", *rows)

    assert AssortmentRule.objects.count() == 2


def test_a_rule_names_a_target_that_exists() -> None:
    message = get_refusal(
        "assortment_rules", ("编码", "模式", "类型", "目标"), ("A1", "include", "brand", "B404")
    )

    assert message == "第 2 行「目标」：没有编码为 B404 的品牌"


def test_agreement_ending_before_its_start_is_refused() -> None:
    assert (
        get_refusal("agreements", AGREEMENTS, ("G1", "协议", "P1", "A1", "0d", "-1d"))
        == "第 2 行「失效日」：失效日不能早于生效日"
    )


def test_customer_agreement_applies_to_a_group_or_an_enterprise() -> None:
    run(
        "agreements",
        AGREEMENTS,
        ("G1", "协议", "P1", "A1", "0d", ""),
        ("G2", "专项", "P2", "A1", "0d", ""),
    )
    run(
        "customer_agreements",
        ("集团", "企业", "协议", "优先级"),
        ("XL", "", "G1", "10"),
        ("XL", "XLJG", "G2", "5"),
    )

    rows = CustomerAgreement.objects.order_by("priority").values_list(
        "enterprise__code", "agreement__code", "priority"
    )
    assert list(rows) == [("XLJG", "G2", 5), (None, "G1", 10)]


def test_repeated_agreement_priority_of_a_customer_is_refused() -> None:
    run(
        "agreements",
        AGREEMENTS,
        ("G1", "协议", "P1", "A1", "0d", ""),
        ("G2", "专项", "P2", "A1", "0d", ""),
    )

    message = get_refusal(
        "customer_agreements",
        ("集团", "企业", "协议", "优先级"),
        ("XL", "", "G1", "10"),
        ("XL", "", "G2", "10"),
    )
    assert message == "第 3 行「优先级」：优先级 10 已被该客户的另一份协议占用，请换一个数字"


TIERED = ("编码", "商品编码", "协议价", "阶梯1数量", "阶梯1单价", "阶梯2数量", "阶梯2单价")


def test_a_sheet_sets_changes_and_removes_the_tiers() -> None:
    run("price_items", TIERED, ("P1", "100001", "9.00", "10", "8.50", "50", "8.00"))
    item = PriceListItem.objects.get()
    assert get_tiers(item) == (PriceTier(10, Decimal("8.50")), PriceTier(50, Decimal("8.00")))

    run("price_items", TIERED, ("P1", "100001", "9.00", "20", "8.50", "", ""))
    assert get_tiers(PriceListItem.objects.get()) == (PriceTier(20, Decimal("8.50")),)


def test_a_sheet_without_the_columns_keeps_the_tiers() -> None:
    run("price_items", TIERED, ("P1", "100001", "9.00", "10", "8.50", "", ""))
    run("price_items", ITEMS, ("P1", "100001", "8.90", "", ""))
    assert get_tiers(PriceListItem.objects.get()) == (PriceTier(10, Decimal("8.50")),)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("9.00", "10", "", "", ""), "「阶梯1单价」：请填写阶梯1单价，或清空它的数量"),
        (("9.00", "", "8.50", "", ""), "「阶梯1数量」：请填写阶梯1数量，或清空它的单价"),
        (("9.00", "", "", "50", "8.00"), "「阶梯2数量」：请先填写阶梯1"),
        (("", "10", "8.50", "", ""), "「协议价」：填写了阶梯价，协议价不能为空"),
        (("9.00", "1", "8.50", "", ""), "「阶梯1数量」：请填写 2 到 999999 之间的整数"),
        (("9.00", "5", "8.50", "", ""), "「阶梯1数量」：阶梯1数量须大于商品的起订量 5"),
        (("9.00", "10", "8.50", "10", "8.00"), "「阶梯2数量」：阶梯2数量须大于阶梯1数量 10"),
        (("9.00", "10", "9.01", "", ""), "「阶梯1单价」：阶梯1单价须大于 0，且不高于协议价 ¥9.00"),
        (
            ("9.00", "10", "8.50", "50", "8.60"),
            "「阶梯2单价」：阶梯2单价须大于 0，且不高于阶梯1单价 ¥8.50",
        ),
        (("9.00", "10", "0", "", ""), "「阶梯1单价」：阶梯1单价须大于 0，且不高于协议价 ¥9.00"),
    ],
)
def test_a_tier_out_of_order_is_refused(cells: tuple[str, ...], message: str) -> None:
    Product.objects.update(min_quantity=5, step_quantity=5)
    row = ("P1", "100001", *cells, "签字笔")
    assert get_refusal("price_items", (*TIERED, "客户品名"), row) == f"第 2 行{message}"


def test_a_price_below_its_stored_tier_is_refused() -> None:
    run("price_items", TIERED, ("P1", "100001", "9.00", "10", "8.50", "", ""))
    assert (
        get_refusal("price_items", ITEMS, ("P1", "100001", "8.00", "", ""))
        == "第 2 行「阶梯1单价」：阶梯1单价须大于 0，且不高于协议价 ¥8.00"
    )


TIER_ITEMS = ("编码", "商品编码", "协议价", "阶梯1数量", "阶梯1单价", "客户品名")


def take_back_after(
    headers: tuple[str, ...], *rows: tuple[str, ...], **changes: Any
) -> tuple[PriceListItem, list[Refusal]]:
    """Import the first row, then the second one over it. Change the stored row, and take the second
    import back. Return the row and what stayed.
    """
    run("price_items", headers, rows[0])
    options = {"today": TODAY.isoformat(), "headers": headers}
    report = ImportReport(kind="price_items", title="价目").as_json()
    writer = CatalogueWriter(ImportRun(kind="price_items", options=options, report=report))
    written = writer.write([[2, rows[1]]])
    PriceListItem.objects.update(**changes)
    left = writer.take_back(written.before).left
    return PriceListItem.objects.get(), left


def test_a_price_is_taken_back_with_its_tiers() -> None:
    item, left = take_back_after(
        TIER_ITEMS,
        ("P1", "100001", "10.00", "10", "9.00", "签字笔"),
        ("P1", "100001", "6.00", "20", "5.00", "中性笔"),
        valid_to=TODAY,
    )

    assert (item.price, get_tiers(item)) == (D("10.00"), (PriceTier(10, D("9.00")),))
    assert (item.customer_name, left) == ("签字笔", [])


@pytest.mark.parametrize(
    ("changes", "price", "tier"),
    [
        ({"price": D("7.00")}, "7.00", PriceTier(20, D("5.00"))),
        ({"tier1_quantity": 30}, "6.00", PriceTier(30, D("5.00"))),
        ({"tier1_quantity": None, "tier1_price": None}, "6.00", None),
    ],
)
def test_rollback_keeps_price_and_tier_after_a_change_of_either(
    changes: dict[str, Any], price: str, tier: PriceTier | None
) -> None:
    """The old tier of 9.00 元 above a new price of 7.00 元 would break the CHECK of the table."""
    item, left = take_back_after(
        TIER_ITEMS,
        ("P1", "100001", "10.00", "10", "9.00", "签字笔"),
        ("P1", "100001", "6.00", "20", "5.00", "中性笔"),
        **changes,
    )

    assert (item.price, get_tiers(item)) == (D(price), (tier,) if tier else ())
    assert (item.customer_name, left) == ("签字笔", [(2, "", CHANGED_SINCE)])


def test_rollback_keeps_the_imported_price_after_an_added_tier() -> None:
    """The import changes no tier, and the old price of 4.00 元 would be below the new tier."""
    item, left = take_back_after(
        ITEMS,
        ("P1", "100001", "4.00", "签字笔", ""),
        ("P1", "100001", "6.00", "签字笔", ""),
        tier1_quantity=10,
        tier1_price=D("5.00"),
    )

    assert (item.price, left) == (D("6.00"), [(2, "", CHANGED_SINCE)])
