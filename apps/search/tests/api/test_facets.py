"""The category facet of GET /api/Product: the children of the chosen category, or its siblings."""

from __future__ import annotations

import pytest

from apps.catalog.models import Category
from apps.catalog.tests.factories import (
    BrandFactory,
    CategoryFactory,
    ProductFactory,
    create_category_path,
)
from apps.common.testing import ApiClient, assert_queries

pytestmark = pytest.mark.django_db


@pytest.fixture
def pens() -> Category:
    """书写 › 笔 with 中性笔 (2 products) and 圆珠笔 (1 product).

    书写 › 本册 and another first-level category have one product each.
    """
    leaf = create_category_path("书写", "笔", "中性笔")
    ProductFactory.create_batch(2, category=leaf)
    ProductFactory(
        category=CategoryFactory(name="圆珠笔", parent=leaf.parent, level=3, menu_group=None),
        brand=BrandFactory(name="墨岚"),
    )
    books = CategoryFactory(name="本册", parent=leaf.parent.parent, level=2, menu_group=None)
    ProductFactory(category=CategoryFactory(name="笔记本", parent=books, level=3, menu_group=None))
    ProductFactory(category=create_category_path("家具", "椅", "办公椅"))
    return leaf


def list_facet(**query: str) -> list[tuple[str, int]]:
    return [
        (row["Name"], row["Count"])
        for row in ApiClient().get("/api/Product", query).body["Facets"]["Categories"]
    ]


def test_without_a_category_the_first_level_is_counted(pens: Category) -> None:
    assert list_facet() == [("书写", 4), ("家具", 1)]


def test_below_a_first_level_category_are_its_children(pens: Category) -> None:
    assert list_facet(Cid=str(pens.parent.parent_id)) == [("笔", 3), ("本册", 1)]


def test_below_a_second_level_category_are_its_children(pens: Category) -> None:
    assert list_facet(Cid=str(pens.parent_id)) == [("中性笔", 2), ("圆珠笔", 1)]


def test_beside_a_third_level_category_are_its_siblings(pens: Category) -> None:
    assert list_facet(Cid=str(pens.pk)) == [("中性笔", 2), ("圆珠笔", 1)]


def test_beside_a_category_without_children_are_its_siblings(pens: Category) -> None:
    lone = CategoryFactory(name="橡皮", parent=pens.parent.parent, level=2, menu_group=None)
    ProductFactory(category=lone)

    assert list_facet(Cid=str(lone.pk)) == [("笔", 3), ("本册", 1), ("橡皮", 1)]


def test_other_filters_hold_for_the_siblings_too(pens: Category) -> None:
    assert list_facet(Cid=str(pens.pk), Brand="墨岚") == [("圆珠笔", 1)]


def test_siblings_cost_no_more_queries_than_children(pens: Category) -> None:
    for category in (pens.parent_id, pens.pk):
        with assert_queries(8):
            list_facet(Cid=str(category), Total="0")
