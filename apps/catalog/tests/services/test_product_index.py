"""The derived columns of a product (path, keys, tokens) and the full-text index of the database."""

from __future__ import annotations

import pytest
from django.db import connection

from apps.catalog.indexing.full_text import SQLITE_TRIGGERS, full_text_repair
from apps.catalog.models import Product, SuggestTerm
from apps.catalog.services.product_index import (
    products_index,
    products_reindex,
    suggest_terms_write,
)
from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path
from apps.common.testing import assert_queries
from apps.pricing.selectors.context import get_catalogue_context
from apps.search.query import CatalogQuery
from apps.search.sql.engine import SqlEngine


def search_ids(keyword: str) -> list[int]:
    return list(
        SqlEngine()
        .get_page(context=get_catalogue_context(actor=None), query=CatalogQuery(keyword=keyword))
        .ids
    )


def test_the_path_of_the_category_is_on_the_product(db: None) -> None:
    leaf = create_category_path("书写", "水笔", "中性笔")

    product = ProductFactory(category=leaf)

    assert [product.l1.name, product.l2.name, product.l3.name] == ["书写", "水笔", "中性笔"]


def test_a_product_is_found_by_its_brand_category_model_and_attributes(db: None) -> None:
    brand, leaf = (
        BrandFactory(name="墨岚", english_name="MOLANE"),
        create_category_path("a", "b", "中性笔"),
    )
    product = ProductFactory(
        name="按动款", brand=brand, category=leaf, attributes={"颜色": "天青色"}
    )

    assert [search_ids(word) for word in ("墨岚", "molane", "中性笔", "天青色")] == [
        [product.pk]
    ] * 4


def test_a_renamed_product_is_found_by_its_new_name_only(db: None) -> None:
    product = ProductFactory(name="省力订书机")
    product.name = "省力打孔器"
    products_index(products=[product])
    product.save()
    suggest_terms_write(product_ids=[product.pk])

    assert (search_ids("订书机"), search_ids("打孔器")) == ([], [product.pk])


def test_a_deleted_product_is_found_no_more(platform: None) -> None:
    product = ProductFactory(name="省力订书机", stock=0)
    SuggestTerm.objects.all().delete()
    product.delete()

    assert search_ids("订书机") == []


def test_bulk_writes_are_indexed_too(db: None) -> None:
    product = ProductFactory(name="省力订书机")
    product.name = "省力打孔器"
    Product.objects.bulk_update(
        products_index(products=[product]), ["name", "name_key", "search_tokens"]
    )
    suggest_terms_write(product_ids=[product.pk])

    assert (search_ids("订书机"), search_ids("打孔器")) == ([], [product.pk])


def test_a_renamed_brand_is_found_after_reindexing_its_products(db: None) -> None:
    product = ProductFactory(brand=BrandFactory(name="旧牌"))
    product.brand.name = "新颖牌"
    product.brand.save()

    products_reindex(product_ids=[product.pk])

    assert search_ids("新颖牌") == [product.pk]


def test_suggestion_keys_are_replaced(db: None) -> None:
    product = ProductFactory(name="订书机", code="77")
    Product.objects.update(name="打孔器")

    suggest_terms_write(product_ids=[product.pk])

    keys = set(SuggestTerm.objects.values_list("key", flat=True))
    assert "dkq" in keys
    assert "dsj" not in keys


def test_a_batch_is_indexed_with_two_queries(db: None) -> None:
    products = ProductFactory.create_batch(20)

    with assert_queries(2):
        products_index(products=products)


def test_search_index_is_rebuilt_after_its_triggers_were_lost(db: None) -> None:
    if connection.vendor != "sqlite":
        full_text_repair(connection)
        return
    with connection.cursor() as cursor:
        for event in ("insert", "update", "delete"):
            cursor.execute(f"DROP TRIGGER catalog_product_fts_{event}")
    product = ProductFactory(name="省力订书机")
    SuggestTerm.objects.all().delete()
    assert search_ids("订书机") == []

    full_text_repair(connection)

    assert search_ids("订书机") == [product.pk]
    assert len(SQLITE_TRIGGERS) == 3


@pytest.mark.parametrize(
    "keyword", ['"', "' OR 1=1", "a & b", "*", "%", "_", "NEAR(", "\\", "𠀀", "😀"]
)
def test_special_characters_in_a_keyword_cause_no_index_error(db: None, keyword: str) -> None:
    ProductFactory()

    assert search_ids(keyword) == []
