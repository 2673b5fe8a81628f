"""Every product has its own picture: small, well-formed, and without scripts or external
resources.
"""

import hashlib
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from demo.generate.sheets import CATALOGUE, DEMO, Row, read_sheet
from demo.pictures import picture, write_pictures
from demo.pictures.templates import TEMPLATES


@pytest.fixture(scope="module")
def products() -> list[Row]:
    return read_sheet(CATALOGUE / "products.csv")


@pytest.fixture(scope="module")
def pictures(products: list[Row]) -> dict[str, str]:
    return {product["商品编码"]: picture(product) for product in products}


def test_no_two_products_share_a_picture_even_without_their_ids(pictures: dict[str, str]) -> None:
    drawn = Counter(
        hashlib.sha256(svg.replace(f"p{code}", "").encode()).hexdigest()
        for code, svg in pictures.items()
    )
    assert [digest for digest, times in drawn.items() if times > 1] == []


def test_every_picture_is_well_formed(pictures: dict[str, str]) -> None:
    for svg in pictures.values():
        assert ElementTree.fromstring(svg).attrib["viewBox"] == "0 0 800 800"


def test_nothing_in_a_picture_runs_or_loads(pictures: dict[str, str]) -> None:
    forbidden = re.compile(
        r"<(script|image|use|foreignObject|style)|\bon\w+=|href|url\((?!#)", re.IGNORECASE
    )
    assert [code for code, svg in pictures.items() if forbidden.search(svg)] == []


def test_ids_belong_to_their_picture_and_are_defined(pictures: dict[str, str]) -> None:
    for code, svg in pictures.items():
        defined = re.findall(r'id="([^"]+)"', svg)
        assert len(set(defined)) == len(defined)
        assert all(name.startswith(f"p{code}") for name in defined)
        assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(defined)


def test_pictures_are_small(pictures: dict[str, str]) -> None:
    sizes = sorted(len(svg.encode()) for svg in pictures.values())
    assert sizes[len(sizes) // 2] < 6_000
    assert sizes[-1] < 16_000


def test_every_kind_of_the_catalogue_has_a_template() -> None:
    kinds = {row["图形"] for row in read_sheet(DEMO / "pictures" / "kinds.csv")}
    assert kinds - TEMPLATES.keys() == set()
    assert len(kinds) >= 60


def test_a_product_of_an_unknown_category_gets_a_plain_box(products: list[Row]) -> None:
    assert picture(products[0] | {"三级分类编码": "99999999"}) != picture(products[0])


def test_names_with_markup_are_escaped(products: list[Row]) -> None:
    svg = picture(products[0] | {"三级分类编码": "99999999", "型号": "<b>&", "关键词": "<i>&\"'"})
    assert ElementTree.fromstring(svg).tag.endswith("svg")


def test_write_pictures_writes_one_file_per_product(products: list[Row], tmp_path: Path) -> None:
    assert write_pictures(products=products[:25], target=tmp_path / "new") == 25
    assert {path.name for path in (tmp_path / "new").iterdir()} == {
        product["图片"] for product in products[:25]
    }
