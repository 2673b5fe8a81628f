"""GET /api/Product with a phrase: prices in words and negated words filter, what was understood
and what was relaxed are named, and a phrase costs no more queries than its words.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def pens() -> list[Product]:
    rows = (("黑色", "8.00"), ("红色", "9.00"), ("蓝色", "30.00"))
    return [
        ProductFactory(
            name=f"中性笔 {colour}", attributes={"颜色": colour}, market_price=Decimal(price)
        )
        for colour, price in rows
    ]


def ask(**query: Any) -> dict[str, Any]:
    answer: dict[str, Any] = ApiClient().get("/api/Product", query).body
    return answer


def list_names(body: dict[str, Any]) -> list[str]:
    return sorted(row["CustomerProductName"] for row in body["Items"])


def test_a_price_and_a_negation_in_words_filter_and_are_named() -> None:
    body = ask(Keyword="10元以下的中性笔 不要红色")

    assert (list_names(body), body["Total"]) == (["中性笔 黑色"], 1)
    assert body["Phrase"] == [
        {"Kind": "price", "Label": "价格 ≤ 10 元", "Keyword": "中性笔 不要红色"},
        {"Kind": "excluded", "Label": "不含 红色", "Keyword": "10元以下的中性笔"},
    ]
    assert "Relaxed" not in body
    assert body["Facets"]["InStock"] == 1


def test_negated_words_only_exclude_matches() -> None:
    assert list_names(ask(Keyword="不要红色")) == ["中性笔 蓝色", "中性笔 黑色"]
    assert ask(Keyword="中性笔 不要中性笔")["Total"] == 0


def test_a_price_filter_weighs_more_than_the_price_in_words() -> None:
    body = ask(Keyword="10元以下的中性笔", MinPrice="20")

    assert (list_names(body), [part["Label"] for part in body["Phrase"]]) == (
        ["中性笔 蓝色"],
        ["已按所选价格筛选，未采用搜索词中的价格"],
    )


def test_relaxed_words_are_listed_when_no_product_matches_all() -> None:
    body = ask(Keyword="结实的蓝色中性笔")

    assert (list_names(body), body["Relaxed"]) == (["中性笔 蓝色"], ["结实"])


def test_where_no_product_is_cheap_enough_the_price_is_relaxed_and_named() -> None:
    body = ask(Keyword="5元以下的中性笔")

    assert (body["Total"], body["Relaxed"]) == (3, ["价格 ≤ 5 元"])
    assert "NoResult" not in body


def test_the_second_page_has_the_same_relaxed_price_and_no_other() -> None:
    ProductFactory.create_batch(8, name="中性笔", market_price=Decimal("40.00"))

    second = ask(Keyword="5元以下的中性笔", PageSize="10", PageIndex="2")

    assert (len(second["Items"]), second["Relaxed"]) == (1, ["价格 ≤ 5 元"])
    assert ask(Keyword="10元以下的中性笔", PageSize="10", PageIndex="2")["Items"] == []


def test_a_phrase_costs_as_many_queries_as_its_words() -> None:
    dictionary_load()
    ask(Keyword="中性笔")  # fills the cache of the lexicon

    for keyword in ("中性笔", "10元以下的中性笔 不要红色"):
        with assert_queries(4):
            ask(Keyword=keyword, Facets="0", Total="0")


@pytest.mark.parametrize("name", ["MinPrice", "MaxPrice"])
def test_a_negative_price_is_refused(name: str) -> None:
    refused = ApiClient().get("/api/Product", {name: "-5"})

    assert (refused.code, refused.errors) == ("validation", {name: ["价格不能为负数"]})
