"""The way out of an empty answer: how many products each single filter hides, and near words that do find something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from django.db import connection

from apps.catalog.enums import ProductFilter
from apps.catalog.search.keyword import concepts
from apps.catalog.search.lexicon import lexicon_of
from apps.catalog.search.query import TOTAL_CAP, CatalogQuery, Dropped, NearWord, WayOut
from apps.catalog.search.sql.conditions import conditions, keyword_condition, needs_prices
from apps.catalog.search.sql.fragment import Fragment
from apps.catalog.search.sql.reading import Reading, finds, readings, token_groups
from apps.catalog.search.sql.terms import price_joins
from apps.catalog.search.words import near_keywords
from apps.catalog.selectors.context import CatalogueContext

# Filters that are tried; each costs a count.
MOST_WAYS = 8
Asked = tuple[CatalogQuery, Reading | None]


def way_out(context: CatalogueContext, query: CatalogQuery) -> WayOut:
    """Return what may be dropped, and near words where the keyword itself finds nothing. A query for each reading, and two at most.

    Single filters come first, the most products first; then all of them, which tells how many the keyword has; then the keyword.
    """
    reading = next((way for way in readings(context, query.keyword) if finds(context, way)), None) if query.keyword else None
    if query.keyword and reading is None:
        return WayOut(_without_keyword(context, query), _near(context, query.keyword))
    ways = list(islice(_single(query), MOST_WAYS))
    if len(ways) > 1:
        ways.append((ProductFilter.ALL, "", CatalogQuery(keyword=query.keyword, among=query.among)))
    counts = _counts(context, [(asked, reading) for _, _, asked in ways])
    dropped = [Dropped(way, name, count) for (way, name, _), count in zip(ways, counts, strict=True) if count]
    single = sorted((drop for drop in dropped if drop.filter != ProductFilter.ALL), key=lambda drop: -drop.count)
    keyword = _without_keyword(context, query) if reading is not None and not single and ways else ()
    together = (drop for drop in dropped if drop.filter == ProductFilter.ALL)
    return WayOut((*single, *together, *keyword))


def _single(query: CatalogQuery) -> Iterator[tuple[ProductFilter, str, CatalogQuery]]:
    """Yield the query without each of its filters."""
    if query.category is not None:
        yield ProductFilter.CATEGORY, "", replace(query, category=None)
    if query.brands:
        yield ProductFilter.BRAND, "", replace(query, brands=())
    if query.min_price is not None or query.max_price is not None:
        yield ProductFilter.PRICE, "", replace(query, min_price=None, max_price=None)
    if query.in_stock:
        yield ProductFilter.IN_STOCK, "", replace(query, in_stock=False)
    if query.agreed_only:
        yield ProductFilter.AGREED, "", replace(query, agreed_only=False)
    for name, _values in query.attributes:
        yield ProductFilter.ATTRIBUTE, name, replace(query, attributes=tuple(pair for pair in query.attributes if pair[0] != name))


def _without_keyword(context: CatalogueContext, query: CatalogQuery) -> tuple[Dropped, ...]:
    """Return what the filters alone hold; nothing where there are none."""
    if not any(True for _ in _single(query)):
        return ()
    (count,) = _counts(context, [(replace(query, keyword=""), None)])
    return (Dropped(ProductFilter.KEYWORD, "", count),) if count else ()


def _near(context: CatalogueContext, keyword: str) -> tuple[NearWord, ...]:
    lexicon = lexicon_of(context.agreements_token)
    words = near_keywords(keyword)
    asked = [keyword_condition(token_groups(concepts(word, lexicon)), ()) for word in words]
    counts = _counts(context, [(CatalogQuery(keyword=word), Reading(condition)) for word, condition in zip(words, asked, strict=True)])
    return tuple(NearWord(word, count) for word, count in zip(words, counts, strict=True) if count)


def _counts(context: CatalogueContext, asked: Sequence[Asked]) -> list[int]:
    """Return how many products each finds, at most TOTAL_CAP. One query, none for nothing."""
    if not asked:
        return []
    columns, parameters = [], []
    for number, (query, reading) in enumerate(asked):
        joins = price_joins(context) if needs_prices(query) else Fragment("")
        where = conditions(context, query, reading.condition if reading else None).all()
        columns.append(
            f"(SELECT COUNT(*) FROM (SELECT 1 FROM catalog_product p {joins.sql} WHERE {where.sql} LIMIT {TOTAL_CAP}) found{number})"
        )
        parameters += [*joins.parameters, *where.parameters]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}", parameters)
        return [int(count) for count in cursor.fetchone()]
