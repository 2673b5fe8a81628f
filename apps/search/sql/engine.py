"""The `sql` engine: every query is a SELECT over the normalised tables, so that results are
always current.

Exact matches come first in every sort order. The default order then prefers products of the
named category and products whose name contains every concept.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from django.db import connection

from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.catalog.indexing.text import normalise
from apps.common.sql import Fragment, all_of, any_of, in_list
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import LEVEL_COLUMNS, build_price_joins
from apps.search.enums import SORTS_BY_BASE_UNIT_PRICE, SORTS_BY_PRICE, ProductSort
from apps.search.keyword import CategoryName, Concept
from apps.search.query import TOTAL_CAP, CatalogPage, CatalogQuery, NoResultHints
from apps.search.sql.conditions import (
    Conditions,
    build_conditions,
    build_price_expression,
    fetch_rows,
    needs_prices,
)
from apps.search.sql.facets import count_facets
from apps.search.sql.families import (
    DESCENDING,
    count_rows,
    fetch_card_ids,
    fetch_card_ids_descending,
)
from apps.search.sql.no_result import get_no_result_hints
from apps.search.sql.reading import Reading, iterate_readings, reading_has_products

# A float, because an integer division would make prices equal that differ by less than 1 分.
BASE_UNIT_PRICE = "CAST({price} AS DOUBLE PRECISION) / p.contents"
ORDERS = {
    ProductSort.DEFAULT: "p.sales_count DESC, p.id",
    ProductSort.SALES: "p.sales_count DESC, p.id",
    ProductSort.PRICE: "{price}, p.sales_count DESC, p.id",
    ProductSort.PRICE_DESC: "{price} DESC, p.sales_count DESC, p.id",
    ProductSort.NEW: "p.listed_at DESC, p.id",
    ProductSort.BASE_UNIT_PRICE: BASE_UNIT_PRICE + " NULLS LAST, p.sales_count DESC, p.id",
    ProductSort.BASE_UNIT_PRICE_DESC: BASE_UNIT_PRICE
    + " DESC NULLS LAST, p.sales_count DESC, p.id",
}


class SqlEngine:
    """The default engine, the fallback, and the reference for tests of another engine."""

    def get_page(self, *, context: CatalogueContext, query: CatalogQuery) -> CatalogPage:
        """Return the page's product ids, and the total and facets if the query asks for them."""
        if not normalise(query.keyword):
            everything = build_conditions(context, query, None)
            return _build_page(
                context, query, everything, _fetch_page_ids(context, query, everything, None)
            )
        dictionary_refresh()
        reading, criteria, ids = _find_reading(context, query)
        return replace(
            _build_page(context, query, criteria, ids),
            understood=reading.understood,
            sounds=reading.sounds,
            relaxed=tuple(concept.text for concept in reading.relaxed),
            referenced=reading.referenced,
        )

    def get_no_result_hints(
        self, *, context: CatalogueContext, query: CatalogQuery
    ) -> NoResultHints:
        """Return suggestions for a query without results."""
        dictionary_refresh()
        return get_no_result_hints(
            context, query if normalise(query.keyword) else replace(query, keyword="")
        )


def _find_reading(
    context: CatalogueContext, query: CatalogQuery
) -> tuple[Reading, Conditions, list[int]]:
    """Return the first reading of the keyword that finds products in the catalogue, its conditions,
    and the product ids of the requested page. If no reading finds any, the first one counts.
    """
    first = None
    for reading in iterate_readings(context, query.keyword, typed=query.typed):
        criteria = build_conditions(context, query, reading.condition)
        ids = _fetch_page_ids(context, query, criteria, reading)
        first = first or (reading, criteria, ids)
        if ids or ((query.is_narrowed or query.offset) and reading_has_products(context, reading)):
            return reading, criteria, ids
    if first is None:
        raise RuntimeError("a keyword has at least one reading")
    return first


def _build_page(
    context: CatalogueContext, query: CatalogQuery, criteria: Conditions, ids: list[int]
) -> CatalogPage:
    """Return the page with its ids, the total up to TOTAL_CAP, and the facets if the query asks for
    them.
    """
    facets, facet_total = (
        count_facets(context, query, criteria) if query.with_facets else (None, None)
    )
    has_filters = query.is_narrowed or bool(query.keyword)
    total = None
    if query.with_total:
        total = (
            _count_products(context, query, criteria, len(ids))
            if facet_total is None
            else facet_total
        )
    return CatalogPage(
        ids=tuple(ids),
        total=None if total is None else min(total, TOTAL_CAP),
        total_is_capped=total is not None and total > TOTAL_CAP,
        facets=facets,
        matching=criteria.list_all() if query.by_family and has_filters else None,
    )


