"""The import of price lists, assortments and agreements."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.catalog.errors import ImportRefused
from apps.catalog.models import CatalogChange
from apps.catalog.services.imports import import_apply
from apps.catalog.tests.factories import ProductFactory
from apps.catalog.tests.sheets import Rows
from apps.org.models import Enterprise, Group
from apps.pricing.models import Agreement, AssortmentRule, CustomerAgreement, PriceListItem

TODAY = date(2026, 3, 1)


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


def refusal(kind: str, *rows: tuple[str, ...]) -> str:
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


def test_an_empty_price_is_none_where_only_the_name_is_the_customers() -> None:
    run("price_items", ITEMS, ("P2", "100001", "", "签字笔", ""))

    assert PriceListItem.objects.get().price is None


def test_an_item_that_says_nothing_is_refused() -> None:
    assert (
        refusal("price_items", ITEMS, ("P2", "100001", "", "", ""))
        == "第 2 行「协议价」：协议价、客户品名、客户物料编码至少填写一项"
    )


def test_a_rule_that_is_there_already_is_not_made_twice() -> None:
    rows = (
        ("编码", "模式", "类型", "目标"),
        ("A1", "include", "product", "100001"),
        ("A1", "排除", "全部商品", ""),
    )
    run("assortment_rules", *rows)
    run("assortment_rules", *rows)

    assert AssortmentRule.objects.count() == 2


def test_a_rule_names_a_target_that_exists() -> None:
    message = refusal(
        "assortment_rules", ("编码", "模式", "类型", "目标"), ("A1", "include", "brand", "B404")
    )

    assert message == "第 2 行「目标」：没有编码为 B404 的品牌"


def test_an_agreement_ends_after_it_begins() -> None:
    assert (
        refusal("agreements", AGREEMENTS, ("G1", "协议", "P1", "A1", "0d", "-1d"))
        == "第 2 行「失效日」：失效日不能早于生效日"
    )


def test_a_customer_gets_an_agreement_for_the_group_and_for_one_enterprise() -> None:
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


def test_two_agreements_of_one_customer_cannot_have_one_priority() -> None:
    run(
        "agreements",
        AGREEMENTS,
        ("G1", "协议", "P1", "A1", "0d", ""),
        ("G2", "专项", "P2", "A1", "0d", ""),
    )

    message = refusal(
        "customer_agreements",
        ("集团", "企业", "协议", "优先级"),
        ("XL", "", "G1", "10"),
        ("XL", "", "G2", "10"),
    )
    assert message == "第 3 行「优先级」：优先级 10 已被该客户的另一份协议占用，请换一个数字"
