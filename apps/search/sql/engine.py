"""The `sql` engine: every query is a SELECT over the normalised tables, so that results are
always current.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import connection

from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.catalog.indexing.text import normalise
from apps.common.sql.fragment import Fragment
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import price_joins
from apps.search.enums import ProductSort
from apps.search.query import TOTAL_CAP, CatalogPage, CatalogQuery, WayOut
from apps.search.sql.conditions import Conditions, conditions, needs_prices, price_expression
from apps.search.sql.facets import facets
from apps.search.sql.rank import rank
from apps.search.sql.reading import Reading, finds, readings
from apps.search.sql.way_out import way_out

ORDERS = {
    ProductSort.DEFAULT: "p.sales_count DESC, p.id",
    ProductSort.SALES: "p.sales_count DESC, p.id",
    ProductSort.PRICE: "{price}, p.sales_count DESC, p.id",
    ProductSort.PRICE_DESC: "{price} DESC, p.sales_count DESC, p.id",
    ProductSort.NEW: "p.listed_at DESC, p.id",
}


class SqlEngine:
    """The default engine, the fallback, and the reference for tests of another engine."""

    def page(self, *, context: CatalogueContext, query: CatalogQuery) -> CatalogPage:
        """Return the page's product ids, and the total and facets if the query asks for them."""
        if not normalise(query.keyword):
            everything = conditions(context, query, None)
            return _answer(context, query, everything, _ids(context, query, everything, None))
        dictionary_refresh()
        reading, found, ids = _read(context, query)
        return replace(
            _answer(context, query, found, ids),
            understood=reading.understood,
            sounds=reading.sounds,
        )

    def way_out(self, *, context: CatalogueContext, query: CatalogQuery) -> WayOut:
        """Return suggestions for a query without results."""
        dictionary_refresh()
        return way_out(context, query if normalise(query.keyword) else replace(query, keyword=""))


def _read(context: CatalogueContext, query: CatalogQuery) -> tuple[Reading, Conditions, list[int]]:
    """Return the first reading of the keyword that finds products in the catalogue, and its
    page. If none finds any, return the most literal reading.
    """
    first = None
    for reading in readings(context, query.keyword):
        found = conditions(context, query, reading.condition)
        ids = _ids(context, query, found, reading)
        first = first or (reading, found, ids)
        if ids or ((query.is_narrowed or query.offset) and finds(context, reading)):
            return reading, found, ids
    if first is None:
        raise RuntimeError("a keyword has at least one reading")
    return first


def _answer(
    context: CatalogueContext, query: CatalogQuery, found: Conditions, ids: list[int]
) -> CatalogPage:
    total = _total(context, query, found, len(ids)) if query.with_total else None
    return CatalogPage(
        ids=tuple(ids),
        total=None if total is None else min(total, TOTAL_CAP),
        total_is_capped=total is not None and total > TOTAL_CAP,
        facets=facets(context, query, found) if query.with_facets else None,
    )


def _ids(
    context: CatalogueContext, query: CatalogQuery, found: Conditions, reading: Reading | None
) -> list[int]:
    by_price = query.sort in (ProductSort.PRICE, ProductSort.PRICE_DESC)
    joins = price_joins(context) if by_price or needs_prices(query) else Fragment("")
    where, first = found.all(), rank(query, reading)
    order = first.sql + ORDERS[query.sort].format(price=price_expression(context))
    sql = (
        f"SELECT p.id FROM catalog_product p {joins.sql} WHERE {where.sql} ORDER BY {order} LIMIT "
        "%s OFFSET %s"
    )
    return [
        row[0]
        for row in rows(
            sql,
            [
                *joins.parameters,
                *where.parameters,
                *first.parameters,
                query.page_size,
                query.offset,
            ],
        )
    ]


def _total(context: CatalogueContext, query: CatalogQuery, found: Conditions, on_page: int) -> int:
    """Return the number of products, or TOTAL_CAP + 1 if there are more. If the page is the
    last and not full, no query is needed.
    """
    if on_page < query.page_size and (on_page or query.page_index == 1):
        return query.offset + on_page
    joins = price_joins(context) if needs_prices(query) else Fragment("")
    where = found.all()
    sql = (
        f"SELECT COUNT(*) FROM (SELECT 1 FROM catalog_product p {joins.sql} WHERE {where.sql} "
        f"LIMIT {TOTAL_CAP + 1}) found"
    )
    return int(rows(sql, [*joins.parameters, *where.parameters])[0][0])


def rows(sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