def _fetch_page_ids(
    context: CatalogueContext, query: CatalogQuery, criteria: Conditions, reading: Reading | None
) -> list[int]:
    """Return the product ids of the page in its order, one per card if the query groups by
    family.
    """
    is_by_price = query.sort in SORTS_BY_PRICE | SORTS_BY_BASE_UNIT_PRICE
    joins = build_price_joins(context) if is_by_price or needs_prices(query) else Fragment("")
    where, rank_columns = criteria.list_all(), rank(query, reading)
    if query.by_family and query.sort in DESCENDING:
        return fetch_card_ids_descending(context, query, where=where, first=rank_columns)
    order = ORDERS[query.sort].format(price=build_price_expression(context))
    if query.by_family:
        return fetch_card_ids(query, joins=joins, where=where, first=rank_columns, order=order)
    order = rank_columns.sql + order
    sql = (
        f"SELECT p.id FROM catalog_product p {joins.sql} WHERE {where.sql} ORDER BY {order} LIMIT "
        "%s OFFSET %s"
    )
    return [
        row[0]
        for row in fetch_rows(
            sql,
            [
                *joins.parameters,
                *where.parameters,
                *rank_columns.parameters,
                query.page_size,
                query.offset,
            ],
        )
    ]


def _count_products(
    context: CatalogueContext, query: CatalogQuery, criteria: Conditions, on_page: int
) -> int:
    """Return the number of products or cards, or TOTAL_CAP + 1 if there are more. If the page is
    the last and not full, no query is needed.
    """
    if on_page < query.page_size and (on_page or query.page_index == 1):
        return query.offset + on_page
    return count_rows(context, query, criteria)


LAST = 4


def rank(query: CatalogQuery, reading: Reading | None) -> Fragment:
    """Return the first part of ORDER BY, or an empty fragment without ranking. Ranks: 0 exact,
    1 category and name, 2 category, 3 name, 4 others.
    """
    if query.image_product_ids and query.sort == ProductSort.DEFAULT:
        return _build_order_by_ids(query.image_product_ids)
    if reading is None:
        return Fragment("")
    cases: list[tuple[Fragment, int]] = []
    if reading.exact:
        cases.append((in_list("p.id", reading.exact), 0))
    if query.sort == ProductSort.DEFAULT and reading.concepts:
        name = build_name_condition(reading.concepts)
        if reading.categories:
            category = _build_category_condition(reading.categories)
            cases += [(all_of([category, name]), 1), (category, 2)]
        cases.append((name, 3))
    if not cases:
        return Fragment("")
    whens = " ".join(f"WHEN {case.sql} THEN {place}" for case, place in cases)
    missing_concepts = _count_missing(reading.relaxed if query.sort == ProductSort.DEFAULT else ())
    return Fragment(
        f"CASE {whens} ELSE {LAST} END, {missing_concepts.sql}",
        [*(value for case, _ in cases for value in case.parameters), *missing_concepts.parameters],
    )


def _count_missing(concepts: tuple[Concept, ...]) -> Fragment:
    """Return the ORDER BY part that sorts by the number of concepts that a name lacks."""
    if not concepts:
        return Fragment("")
    conditions_by_concept = [build_name_condition((concept,)) for concept in concepts]
    terms = " + ".join(
        f"CASE WHEN {condition.sql} THEN 0 ELSE 1 END" for condition in conditions_by_concept
    )
    return Fragment(
        f"({terms}), ",
        [value for condition in conditions_by_concept for value in condition.parameters],
    )


def _build_order_by_ids(image_product_ids: tuple[int, ...]) -> Fragment:
    """Return the ORDER BY part that sorts products in the given order."""
    places = [
        value for place, product_id in enumerate(image_product_ids) for value in (product_id, place)
    ]
    return Fragment(
        f"CASE p.id {' '.join(['WHEN %s THEN %s'] * len(image_product_ids))} END, ", places
    )


def build_name_condition(concepts: tuple[Concept, ...]) -> Fragment:
    """Return the condition that the name of product `p` contains a synonym of every concept."""
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    return all_of(
        any_of(
            all_of(Fragment(f"{position}(p.name_key, %s) > 0", [word]) for word in words)
            for words in concept.spelling_words
        )
        for concept in concepts
    )


def _build_category_condition(categories: tuple[CategoryName, ...]) -> Fragment:
    """Return the condition that a product is in one of the categories, of any level."""
    ids_by_level: dict[int, list[int]] = defaultdict(list)
    for category in categories:
        ids_by_level[category.level].append(category.id)
    return any_of(in_list(f"p.{LEVEL_COLUMNS[level]}", ids) for level, ids in ids_by_level.items())
