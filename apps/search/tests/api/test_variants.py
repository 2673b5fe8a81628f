"""Variants of a product (可选规格), in the list and on the product page."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.models import FamilyMember, Product, ProductFamily
from apps.catalog.services.families import family_save
from apps.catalog.tests.factories import (
    AgreementFactory,
    BrandFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    exclude_from_assortment,
    include_in_assortment,
    make_family,
)
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.services.own_name import own_name_set
from apps.search.selectors.product_detail import get_families


@pytest.fixture
def pens(db: None) -> list[Product]:
    """One model in black and red by the piece, and in red by the box. The box is out of stock."""
    shared = {"model_code": "ZY-1103", "brand": BrandFactory(), "category": create_category_path()}
    products: list[Product] = [
        ProductFactory(
            code="1", pack="1支", attributes={"线幅": "0.5mm", "颜色": "黑色"}, **shared
        ),
        ProductFactory(
            code="2", pack="1支", attributes={"线幅": "0.5mm", "颜色": "红色"}, **shared
        ),
        ProductFactory(
            code="3",
            pack="12支/盒",
            attributes={"线幅": "0.5mm", "颜色": "红色"},
            stock=0,
            market_price=Decimal("90.00"),
            **shared,
        ),
    ]
    make_family(*products, axes=("颜色", "规格"))
    return products


def list_specs(row: dict) -> list[tuple[str, str, bool]]:
    return [
        (one["ProductCode"], " ".join(spec["Value"] for spec in one["Specs"]), one["InStock"])
        for one in row["Variants"]
    ]


def test_variants_show_their_distinguishing_specs(pens: list[Product], api: ApiClient) -> None:
    detail = api.get("/api/Product/1").body

    assert list_specs(detail) == [
        ("1", "黑色 1支", True),
        ("2", "红色 1支", True),
        ("3", "红色 12支/盒", False),
    ]
    assert [spec["Name"] for spec in detail["Variants"][0]["Specs"]] == ["颜色", "规格"]


def test_product_list_includes_variants_on_request(pens: list[Product], api: ApiClient) -> None:
    rows = api.get("/api/Product", {"Variants": "1", "Sort": "new"}).body["Items"]

    assert [len(row["Variants"]) for row in rows] == [3, 3, 3]
    assert "Variants" not in api.get("/api/Product").body["Items"][0]


def test_a_product_without_a_family_has_no_choice_although_its_model_is_equal(
    pens: list[Product], api: ApiClient
) -> None:
    ProductFactory(code="9", model_code="ZY-1103", attributes={"颜色": "蓝色"})

    detail = api.get("/api/Product/9").body

    assert (detail["Variants"], detail["Family"]) == ([], None)


def test_variants_exclude_products_outside_the_assortment(
    pens: list[Product], group: Group, buyer: Account
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    exclude_from_assortment(agreement.assortment, pens[1])
    create_customer_agreement(group, agreement)

    assert [code for code, *_ in list_specs(ApiClient(buyer).get("/api/Product/1").body)] == [
        "1",
        "3",
    ]


def test_they_cost_a_list_one_query_more(pens: list[Product], api: ApiClient) -> None:
    api.get("/api/Product")
    for extra in (0, 1):
        with assert_queries(3 + extra):
            api.get("/api/Product", {"Facets": "0", "Total": "0", "Variants": str(extra)})


def test_a_family_is_one_card_and_the_counts_count_cards(
    pens: list[Product], api: ApiClient
) -> None:
    ProductFactory(code="9", brand=pens[0].brand, category=pens[0].category)

    plain = api.get("/api/Product", {"Sort": "price"}).body
    grouped = api.get("/api/Product", {"Sort": "price", "Group": "family"}).body

    assert [row["ProductCode"] for row in plain["Items"]] == ["1", "2", "9", "3"]
    assert [row["ProductCode"] for row in grouped["Items"]] == ["1", "9"]
    assert (plain["Total"], grouped["Total"]) == (4, 2)
    assert [one["Count"] for one in grouped["Facets"]["Brands"]] == [2]
    attributes = {one["Name"]: one["Values"] for one in grouped["Facets"]["Attributes"]}
    colours = attributes["颜色"]
    assert {one["Value"]: one["Count"] for one in colours} == {"黑色": 1, "红色": 1}


def test_family_is_sorted_by_its_lowest_price_in_both_directions(
    pens: list[Product], api: ApiClient
) -> None:
    ProductFactory(code="9", market_price=Decimal("50.00"))

    def codes(sort: str) -> list[str]:
        items = api.get("/api/Product", {"Sort": sort, "Group": "family"}).body["Items"]
        return [row["ProductCode"] for row in items]

    assert (codes("price"), codes("-price")) == (["1", "9"], ["9", "1"])


def test_family_row_shows_its_axes_and_lowest_price(pens: list[Product], api: ApiClient) -> None:
    query = {"Variants": "1", "Group": "family", "Attr": "规格:12支/盒", "Sort": "-price"}
    assert api.get("/api/Product", query).body["Items"] == []
    row = api.get("/api/Product", query | {"Attr": "颜色:红色"}).body["Items"][0]

    assert row["Family"] == {
        "Code": "F1",
        "Name": "按动中性笔",
        "Axes": ["颜色", "规格"],
        "LowestPrice": "10.00",
        "HasPriceRange": True,
    }
    assert [one["CustomerPrice"] for one in row["Variants"]] == ["10.00", "10.00", "90.00"]
    assert row["ProductCode"] == "2"


@pytest.mark.parametrize(
    ("query", "code", "lowest", "has_range"),
    [
        ({"MinPrice": "8"}, "2", "10.00", True),
        ({"MinPrice": "50"}, "3", "90.00", False),
        ({"Attr": "颜色:红色"}, "2", "10.00", True),
        ({"Keyword": "ZY-1103 红色"}, "2", "10.00", True),
        ({"InStock": "1"}, "1", "5.00", True),
    ],
)
def test_the_price_of_a_family_is_that_of_its_products_that_pass_the_filters(
    pens: list[Product],
    api: ApiClient,
    query: dict[str, str],
    code: str,
    lowest: str,
    has_range: bool,
) -> None:
    Product.objects.filter(code="1").update(market_price=Decimal("5.00"))

    page = api.get("/api/Product", query | {"Variants": "1", "Group": "family"}).body

    (row,) = page["Items"]
    assert row["ProductCode"] == code
    assert (row["Family"]["LowestPrice"], row["Family"]["HasPriceRange"]) == (lowest, has_range)
    assert len(row["Variants"]) == 3


def test_a_family_does_not_take_the_own_name_of_one_member(
    pens: list[Product], buyer: Account
) -> None:
    own_name_set(actor=buyer, product_code="1", name="黑笔（我司）", code=None)

    (row,) = (
        ApiClient(buyer).get("/api/Product", {"Variants": "1", "Group": "family"}).body["Items"]
    )

    assert (row["CustomerProductName"], row["Family"]["Name"]) == ("黑笔（我司）", "按动中性笔")


def test_every_family_of_a_long_list_has_all_its_products(pens: list[Product]) -> None:
    families = [
        ProductFamily.objects.create(
            code=f"L{n}", name="长", category=pens[0].category, axes=["颜色"]
        )
        for n in range(3)
    ]
    fields = {
        field.attname: getattr(pens[0], field.attname)
        for field in Product._meta.concrete_fields
        if field.name not in ("id", "code", "family")
    }
    products = Product.objects.bulk_create(
        Product(**fields, code=str(100 + n), family=families[n // 60]) for n in range(180)
    )
    FamilyMember.objects.bulk_create(
        FamilyMember(family=one.family, product=one, values=[one.code], values_key=one.code)
        for one in products
    )

    result = get_families(context=get_catalogue_context(actor=None), products=products)

    assert {len(result[one.pk].variants) for one in products} == {60}


def test_the_named_colour_comes_forward(pens: list[Product], api: ApiClient) -> None:
    page = api.get("/api/Product", {"Keyword": "ZY-1103 红色", "Group": "family"}).body

    assert [row["ProductCode"] for row in page["Items"]] == ["2"]


def test_a_deep_page_reads_the_products_of_its_cards_only(
    pens: list[Product], api: ApiClient
) -> None:
    query = {"Group": "family", "PageIndex": "101", "PageSize": "20", "Facets": "0", "Total": "0"}

    with CaptureQueriesContext(connection) as queries:
        assert api.get("/api/Product", query).body["Items"] == []
    statements = [query["sql"] for query in queries if "LIMIT" in query["sql"]]

    assert max(int(re.findall(r"LIMIT (\d+)", sql)[-1]) for sql in statements) == 20


def test_an_inactive_family_is_listed_product_by_product(
    pens: list[Product], api: ApiClient
) -> None:
    family = ProductFamily.objects.get()
    family.is_active = False
    family_save(actor=None, family=family)

    assert api.get("/api/Product", {"Group": "family"}).body["Total"] == 3


def test_grouping_costs_no_query(pens: list[Product], api: ApiClient) -> None:
    api.get("/api/Product")
    for group, count in (("", 8), ("family", 7)):
        with assert_queries(count):
            api.get("/api/Product", {"Variants": "1", "Group": group})


def test_a_comparison_and_the_favourites_know_the_family(
    pens: list[Product], buyer: Account
) -> None:
    client = ApiClient(buyer)
    ProductFactory(code="9")
    for code in ("9", "2"):
        client.post("/api/Favorite/Add", {"TargetId": code})

    compared = client.get("/api/Product/Compare", {"Code": ["2", "9"]}).body
    saved = client.get("/api/Favorite").body["Items"]

    assert [[one["ProductCode"] for one in row["Variants"]] for row in compared] == [
        ["1", "2", "3"],
        [],
    ]
    assert [(row["ProductCode"], row["Specs"]) for row in saved] == [
        ("2", [{"Name": "颜色", "Value": "红色"}, {"Name": "规格", "Value": "1支"}]),
        ("9", []),
    ]
