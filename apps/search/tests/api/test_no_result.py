"""GET /api/Product without a match: the answer suggests filters to drop, with counts, and
similar words.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.tests.factories import (
    BrandFactory,
    CategoryFactory,
    ProductFactory,
    create_category_path,
)
from apps.common.testing import ApiClient, assert_queries

pytestmark = pytest.mark.django_db


def ask(**query: Any) -> dict[str, Any]:
    answer: dict[str, Any] = ApiClient().get("/api/Product", query).body
    return answer


def list_dropped(body: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    return [
        (row["Filter"], row["Name"], row["Label"], row["Count"])
        for row in body["NoResult"]["Dropped"]
    ]


def test_empty_result_lists_filters_to_remove_with_their_counts() -> None:
    brand = BrandFactory(name="墨岚")
    ProductFactory(
        name="中性笔", brand=brand, attributes={"颜色": "黑色"}, market_price=Decimal("8.00")
    )
    ProductFactory.create_batch(
        2, name="中性笔", attributes={"颜色": "红色"}, market_price=Decimal("8.00")
    )

    body = ask(Keyword="中性笔", Brand=str(brand.pk), Attr="颜色:红色", MaxPrice="10", InStock="1")

    assert (body["Total"], body["NoResult"]["NearWords"]) == (0, [])
    assert list_dropped(body) == [
        ("Brand", "", "品牌：墨岚", 2),
        ("Attr", "颜色", "颜色：红色", 1),
        ("All", "", "全部筛选条件", 3),
    ]


def test_category_price_stock_and_agreement_are_named_too() -> None:
    leaf, other = (
        create_category_path("书写", "笔", "中性笔"),
        create_category_path("桌面", "装订", "订书机"),
    )
    ProductFactory(category=leaf, market_price=Decimal("8.00"), stock=0)

    assert list_dropped(ask(Cid=str(other.pk))) == [("Cid", "", "分类：订书机", 1)]
    assert list_dropped(ask(MinPrice="10", MaxPrice="20")) == [
        ("Price", "", "价格：10.00–20.00 元", 1)
    ]
    assert list_dropped(ask(MinPrice="10")) == [("Price", "", "价格：10.00 元以上", 1)]
    assert list_dropped(ask(InStock="1")) == [("InStock", "", "仅看有货", 1)]
    assert list_dropped(ask(Agreed="1")) == [("Agreed", "", "仅看协议商品", 1)]


def test_where_no_single_filter_is_to_blame_all_of_them_and_the_keyword_are_offered() -> None:
    ProductFactory(name="中性笔", stock=10, market_price=Decimal("8.00"))
    ProductFactory(
        name="订书机", stock=0, market_price=Decimal("80.00"), attributes={"颜色": "黑色"}
    )

    body = ask(Keyword="订书机", InStock="1", MaxPrice="10")

    assert list_dropped(body) == [
        ("All", "", "全部筛选条件", 1),
        ("Keyword", "", "关键词：订书机", 1),
    ]


def test_where_the_keyword_is_to_blame_near_words_that_find_something_are_offered() -> None:
    CategoryFactory(name="白板笔")
    CategoryFactory(name="白板擦")
    ProductFactory.create_batch(2, name="白板笔 黑色")
    dictionary_load()

    near = [{"Keyword": "白板笔", "Count": 2}, {"Keyword": "白板", "Count": 2}]
    assert ask(Keyword="白板膜")["NoResult"] == {"Dropped": [], "NearWords": near}


def test_non_empty_result_has_no_hints() -> None:
    ProductFactory(name="中性笔")

    assert "NoResult" not in ask(Keyword="中性笔")
    assert "NoResult" not in ask(Keyword="中性笔", PageIndex="2")


def test_empty_catalogue_has_no_hints() -> None:
    assert ask()["NoResult"] == {"Dropped": [], "NearWords": []}


def test_empty_result_hints_are_queried_only_without_results() -> None:
    ProductFactory(name="中性笔")
    dictionary_load()
    ask(Keyword="中性笔")  # fills the cache of the lexicon

    with assert_queries(4):
        ask(Keyword="中性笔", Facets="0", Total="0", InStock="1")
    ProductFactory._meta.model.objects.update(stock=0)
    with assert_queries(7):
        ask(Keyword="中性笔", Facets="0", InStock="1")


def test_search_without_a_total_skips_the_empty_result_hints() -> None:
    ProductFactory(name="中性笔", stock=0)

    assert "NoResult" not in ask(Keyword="中性笔", Facets="0", Total="0", InStock="1")


def test_ten_attributes_may_be_filtered_by_and_no_more() -> None:
    pairs = [f"属性{number}:值" for number in range(11)]

    assert ApiClient().get("/api/Product", {"Attr": [*pairs[:10], "属性0:另一个值"]}).ok
    refused = ApiClient().get("/api/Product", {"Attr": pairs})
    assert (refused.code, refused.errors) == (
        "validation",
        {"Attr": ["一次最多按 10 种属性筛选，请减少后重试"]},
    )


def test_eight_filters_are_tried_one_by_one() -> None:
    ProductFactory(name="中性笔", attributes={})
    attributes = [f"属性{number}:值" for number in range(10)]

    with CaptureQueriesContext(connection) as captured:
        ask(Attr=attributes, Facets="0")
    # One of the counts uses no filter.
    assert captured.captured_queries[-1]["sql"].count("SELECT COUNT(*)") == 9
