"""The catalogue sheets satisfy the importer of the mall and the requirements of the demo."""

import re
from collections import Counter

import pytest

from demo.generate.sheets import CATALOGUE, Row, read_sheet


@pytest.fixture(scope="module")
def categories() -> list[Row]:
    return read_sheet(CATALOGUE / "categories.csv")


@pytest.fixture(scope="module")
def brands() -> list[Row]:
    return read_sheet(CATALOGUE / "brands.csv")


@pytest.fixture(scope="module")
def products() -> list[Row]:
    return read_sheet(CATALOGUE / "products.csv")


def test_there_are_fifteen_menu_groups(categories: list[Row]) -> None:
    assert len({row["菜单分组编码"] for row in categories}) == 15


def test_the_category_levels_have_their_sizes(categories: list[Row]) -> None:
    assert Counter(row["级别"] for row in categories) == {"1": 45, "2": 160, "3": 453}


def test_a_category_stands_after_its_parent_and_in_its_group(categories: list[Row]) -> None:
    seen: dict[str, Row] = {}
    for row in categories:
        if row["级别"] != "1":
            parent = seen[row["上级编码"]]
            assert (int(parent["级别"]) + 1, parent["菜单分组编码"]) == (
                int(row["级别"]),
                row["菜单分组编码"],
            )
        seen[row["编码"]] = row


def test_category_codes_are_unique(categories: list[Row]) -> None:
    assert len({row["编码"] for row in categories}) == len(categories)


def test_brand_names_are_unique_in_both_languages(brands: list[Row]) -> None:
    assert (
        len({row["名称"] for row in brands})
        == len({row["英文名"] for row in brands})
        == len(brands)
        == 48
    )


def test_there_are_at_least_three_thousand_products(products: list[Row]) -> None:
    assert len(products) >= 3000


@pytest.mark.parametrize("column", ["商品编码", "名称", "图片"])
def test_products_differ_in(products: list[Row], column: str) -> None:
    assert [
        value for value, times in Counter(row[column] for row in products).items() if times > 1
    ] == []


def test_a_product_code_has_digits_only(products: list[Row]) -> None:
    assert [
        row["商品编码"] for row in products if not re.fullmatch(r"[1-9]\d{5}", row["商品编码"])
    ] == []


def test_every_third_level_category_has_three_products(
    categories: list[Row], products: list[Row]
) -> None:
    filled = Counter(row["三级分类编码"] for row in products)
    assert [
        row["名称"] for row in categories if row["级别"] == "3" and filled[row["编码"]] < 3
    ] == []


def test_products_name_known_brands_and_categories(
    categories: list[Row], brands: list[Row], products: list[Row]
) -> None:
    assert {row["三级分类编码"] for row in products} <= {
        row["编码"] for row in categories if row["级别"] == "3"
    }
    assert {row["品牌编码"] for row in products} == {row["编码"] for row in brands}


def test_a_price_is_positive_with_two_places(products: list[Row]) -> None:
    assert [
        row
        for row in products
        if not re.fullmatch(r"\d+\.\d\d", row["市场价"]) or float(row["市场价"]) <= 0
    ] == []


def test_tax_codes_have_nineteen_digits_and_rates_are_lawful(products: list[Row]) -> None:
    assert [row for row in products if not re.fullmatch(r"1\d{18}", row["税收分类编码"])] == []
    assert {row["税率"] for row in products} <= {"0.13", "0.09", "0.06"}


def test_the_minimum_is_a_multiple_of_the_step_or_at_least_one(products: list[Row]) -> None:
    assert [row["名称"] for row in products if int(row["起订量"]) < 1 or int(row["增量"]) < 1] == []


def test_some_products_are_off_sale_or_sold_out_or_not_public(products: list[Row]) -> None:
    for column, value in (("状态", "下架"), ("库存", "0"), ("是否公开", "否")):
        assert 10 < sum(row[column] == value for row in products) < 200


def test_attributes_are_pairs_of_name_and_value(products: list[Row]) -> None:
    pairs = [pair for row in products for pair in row["属性"].split(";") if pair]
    assert [pair for pair in pairs if not re.fullmatch(r"[^:;]+:[^:;]+", pair)] == []


def test_the_sheets_together_stay_below_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in CATALOGUE.glob("*.csv")) < 3_000_000
