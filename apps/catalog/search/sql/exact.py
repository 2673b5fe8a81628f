"""Products named exactly: by product code, the customer's material code or name, model code, or name; each by its index."""

from __future__ import annotations

from django.db import connection

from apps.catalog.search.sql.fragment import Fragment, in_list
from apps.catalog.search.text import model_key, normalised
from apps.catalog.selectors.context import CatalogueContext

MAX_EXACT = 100


def exact_ids(context: CatalogueContext, typed: str) -> list[int]:
    """Return the ids of the products that the keyword names exactly, seen by the customer or not; at most MAX_EXACT."""
    keyword = normalised(typed)
    ways = [
        Fragment("SELECT id FROM catalog_product WHERE code = %s", [keyword]),
        Fragment("SELECT id FROM catalog_product WHERE name_key = %s", [keyword]),
    ]
    if model := model_key(keyword):
        ways.append(Fragment("SELECT id FROM catalog_product WHERE model_key = %s", [model]))
    if context.sources:
        ways += [_by_own_word(context, column, typed.strip()) for column in ("customer_code", "customer_name")]
    sql = f"SELECT id FROM ({' UNION '.join(way.sql for way in ways)}) found ORDER BY id LIMIT {MAX_EXACT}"
    with connection.cursor() as cursor:
        cursor.execute(sql, [value for way in ways for value in way.parameters])
        return [row[0] for row in cursor.fetchall()]


def _by_own_word(context: CatalogueContext, column: str, typed: str) -> Fragment:
    """Customers' codes and names are kept as they gave them: found as typed, in capitals, or in small letters."""
    lists = in_list("price_list_id", context.price_list_ids)
    words = in_list(column, sorted({typed, typed.upper(), typed.lower()}))
    sql = f"SELECT product_id FROM catalog_pricelistitem WHERE {lists.sql} AND {column} <> '' AND {words.sql}"
    return Fragment(sql, [*lists.parameters, *words.parameters])
