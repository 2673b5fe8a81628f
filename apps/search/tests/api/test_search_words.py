"""GET /api/Product with the search words of staff (搜索词). A change takes effect in the next
search, without a reindex.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path
from apps.common.testing import ApiClient
from apps.search.models import SearchSynonym

pytestmark = pytest.mark.django_db


def search(keyword: str) -> dict:
    return ApiClient().get("/api/Product", {"Keyword": keyword}).body


def list_codes(keyword: str) -> list[str]:
    return [row["ProductCode"] for row in search(keyword)["Items"]]


def build_row(
    word: str, others: str = "", kind: str = "same", factor: str | None = None
) -> SearchSynonym:
    return SearchSynonym.objects.create(
        word=word, kind=kind, others=others, factor=Decimal(factor) if factor else None
    )


def test_a_synonym_finds_from_the_next_search_on_and_not_after_it_is_gone() -> None:
    ProductFactory(code="1", name="移动电源 10000mAh")
    assert list_codes("充电宝") == []

    row = build_row("充电宝", "移动电源；移动充电器")
    assert list_codes("充电宝") == list_codes("移动充电器") == ["1"]

    SearchSynonym.objects.filter(pk=row.pk).update(is_active=False)
    assert list_codes("充电宝") == []


def test_synonym_of_kind_means_applies_in_one_direction() -> None:
    ProductFactory(code="1", name="复印纸 A4", sales_count=1)
    ProductFactory(code="2", name="针式打印纸", sales_count=9)
    build_row("打印纸", "复印纸", "means")

    assert (list_codes("打印纸"), list_codes("复印纸")) == (["2", "1"], ["1"])


def test_a_synonym_ranks_by_the_category_it_names() -> None:
    ProductFactory(code="1", name="笔袋 可放签字笔", sales_count=999)
    ProductFactory(
        code="2", name="按动中性笔", category=create_category_path("书写", "笔", "中性笔")
    )
    build_row("签字笔", "中性笔")

    assert list_codes("签字笔") == ["2", "1"]


@pytest.mark.parametrize("keyword", ["1.5千瓦", "1.5KW 取暖器", "１．５千瓦取暖器"])
def test_a_unit_is_converted_by_its_factor(keyword: str) -> None:
    ProductFactory(code="1", name="踢脚线取暖器 1500W")
    ProductFactory(code="2", name="踢脚线取暖器 2200W")
    build_row("千瓦", "w", "unit", "1000")
    build_row("kw", "w", "unit", "1000")

    assert list_codes(keyword) == ["1"]


@pytest.mark.parametrize("keyword", ["0.5 黑 中性笔", "0.5mm黑色中性笔", "黑色 0.5毫米 中性笔"])
def test_a_number_with_its_unit_or_without_narrows_to_the_attribute(keyword: str) -> None:
    ProductFactory(code="1", name="中性笔", attributes={"线幅": "0.5mm", "颜色": "黑色"})
    ProductFactory(
        code="2", name="中性笔", attributes={"线幅": "0.7mm", "颜色": "黑色"}, sales_count=9
    )

    assert list_codes(keyword) == ["1"]


def test_filler_words_are_ignored_unless_there_are_no_others() -> None:
    ProductFactory(code="1", name="黑色中性笔")
    ProductFactory(code="2", name="我的日记本")
    for word in ("请问", "有没有", "的"):
        build_row(word, kind="ignored")

    assert (list_codes("请问有没有黑色的中性笔"), list_codes("的")) == (["1"], ["2"])


def test_a_model_is_found_with_its_label_before_it_and_with_dashes_or_without() -> None:
    ProductFactory(code="1", name="碎纸机", model_code="VY-3118")
    ProductFactory(code="2", name="碎纸机 兼容 VY-3118", sales_count=9)
    build_row("型号", kind="ignored")

    assert [
        list_codes(keyword)[0] for keyword in ("型号VY-3118", "vy3118", "VY 3118", "VY—3118")
    ] == [
        "1",
        "1",
        "1",
        "1",
    ]


def test_unknown_words_are_dropped_and_the_understood_keyword_is_returned() -> None:
    ProductFactory(code="1", name="标准订书机")

    body = search("得力 订书机")

    assert ([item["ProductCode"] for item in body["Items"]], body["Understood"]) == (
        ["1"],
        "订书机",
    )


def test_known_product_word_is_never_dropped() -> None:
    ProductFactory(name="汽车垫")

    body = search("汽车 轮胎")

    assert (body["Total"], body["NoResult"]["NearWords"]) == (0, [{"Keyword": "汽车", "Count": 1}])


def test_a_misspelt_word_is_read_as_the_category_it_sounds_like() -> None:
    ProductFactory(
        code="1", name="办公碎纸机", category=create_category_path("设备", "文印", "碎纸机")
    )
    ProductFactory(code="2", name="碎纸机油", sales_count=99)

    body = search("碎指机")

    assert ([item["ProductCode"] for item in body["Items"]], body["Understood"]) == (
        ["1", "2"],
        "碎纸机",
    )


def test_brand_and_word_are_each_found_by_their_sound() -> None:
    ProductFactory(code="1", name="墨岚 按动中性笔", brand=BrandFactory(name="墨岚"))
    ProductFactory(code="2", name="卓砚 按动中性笔", brand=BrandFactory(name="卓砚"))

    assert list_codes("molan zhongxingbi") == ["1"]


def test_the_middle_of_a_name_is_found_but_not_characters_scattered_over_a_product() -> None:
    ProductFactory(code="1", name="按动中性笔", keywords="电宝;充气")

    assert (list_codes("动中"), list_codes("充电宝")) == (["1"], [])


@pytest.mark.parametrize("keyword", ["笔" * 100, "a " * 50, "0.5 " * 25, "我想买" * 30])
def test_a_long_keyword_is_answered(keyword: str) -> None:
    ProductFactory(name="中性笔")

    assert search(keyword)["Total"] in (0, 1)
