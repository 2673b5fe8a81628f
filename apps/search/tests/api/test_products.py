"""GET /api/Product and GET /api/Product/{ProductCode}."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.models import Product, ProductImage
from apps.catalog.tests.factories import (
    AgreementFactory,
    BrandFactory,
    PriceListItemFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group
from apps.pricing.models import Agreement
from apps.search.models import SearchLog


@pytest.fixture
def agreement(group: Group) -> Agreement:
    """An agreement that includes every product, at the prices of its list."""
    agreement: Agreement = AgreementFactory(
        code="HT-1", name="年度协议", valid_to=date(2099, 12, 31)
    )
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    return agreement


@pytest.fixture
def pen(agreement: Agreement) -> Product:
    """A pen at 10.00 元. The group pays 8.00 元 and has its own name and code for it."""
    product: Product = ProductFactory(
        code="110001",
        name="卓砚 ZY-1103 按动中性笔 0.5mm 黑色",
        model_code="ZY-1103",
        attributes={"颜色": "黑色"},
        image="products/110001.svg",
    )
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=product,
        customer_name="黑色签字笔",
        customer_code="MAT-7",
    )
    return product


def list_codes(body: dict) -> list[str]:
    return [row["ProductCode"] for row in body["Items"]]


def test_a_row_has_the_keys_of_the_contract_and_the_customers_price(
    pen: Product, buyer: Account
) -> None:
    row = ApiClient(buyer).get("/api/Product").body["Items"][0]

    assert row == {
        "ProductCode": "110001",
        "ImageUrl": "/media/products/110001.svg",
        "CustomerProductName": "黑色签字笔",
        "CustomerCode": "MAT-7",
        "CustomerPrice": "8.00",
        "MallPrice": "10.00",
        "IsAgreementPrice": True,
        "Brand": pen.brand.name,
        "ModelCode": "ZY-1103",
        "Pack": "",
        "Unit": "支",
        "BaseUnit": "",
        "Contents": None,
        "BaseUnitPrice": None,
        "Tiers": [],
        "MinQuantity": 1,
        "StepQuantity": 1,
        "Stock": 100,
        "LeadDays": 1,
        "SalesCount": 0,
        "Rating": None,
        "ReviewCount": 0,
        "IsOnSale": True,
    }


def test_anonymous_sees_the_public_catalogue_at_market_price(pen: Product, api: ApiClient) -> None:
    ProductFactory(code="110002", is_public=False)

    body = api.get("/api/Product").body

    assert [
        (row["ProductCode"], row["CustomerPrice"], row["CustomerProductName"])
        for row in body["Items"]
    ] == [("110001", "10.00", pen.name)]


def test_another_groups_names_and_prices_are_never_shown(pen: Product, other_ga: Account) -> None:
    row = ApiClient(other_ga).get("/api/Product").body["Items"][0]

    assert (row["CustomerProductName"], row["CustomerPrice"], row["CustomerCode"]) == (
        pen.name,
        "10.00",
        "",
    )


def test_material_code_of_another_group_finds_nothing(pen: Product, other_ga: Account) -> None:
    assert ApiClient(other_ga).get("/api/Product", {"Keyword": "MAT-7"}).body["Total"] == 0


def test_a_changed_price_shows_in_the_next_request(
    pen: Product, agreement: Agreement, buyer: Account
) -> None:
    client = ApiClient(buyer)
    assert client.get("/api/Product/110001").body["CustomerPrice"] == "8.00"

    agreement.price_list.items.update(price=Decimal("7.77"))

    assert client.get("/api/Product/110001").body["CustomerPrice"] == "7.77"


def test_an_excluded_product_is_gone_in_the_next_request(
    pen: Product, agreement: Agreement, buyer: Account
) -> None:
    client = ApiClient(buyer)
    assert list_codes(client.get("/api/Product").body) == ["110001"]

    agreement.assortment.rules.create(mode="exclude", kind="product", product=pen)

    assert list_codes(client.get("/api/Product").body) == []
    assert client.get("/api/Product/110001").status == 404


def test_an_agreement_ends_at_midnight_in_shanghai(
    pen: Product, agreement: Agreement, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_second = datetime(2026, 6, 30, 23, 59, 59, tzinfo=timezone.get_default_timezone())
    Agreement.objects.update(valid_to=date(2026, 6, 30))
    client = ApiClient(buyer)

    prices = []
    for moment in (last_second, last_second + timedelta(seconds=1)):
        monkeypatch.setattr(
            "apps.pricing.selectors.context.timezone.localdate",
            lambda moment=moment: timezone.localtime(moment).date(),
        )
        prices.append(client.get("/api/Product/110001").body["CustomerPrice"])

    assert prices == ["8.00", "10.00"]


def test_the_version_moves_at_midnight(
    pen: Product, api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = set()
    for day in (date(2026, 6, 30), date(2026, 7, 1)):
        monkeypatch.setattr(
            "apps.pricing.selectors.context.timezone.localdate", lambda day=day: day
        )
        versions.add(api.get("/api/Product").response["X-Catalogue-Version"])

    assert len(versions) == 2


def test_exact_code_ranks_before_the_best_seller(pen: Product, buyer: Account) -> None:
    ProductFactory(code="990001", name="笔芯 适配 110001", sales_count=99_999)

    assert list_codes(ApiClient(buyer).get("/api/Product", {"Keyword": "110001"}).body) == [
        "110001",
        "990001",
    ]


@pytest.mark.parametrize(
    "keyword", ["MAT-7", "mat-7", "zy1103", "黑色签字笔", "卓砚 zy-1103 按动中性笔 0.5MM 黑色"]
)
def test_a_product_is_found_by_each_of_its_exact_names(
    pen: Product, buyer: Account, keyword: str
) -> None:
    ProductFactory.create_batch(3, sales_count=500)

    assert list_codes(ApiClient(buyer).get("/api/Product", {"Keyword": keyword}).body)[:1] == [
        "110001"
    ]


def test_words_that_no_name_has_in_one_piece_are_found_by_their_characters(
    pen: Product, buyer: Account
) -> None:
    assert list_codes(ApiClient(buyer).get("/api/Product", {"Keyword": "动中"}).body) == ["110001"]


def test_name_with_every_word_ranks_before_a_better_seller(
    agreement: Agreement, buyer: Account
) -> None:
    ProductFactory(code="1", name="订书机用订书钉", sales_count=900, keywords="订书针")
    ProductFactory(code="2", name="省力订书机", sales_count=5)
    ProductFactory(code="3", name="订书钉 适用多种", keywords="订书机", sales_count=999)

    assert list_codes(ApiClient(buyer).get("/api/Product", {"Keyword": "订书机"}).body) == [
        "1",
        "2",
        "3",
    ]


def test_facets_ignore_their_own_filter(agreement: Agreement, buyer: Account) -> None:
    first, second = BrandFactory(name="墨岚"), BrandFactory(name="卓砚")
    ProductFactory(brand=first, attributes={"颜色": "黑"}, market_price=Decimal("5.00"))
    ProductFactory(brand=second, attributes={"颜色": "红"}, market_price=Decimal("50.00"))

    body = ApiClient(buyer).get("/api/Product", {"Brand": "墨岚"}).body

    assert body["Total"] == 1
    assert [(brand["Name"], brand["Count"]) for brand in body["Facets"]["Brands"]] == [
        ("墨岚", 1),
        ("卓砚", 1),
    ]
    assert body["Facets"]["Attributes"] == [
        {"Name": "颜色", "Values": [{"Value": "黑", "Count": 1}]}
    ]
    assert body["Facets"]["Prices"] == [{"MinPrice": "0.00", "MaxPrice": "9.99", "Count": 1}]


def test_total_and_facets_are_omitted_on_request(pen: Product, buyer: Account) -> None:
    body = ApiClient(buyer).get("/api/Product", {"Facets": "0", "Total": "0"}).body

    assert sorted(body) == ["Breadcrumbs", "Items", "PageIndex", "PageSize"]


def test_a_category_of_any_level_filters_and_names_its_path(
    agreement: Agreement, buyer: Account
) -> None:
    leaf = create_category_path("书写修正", "中性水性笔", "按动中性笔")
    ProductFactory(code="1", category=leaf)
    ProductFactory(code="2")
    client = ApiClient(buyer)

    rows = [
        list_codes(client.get("/api/Product", {"Cid": str(pk)}).body)
        for pk in (leaf.parent.parent_id, leaf.parent_id, leaf.pk)
    ]

    assert rows == [["1"], ["1"], ["1"]]
    path = client.get("/api/Product", {"Cid": str(leaf.pk)}).body["Breadcrumbs"]
    assert [step["Name"] for step in path] == ["书写修正", "中性水性笔", "按动中性笔"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"Cid": "abc"}, "Cid"),
        ({"Sort": "cheap"}, "Sort"),
        ({"MinPrice": "-1"}, "MinPrice"),
        ({"MinPrice": "9", "MaxPrice": "1"}, "MaxPrice"),
        ({"MinBaseUnitPrice": "0.12345"}, "MinBaseUnitPrice"),
        ({"MinBaseUnitPrice": "0.2", "MaxBaseUnitPrice": "0.1"}, "MaxBaseUnitPrice"),
        ({"Attr": "颜色"}, "Attr"),
        ({"PageSize": "7"}, "PageSize"),
        ({"PageSize": "1000"}, "PageSize"),
        ({"PageIndex": "501"}, "PageIndex"),
    ],
)
def test_a_bad_filter_is_refused_by_name(
    db: None, api: ApiClient, query: dict[str, str], field: str
) -> None:
    answer = api.get("/api/Product", query)

    assert (answer.code, list(answer.errors)) == ("validation", [field])


def test_only_a_visitor_is_refused_a_page_of_a_thousand(
    pen: Product, api: ApiClient, buyer: Account
) -> None:
    refused = api.get("/api/Product", {"PageSize": "1000"})

    assert refused.errors == {"PageSize": ["未登录时每页最多 100 条，请登录后再选择每页 1000 条"]}
    assert api.get("/api/Product", {"PageSize": "100"}).ok
    assert ApiClient(buyer).get("/api/Product", {"PageSize": "1000"}).ok


def test_search_is_logged_once_with_its_result_count(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.get("/api/Product", {"Keyword": " 中性笔 "})
    client.get("/api/Product", {"Keyword": "中性笔", "PageIndex": "2"})

    assert list(SearchLog.objects.values_list("keyword", "results", "group_id")) == [
        ("中性笔", 1, buyer.group_id)
    ]


def test_a_search_of_more_than_sixty_characters_is_not_logged(buyer: Account) -> None:
    client = ApiClient(buyer)
    for length in (60, 61):
        assert client.get("/api/Product", {"Keyword": "笔" * length}).ok

    assert list(SearchLog.objects.values_list("keyword", flat=True)) == ["笔" * 60]


def test_product_detail_contains_pictures_attributes_breadcrumbs_and_substitutes(
    pen: Product, buyer: Account
) -> None:
    ProductImage.objects.create(product=pen, path="products/110001-2.svg")
    ProductFactory(code="110003", category=pen.category, sales_count=9)

    body = ApiClient(buyer).get("/api/Product/110001").body

    assert body["PriceSource"] == {"Code": "HT-1", "Name": "年度协议", "ValidTo": "2099-12-31"}
    assert body["Images"] == ["/media/products/110001.svg", "/media/products/110001-2.svg"]
    assert body["Attributes"] == [{"Name": "颜色", "Value": "黑色"}]
    assert [step["Name"] for step in body["Breadcrumbs"]] == ["一级", "二级", "三级"]
    assert [row["ProductCode"] for row in body["Substitutes"]] == ["110003"]
    assert body["TaxRate"] == "0.13"
    assert body["IsFavorite"] is False


def test_the_price_per_base_unit_is_by_the_own_price_and_orders_and_filters(
    pen: Product, buyer: Account
) -> None:
    Product.objects.filter(pk=pen.pk).update(unit="盒", base_unit="支", contents=60)
    ProductFactory(
        code="110002", category=pen.category, base_unit="支", contents=1, market_price="0.14"
    )
    ProductFactory(code="110003", category=pen.category, market_price="0.01")
    client = ApiClient(buyer)

    rising, falling = (
        client.get("/api/Product", {"Sort": sort}).body
        for sort in ("baseUnitPrice", "-baseUnitPrice")
    )

    assert list_codes(rising) == ["110001", "110002", "110003"]
    assert list_codes(falling) == ["110002", "110001", "110003"]
    assert [
        (row["CustomerPrice"], row["BaseUnit"], row["Contents"], row["BaseUnitPrice"])
        for row in rising["Items"]
    ] == [("8.00", "支", 60, "0.13"), ("0.14", "支", 1, "0.14"), ("0.01", "", None, None)]
    within = {"BaseUnit": "支", "MinBaseUnitPrice": "0.13", "MaxBaseUnitPrice": "0.13"}
    assert list_codes(client.get("/api/Product", within).body) == ["110001"]
    hints = client.get("/api/Product", {**within, "InStock": "1", "BaseUnit": "张"}).body
    assert [drop["Label"] for drop in hints["NoResult"]["Dropped"]] == [
        "基本单位：张",
        "全部筛选条件",
    ]


def test_off_sale_product_is_not_listed_but_its_page_reports_the_state(
    pen: Product, buyer: Account
) -> None:
    Product.objects.update(status="off")
    client = ApiClient(buyer)

    assert list_codes(client.get("/api/Product").body) == []
    assert client.get("/api/Product/110001").body["IsOnSale"] is False


def test_a_foreign_product_answers_as_a_missing_one(agreement: Agreement, api: ApiClient) -> None:
    ProductFactory(code="110009", is_public=False)

    foreign, missing = api.get("/api/Product/110009"), api.get("/api/Product/119999")

    assert (
        (foreign.status, foreign.code, foreign.message)
        == (missing.status, missing.code, missing.message)
        == (404, "not_found", missing.message)
    )


def test_rows_cost_four_queries_and_two_more_at_the_first_look(
    pen: Product, buyer: Account
) -> None:
    ProductFactory.create_batch(25, category=pen.category)
    client = ApiClient(buyer)

    # The second request reads the agreements and the category path from the cache.
    for queries, sort in ((6, "price"), (4, "price"), (4, "baseUnitPrice")):
        with assert_queries(queries):
            client.get(
                "/api/Product",
                {"Facets": "0", "Total": "0", "Cid": str(pen.l2_id), "Sort": sort},
            )


def test_everything_costs_eight_queries_and_a_search_without_facets_seven(
    pen: Product, buyer: Account
) -> None:
    ProductFactory.create_batch(25, category=pen.category, name="中性笔")
    dictionary_load()
    client = ApiClient(buyer)

    client.get("/api/Product", {"Cid": str(pen.l2_id), "Keyword": "中性笔"})
    with assert_queries(8):
        client.get("/api/Product", {"Cid": str(pen.l2_id)})
    with assert_queries(7):
        client.get("/api/Product", {"Cid": str(pen.l2_id), "Keyword": "中性笔", "Facets": "0"})


def test_a_detail_without_a_family_costs_seven_queries(pen: Product, buyer: Account) -> None:
    ProductFactory.create_batch(9, category=pen.category)
    client = ApiClient(buyer)

    client.get("/api/Product/110001")
    with assert_queries(7):
        client.get("/api/Product/110001")
