"""Products, categories and brands by what is typed so far."""

from __future__ import annotations

from typing import Any

from django.db import connection

from apps.catalog.search.sql.fragment import Fragment, all_of, any_of, in_list
from apps.catalog.search.sql.visibility import LEVEL_COLUMNS, for_sale
from apps.catalog.selectors.context import CatalogueContext

MAX_CANDIDATES = 1000
LAST = "\U0010ffff"


def suggested_ids(context: CatalogueContext, *, prefix: str, typed: str, limit: int) -> list[int]:
    """Return products with a suggestion key, or the customer's own code or name, that starts so; best-selling first."""
    ways = [_starting("SELECT s.product_id FROM catalog_suggestterm s WHERE {}", "s.key", prefix)]
    if context.sources:
        lists = in_list("i.price_list_id", context.price_list_ids)
        for column in ("i.customer_code", "i.customer_name"):
            way = _starting(
                f"SELECT i.product_id FROM catalog_pricelistitem i WHERE {lists.sql} AND {column} <> '' AND {{}}", column, typed
            )
            ways.append(Fragment(way.sql, [*lists.parameters, *way.parameters]))
    candidates = " UNION ".join(f"SELECT product_id FROM ({way.sql} LIMIT {MAX_CANDIDATES}) way{n}" for n, way in enumerate(ways))
    where = all_of(for_sale(context, "p"))
    sql = (
        f"SELECT p.id FROM ({candidates}) found JOIN catalog_product p ON p.id = found.product_id "
        f"WHERE {where.sql} ORDER BY p.sales_count DESC, p.id LIMIT {limit}"
    )
    return [row[0] for row in _rows(sql, [value for way in ways for value in way.parameters] + where.parameters)]


def sounding(sound: str) -> Fragment:
    """Return the condition on `p` that a suggestion key of the product starts so."""
    return _starting("p.id IN (SELECT s.product_id FROM catalog_suggestterm s WHERE {})", "s.key", sound)


def _starting(select: str, column: str, prefix: str) -> Fragment:
    """A prefix as each database finds it by index."""
    if connection.vendor == "postgresql":
        escaped = prefix.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return Fragment(select.format(f"{column} LIKE %s"), [f"{escaped}%"])
    return Fragment(select.format(f"{column} >= %s AND {column} < %s"), [prefix, prefix + LAST])


def named_categories(context: CatalogueContext, *, typed: str, limit: int) -> tuple[tuple[int, str], ...]:
    """Return (id, name) of the categories whose name holds the typed text and that have products on sale, the deepest first."""
    has = any_of(
        all_of([Fragment(f"p.{column} = c.id"), Fragment("c.level = %s", [level]), *for_sale(context, "p")])
        for level, column in LEVEL_COLUMNS.items()
    )
    return _named("catalog_category", typed, has, "c.level DESC, c.position, c.id", limit)


def named_brands(context: CatalogueContext, *, typed: str, limit: int) -> tuple[tuple[int, str], ...]:
    """Return (id, name) of the brands whose name holds the typed text and that have products on sale."""
    return _named("catalog_brand", typed, all_of([Fragment("p.brand_id = c.id"), *for_sale(context, "p")]), "c.name, c.id", limit)


def _named(table: str, typed: str, has: Fragment, order: str, limit: int) -> tuple[tuple[int, str], ...]:
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    sql = (
        f"SELECT c.id, c.name FROM {table} c WHERE {position}(LOWER(c.name), %s) > 0 "
        f"AND EXISTS (SELECT 1 FROM catalog_product p WHERE {has.sql}) ORDER BY {order} LIMIT {limit}"
    )
    return tuple((pk, name) for pk, name in _rows(sql, [typed, *has.parameters]))


def _rows(sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
