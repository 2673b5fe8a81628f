"""GET /api/Product with a keyword: a match by sound if no text matches, and equal results for
different spellings of a unit.
"""

from __future__ import annotations

import pytest

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.tests.factories import BrandFactory, ProductFactory
from apps.common.testing import Answer, ApiClient, assert_queries

pytestmark = pytest.mark.django_db


def search(keyword: str, **more: str) -> Answer:
    return ApiClient().get("/api/Product", {"Keyword": keyword, **more})


def list_codes(answer: Answer) -> list[str]:
    return [row["ProductCode"] for row in answer.body["Items"]]


@pytest.mark.parametrize(
    "keyword", ["zhongxingbi", "zhongxing", "zxb", "ZXB", "zhong xing bi", "中兴笔"]
)
def test_a_keyword_that_no_text_has_is_searched_by_its_sound(keyword: str) -> None:
    ProductFactory(code="110001", name="按动中性笔 0.5mm")
    ProductFactory(code="110002", name="订书机")

    answer = search(keyword)

    assert (list_codes(answer), answer.body["Total"], answer.body["Understood"]) == (
        ["110001"],
        1,
        "中性笔",
    )


def test_a_keyword_that_a_text_has_is_not_searched_by_its_sound() -> None:
    ProductFactory(code="110001", name="中性笔")
    ProductFactory(code="110002", name="ZXB 订书机")

    answer = search("zxb")

    assert list_codes(answer) == ["110002"]
    assert "Understood" not in answer.body


def test_a_filter_that_leaves_no_text_does_not_turn_the_search_to_sound() -> None:
    ProductFactory(code="110001", name="中性笔", brand=BrandFactory(name="墨岚"))
    ProductFactory(code="110002", name="ZXB 订书机")

    assert list_codes(search("zxb", Brand="墨岚")) == []


def test_a_search_by_sound_shows_only_the_customers_catalogue() -> None:
    ProductFactory(name="中性笔", is_public=False)

    assert search("zxb").body["Total"] == 0


def test_a_search_by_sound_is_counted_and_narrowed_like_any_other() -> None:
    brand = BrandFactory(name="墨岚")
    ProductFactory(code="110001", name="中性笔 黑色", brand=brand)
    ProductFactory(code="110002", name="中性笔 红色")

    answer = search("zxb", Brand="墨岚")

    assert (list_codes(answer), len(answer.body["Facets"]["Brands"])) == (["110001"], 2)


def test_a_page_beyond_the_last_is_no_search_by_sound() -> None:
    ProductFactory(name="ZXB 订书机")
    ProductFactory.create_batch(21, name="中性笔")

    assert list_codes(search("zxb", PageIndex="2")) == []


@pytest.mark.parametrize("keyword", ["z", "!?", "70"])
def test_single_letter_sign_or_number_has_no_sound(keyword: str) -> None:
    ProductFactory(name="中性笔")

    assert search(keyword).body["Total"] == 0


def test_a_search_by_sound_costs_one_query_more_and_one_by_text_none() -> None:
    ProductFactory(name="A 中性笔")
    dictionary_load()
    search("a")  # fills the cache of the lexicon

    with assert_queries(4):
        search("a", Facets="0", Total="0")
    with assert_queries(5):
        search("zxb", Facets="0", Total="0")


@pytest.mark.parametrize("keyword", ["70克复印纸", "70g复印纸", "70 克 复印纸", "７０Ｇ复印纸"])
@pytest.mark.parametrize(
    "name", ["墨岚 A4复印纸 70g 500张/包", "墨岚 A4复印纸 70克 500张/包", "墨岚 A4复印纸 ７０克/㎡"]
)
def test_measure_is_found_in_any_unit_spelling(name: str, keyword: str) -> None:
    ProductFactory(code="1", name=name)
    ProductFactory(code="2", name="墨岚 A4复印纸 80g 500张/包")

    assert list_codes(search(keyword)) == ["1"]


def test_a_barcode_finds_its_product_as_upc_and_as_ean() -> None:
    ProductFactory(code="700001", barcode="036000291452")
    ProductFactory(code="700002", barcode="6901234567892")

    assert list_codes(search("036000291452")) == ["700001"]
    assert list_codes(search("0036000291452")) == ["700001"]
    assert list_codes(search("6901234567892")) == ["700002"]
