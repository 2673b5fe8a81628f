"""Keep the derived data of a product up to date: category path, search keys, search tokens and
suggestion keys.

The database derives the full-text index from `search_tokens`: an expression index on PostgreSQL,
triggers on SQLite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import transaction

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.indexing.text import (
    build_model_key,
    build_suggest_keys,
    encode_product_tokens,
    normalise,
)
from apps.catalog.models import Brand, Category, Product, SuggestTerm
from apps.catalog.services.changes import change_record, changes_record
from apps.common.sql import rows_insert

__all__ = [
    "INDEXED_FIELDS",
    "change_record",
    "changes_record",
    "dictionary_load",
    "product_index",
    "products_index",
    "products_reindex",
    "suggest_terms_insert",
    "suggest_terms_write",
]

# Fields that products_index sets. Include them in a bulk_update.
INDEXED_FIELDS = ("l1", "l2", "l3", "name_key", "model_key", "search_tokens")
BATCH = 1000
# Cache of computed words. The key contains all inputs of the computation.
Words = dict[tuple[Any, ...], Any]


def products_index(*, products: Iterable[Product], words: Words | None = None) -> list[Product]:
    """Set INDEXED_FIELDS on the products and return them. The caller saves them. The products
    need `brand_id` and `category_id`.

    Two queries for any number of products; pass one batch at a time. `words` caches tokens: a
    caller can compute them before it takes a lock and reuse them under the lock.
    """
    words = {} if words is None else words
    rows = list(products)
    categories = Category.objects.select_related("parent__parent").in_bulk(
        {row.category_id for row in rows}
    )
    brands = Brand.objects.in_bulk({row.brand_id for row in rows})
    for row in rows:
        product_index(
            product=row,
            brand=brands[row.brand_id],
            category=categories[row.category_id],
            words=words,
        )
    return rows


def product_index(*, product: Product, brand: Brand, category: Category, words: Words) -> None:
    """Set INDEXED_FIELDS on the product from its brand and category, as `products_index`."""
    path = _get_category_path(category)
    product.l1_id, product.l2_id, product.l3_id = (
        path[0].pk,
        path[min(1, len(path) - 1)].pk,
        path[-1].pk,
    )
    product.model_key = build_model_key(product.model_code)
    product.name_key = normalise(product.name)[:120]
    names = (brand.name, brand.english_name, *(each.name for each in path))
    key = (
        product.name,
        product.code,
        product.model_code,
        product.model_key,
        product.pack,
        product.keywords,
        *names,
        *map(str, (product.attributes or {}).values()),
    )
    if key not in words:
        words[key] = encode_product_tokens(product, brand_names=names[:2], category_names=names[2:])
    product.search_tokens = words[key]


def _get_category_path(category: Category) -> list[Category]:
    """Return the path from level 1 down to the category."""
    path = [category]
    while path[0].parent is not None:
        path.insert(0, path[0].parent)
    return path


def suggestions_prepare(*, products: Iterable[Product], words: Words) -> None:
    """Compute the suggestion keys of products that will be saved, and store them in `words`."""
    for row in products:
        _get_suggestion_keys(words, row.name, row.model_code, row.code)


def _get_suggestion_keys(words: Words, *texts: str) -> list[str]:
    if texts not in words:
        words[texts] = sorted(build_suggest_keys(name=texts[0], model_code=texts[1], code=texts[2]))
    return list(words[texts])


@transaction.atomic
def suggest_terms_write(*, product_ids: Iterable[int], words: Words | None = None) -> None:
    """Replace the suggestion keys of the products by those of their stored names and codes.
    `words` caches keys that were computed before.
    """
    words = {} if words is None else words
    for ids in _iterate_batches(product_ids):
        rows = Product.objects.filter(pk__in=ids).values_list("pk", "name", "model_code", "code")
        keys = ((pk, key) for pk, *texts in rows for key in _get_suggestion_keys(words, *texts))
        SuggestTerm.objects.filter(product_id__in=ids).delete()
        suggest_terms_insert(keys)


def suggest_terms_insert(keys: Iterable[tuple[int, str]]) -> None:
    """Write suggestion keys of products that have none, as (product id, key)."""
    rows_insert(table=SuggestTerm._meta.db_table, columns=("product_id", "key"), rows=keys)


def products_reindex(*, product_ids: Iterable[int]) -> None:
    """Index and save the products and their suggestion keys again, after a brand or a category
    was renamed or moved. One transaction per 1,000 products.
    """
    dictionary_load()
    for ids in _iterate_batches(product_ids):
        with transaction.atomic():
            rows = products_index(
                products=Product.objects.select_for_update(no_key=True)
                .filter(pk__in=ids)
                .order_by("pk")
            )
            Product.objects.bulk_update(rows, INDEXED_FIELDS, batch_size=200)
            suggest_terms_write(product_ids=ids)


def _iterate_batches(product_ids: Iterable[int]) -> Iterator[Sequence[int]]:
    source = iter(product_ids)
    while batch := list(islice(source, BATCH)):
        yield batch
