"""Suggestions for an empty result: how many products each single filter hides, and similar
keywords that find something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from django.db import connection

from apps.common.sql.fragment import Fragment
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import price_joins
from apps.search.enums import ProductFilter
from apps.search.keyword import concepts
from apps.search.lexicon import lexicon_of
from apps.search.query import TOTAL_CAP, CatalogQuery, Dropped, NearWord, WayOut
from apps.search.sql.conditions import conditions, keyword_condition, needs_prices
from apps.search.sql.reading import Reading, finds, readings, token_groups
from apps.search.words import near_keywords

# Maximum number of filters to check. Each costs a count.
MOST_WAYS = 8
Asked = tuple[CatalogQuery, Reading | None]


def way_out(context: CatalogueContext, query: CatalogQuery) -> WayOut:
    """Return filters to remove, and similar keywords if the keyword itself finds nothing. One
    query for each reading, and at most two more.

    Single filters come first, by descending number of products. Then come all filters together,
    with the number of products of the keyword, then the keyword.
    """
    reading = (
        next((way for way in readings(context, query.keyword) if finds(context, way)), None)
        if query.keyword
        else None
    )
    if query.keyword and reading is None:
        return WayOut(_without_keyword(context, query), _near(context, query.keyword))
    ways = list(islice(_single(query), MOST_WAYS))
    if len(ways) > 1:
        ways.append((ProductFilter.ALL, "", CatalogQuery(keyword=query.keyword, among=query.among)))
    counts = _counts(context, [(asked, reading) for _, _, asked in ways])
    dropped = [
        Dropped(way, name, count)
        for (way, name, _), count in zip(ways, counts, strict=True)
        if count
    ]
    single = sorted(
        (drop for drop in dropped if drop.filter != ProductFilter.ALL), key=lambda drop: -drop.count
    )
    keyword = (
        _without_keyword(context, query) if reading is not None and not single and ways else ()
    )
    together = (drop for drop in dropped if drop.filter == ProductFilter.ALL)
    return WayOut((*single, *together, *keyword))


def _single(query: CatalogQuery) -> Iterator[tuple[ProductFilter, str, CatalogQuery]]:
    """Yield the query once for each of its filters, without that filter."""
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
        yield (
            ProductFilter.ATTRIBUTE,
            name,
            replace(query, attributes=tuple(pair for pair in query.attributes if pair[0] != name)),
        )


def _without_keyword(context: CatalogueContext, query: CatalogQuery) -> tuple[Dropped, ...]:
    """Return the number of products of the filters alone. Empty without filters."""
    if not any(True for _ in _single(query)):
        return ()
    (count,) = _counts(context, [(replace(query, keyword=""), None)])
    return (Dropped(ProductFilter.KEYWORD, "", count),) if count else ()


def _near(context: CatalogueContext, keyword: str) -> tuple[NearWord, ...]:
    lexicon = lexicon_of(context.agreements_token)
    words = near_keywords(keyword)
    asked = [keyword_condition(token_groups(concepts(word, lexicon)), ()) for word in words]
    counts = _counts(
        context,
        [
            (CatalogQuery(keyword=word), Reading(condition))
            for word, condition in zip(words, asked, strict=True)
        ],
    )
    return tuple(NearWord(word, count) for word, count in zip(words, counts, strict=True) if count)


def _counts(context: CatalogueContext, asked: Sequence[Asked]) -> list[int]:
    """Return the number of products of each query, at most TOTAL_CAP. One query, none without
    queries.
    """
    if not asked:
        return []
    columns, parameters = [], []
    for number, (query, reading) in enumerate(asked):
        joins = price_joins(context) if needs_prices(query) else Fragment("")
        where = conditions(context, query, reading.condition if reading else None).all()
        columns.append(
            f"(SELECT COUNT(*) FROM (SELECT 1 FROM catalog_product p {joins.sql} WHERE "
            f"{where.sql} LIMIT {TOTAL_CAP}) found{number})"
        )
        parameters += [*joins.parameters, *where.parameters]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}", parameters)
        return [int(count) for count in cursor.fetchone()]
