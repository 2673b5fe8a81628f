"""The `sql` engine: every question is a SELECT over the normalised tables, so every answer is true at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import connection

from apps.catalog.enums import ProductSort
from apps.catalog.search.dictionary import dictionary_ready
from apps.catalog.search.query import TOTAL_CAP, CatalogPage, CatalogQuery
from apps.catalog.search.sql.conditions import Conditions, conditions, keyword_condition, needs_prices, price_expression
from apps.catalog.search.sql.exact import exact_ids
from apps.catalog.search.sql.facets import facets
from apps.catalog.search.sql.fragment import Fragment, in_list
from apps.catalog.search.sql.suggest import sounding
from apps.catalog.search.sql.terms import price_joins
from apps.catalog.search.text import character_tokens, normalised, query_tokens, query_words, sound_key
from apps.catalog.selectors.context import CatalogueContext

ORDERS = {
    ProductSort.DEFAULT: "p.sales_count DESC, p.id",
    ProductSort.SALES: "p.sales_count DESC, p.id",
    ProductSort.PRICE: "{price}, p.sales_count DESC, p.id",
    ProductSort.PRICE_DESC: "{price} DESC, p.sales_count DESC, p.id",
    ProductSort.NEW: "p.listed_at DESC, p.id",
}


class SqlEngine:
    """The embedded default, the fallback, and the oracle of the other engine's tests."""

    def page(self, *, context: CatalogueContext, query: CatalogQuery) -> CatalogPage:
        """Return the page's product ids, and the total and facets where the query asks for them."""
        keyword = normalised(query.keyword)
        if not keyword:
            everything = conditions(context, query, None)
            return _answer(context, query, everything, _ids(context, query, everything, []))
        dictionary_ready()
        exact = exact_ids(context, query.keyword)
        words, characters = query_tokens(keyword), character_tokens(keyword)
        found = conditions(context, query, keyword_condition(words, exact))
        if set(words) != set(characters) and not _any(context, query, found):
            found = conditions(context, query, keyword_condition(characters, exact))
        ids = _ids(context, query, found, exact)
        sound = "" if ids else sound_key(keyword)
        if sound and not _found_unfiltered(context, keyword_condition(characters, exact)):
            found = conditions(context, query, sounding(sound))
            return replace(_answer(context, query, found, _ids(context, query, found, [])), sound=sound)
        return _answer(context, query, found, ids)


def _found_unfiltered(context: CatalogueContext, keyword: Fragment) -> bool:
    """Whether the customer's catalogue has products of the keyword, which only the filters or the page leave out."""
    anything = CatalogQuery()
    return _any(context, anything, conditions(context, anything, keyword))


def _answer(context: CatalogueContext, query: CatalogQuery, found: Conditions, ids: list[int]) -> CatalogPage:
    total = _total(context, query, found, len(ids)) if query.with_total else None
    return CatalogPage(
        ids=tuple(ids),
        total=None if total is None else min(total, TOTAL_CAP),
        total_is_capped=total is not None and total > TOTAL_CAP,
        facets=facets(context, query, found) if query.with_facets else None,
    )


def _ids(context: CatalogueContext, query: CatalogQuery, found: Conditions, exact: list[int]) -> list[int]:
    by_price = query.sort in (ProductSort.PRICE, ProductSort.PRICE_DESC)
    joins = price_joins(context) if by_price or needs_prices(query) else Fragment("")
    where, rank = found.all(), _rank(query, exact)
    order = rank.sql + ORDERS[query.sort].format(price=price_expression(context))
    sql = f"SELECT p.id FROM catalog_product p {joins.sql} WHERE {where.sql} ORDER BY {order} LIMIT %s OFFSET %s"
    return [row[0] for row in rows(sql, [*joins.parameters, *where.parameters, *rank.parameters, query.page_size, query.offset])]


def _rank(query: CatalogQuery, exact: list[int]) -> Fragment:
    """Exact hits stand first in every order (domain.md); by default, names that hold every word of the keyword come next."""
    cases, parameters = [], []
    if exact:
        first = in_list("p.id", exact)
        cases.append(f"WHEN {first.sql} THEN 0")
        parameters += first.parameters
    words = query_words(query.keyword)
    if words and query.sort == ProductSort.DEFAULT:
        position = "strpos" if connection.vendor == "postgresql" else "instr"
        cases.append(f"WHEN {' AND '.join([f'{position}(p.name_key, %s) > 0'] * len(words))} THEN 1")
        parameters += words
    return Fragment(f"CASE {' '.join(cases)} ELSE 2 END, " if cases else "", parameters)


def _total(context: CatalogueContext, query: CatalogQuery, found: Conditions, on_page: int) -> int:
    """Return the number of products found, or TOTAL_CAP + 1 where there are more; a last page that is not full says it itself."""
    if on_page < query.page_size and (on_page or query.page_index == 1):
        return query.offset + on_page
    joins = price_joins(context) if needs_prices(query) else Fragment("")
    where = found.all()
    sql = f"SELECT COUNT(*) FROM (SELECT 1 FROM catalog_product p {joins.sql} WHERE {where.sql} LIMIT {TOTAL_CAP + 1}) found"
    return int(rows(sql, [*joins.parameters, *where.parameters])[0][0])


def _any(context: CatalogueContext, query: CatalogQuery, found: Conditions) -> bool:
    joins = price_joins(context) if needs_prices(query) else Fragment("")
    where = found.all()
    return bool(rows(f"SELECT 1 FROM catalog_product p {joins.sql} WHERE {where.sql} LIMIT 1", [*joins.parameters, *where.parameters]))


def rows(sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
