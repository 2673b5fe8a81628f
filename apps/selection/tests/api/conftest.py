"""Catalogue fixtures that several test files of this folder share."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path


@pytest.fixture
def stationery() -> None:
    """A catalogue of pens at 2.00 元 in steps of ten, pens at 1.80 元 in boxes of 12, and
    notebooks at 10.00 元.
    """
    pens, books = (
        create_category_path("办公", "书写", "中性笔"),
        create_category_path("纸品", "本册", "笔记本"),
    )
    brand = BrandFactory(name="墨岚")
    ProductFactory(
        code="1",
        name="中性笔 黑色",
        category=pens,
        market_price=Decimal("2.00"),
        min_quantity=10,
        step_quantity=10,
        pack="1支",
    )
    ProductFactory(
        code="2",
        name="中性笔 黑色 12支/盒",
        category=pens,
        market_price=Decimal("21.60"),
        unit="盒",
        pack="12支/盒",
        sales_count=50,
    )
    ProductFactory(
        code="3",
        name="软面笔记本 A5",
        category=books,
        brand=brand,
        unit="本",
        pack="1本",
        sales_count=9,
    )
    dictionary_load()
