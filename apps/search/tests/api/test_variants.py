"""Variants of a product (可选规格), in the list and on the product page."""

from __future__ import annotations

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    BrandFactory,
    ProductFactory,
    agree,
    category_path,
    exclude,
    include,
)
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group


@pytest.fixture
def pens(db: None) -> list[Product]:
    """One model in black and red by the piece, and in red by the box. The box is out of stock."""
    shared = {"model_code": "ZY-1103", "brand": BrandFactory(), "category": category_path()}
    return [
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
            **shared,
        ),
    ]


def specs(row: dict) -> list[tuple[str, str, bool]]:
    return [
        (one["ProductCode"], " ".join(spec["Value"] for spec in one["Specs"]), one["InStock"])
        for one in row["Variants"]
    ]


def test_an_article_is_told_apart_by_what_differs(pens: list[Product], api: ApiClient) -> None:
    detail = api.get("/api/Product/1").body

    assert specs(detail) == [
        ("1", "黑色 1支", True),
        ("2", "红色 1支", True),
        ("3", "红色 12支/盒", False),
    ]
    assert [spec["Name"] for spec in detail["Variants"][0]["Specs"]] == ["颜色", "规格"]


def test_the_list_brings_them_where_it_is_asked_to(pens: list[Product], api: ApiClient) -> None:
    rows = api.get("/api/Product", {"Variants": "1", "Sort": "new"}).body["Items"]

    assert [len(row["Variants"]) for row in rows] == [3, 3, 3]
    assert "Variants" not in api.get("/api/Product").body["Items"][0]


def test_a_model_alone_and_the_same_model_of_another_brand_are_no_choice(
    pens: list[Product], api: ApiClient
) -> None:
    ProductFactory(code="9", model_code="ZY-1103", attributes={"颜色": "蓝色"})

    assert api.get("/api/Product/9").body["Variants"] == []


def test_what_the_customer_may_not_buy_is_no_choice(
    pens: list[Product], group: Group, buyer: Account
) -> None:
    agreement = AgreementFactory()
    include(agreement.assortment)
    exclude(agreement.assortment, pens[1])
    agree(group, agreement)

    assert [code for code, *_ in specs(ApiClient(buyer).get("/api/Product/1").body)] == ["1", "3"]


def test_they_cost_a_list_one_query_more(pens: list[Product], api: ApiClient) -> None:
    api.get("/api/Product")
    for extra in (0, 1):
        with assert_queries(3 + extra):
            api.get("/api/Product", {"Facets": "0", "Total": "0", "Variants": str(extra)})
