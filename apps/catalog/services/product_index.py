"""Keep what is derived from a product in step with it: category path, search keys and tokens, suggestion keys.

The full-text index itself follows `search_tokens` in the database: an expression index on PostgreSQL, triggers on SQLite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from django.db import transaction

from apps.catalog.models import Brand, Category, Product, SuggestTerm
from apps.catalog.search.dictionary import dictionary_loaded
from apps.catalog.search.sql.rows_insert import rows_insert
from apps.catalog.search.text import model_key, normalised, product_tokens, suggest_keys
from apps.catalog.services.changes import change_record, changes_record

__all__ = [
    "INDEXED_FIELDS",
    "change_record",
    "changes_record",
    "dictionary_loaded",
    "products_indexed",
    "products_reindexed",
    "suggest_terms_write",
]

# What products_indexed sets: add them to the fields of a bulk_update.
INDEXED_FIELDS = ("l1", "l2", "l3", "name_key", "model_key", "search_tokens")
BATCH = 1000


def products_indexed(*, products: Iterable[Product]) -> list[Product]:
    """Set INDEXED_FIELDS on the products, which have `brand_id` and `category_id`, and return them; the caller saves.

    Two queries whatever the number of products; hand over a batch at a time.
    """
    rows = list(products)
    categories = Category.objects.select_related("parent__parent").in_bulk({row.category_id for row in rows})
    brands = Brand.objects.in_bulk({row.brand_id for row in rows})
    for row in rows:
        path = _path(categories[row.category_id])
        row.l1_id, row.l2_id, row.l3_id = (path[0].pk, path[min(1, len(path) - 1)].pk, path[-1].pk)
        brand = brands[row.brand_id]
        row.model_key = model_key(row.model_code)
        row.name_key = normalised(row.name)[:120]
        row.search_tokens = product_tokens(
            row, brand_names=[brand.name, brand.english_name], category_names=[category.name for category in path]
        )
    return rows


def _path(category: Category) -> list[Category]:
    """Return the category's path from level 1 down to itself."""
    path = [category]
    while path[0].parent is not None:
        path.insert(0, path[0].parent)
    return path


@transaction.atomic
def suggest_terms_write(*, product_ids: Iterable[int]) -> None:
    """Replace the suggestion keys of the products by those of their present names and codes."""
    for ids in _batches(product_ids):
        rows = Product.objects.filter(pk__in=ids).values_list("pk", "name", "model_code", "code")
        keys = ((pk, key) for pk, *words in rows for key in sorted(suggest_keys(name=words[0], model_code=words[1], code=words[2])))
        SuggestTerm.objects.filter(product_id__in=ids).delete()
        rows_insert(table=SuggestTerm._meta.db_table, columns=("product_id", "key"), rows=keys)


def products_reindexed(*, product_ids: Iterable[int]) -> None:
    """Index and save the products again, with their suggestion keys: after a brand or a category was renamed or moved."""
    dictionary_loaded()
    for ids in _batches(product_ids):
        with transaction.atomic():
            rows = products_indexed(products=Product.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
            Product.objects.bulk_update(rows, INDEXED_FIELDS, batch_size=200)
            suggest_terms_write(product_ids=ids)


def _batches(product_ids: Iterable[int]) -> Iterator[Sequence[int]]:
    source = iter(product_ids)
    while batch := list(islice(source, BATCH)):
        yield batch
