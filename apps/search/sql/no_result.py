"""Suggestions for an empty result: how many products each single filter hides, and similar keywords
that find something: words with a similar sound or spelling, and the single words of the keyword.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from django.db import connection

from apps.catalog.indexing.dictionary import get_vocabulary
from apps.catalog.indexing.text import get_sound_prefix, normalise, split_query_words
from apps.common.sql import Fragment
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import build_price_joins
from apps.search.enums import ProductFilter
from apps.search.keyword import get_lexicon, parse_concepts
from apps.search.query import TOTAL_CAP, CatalogQuery, NearWord, NoResultHints, RemovableFilter
from apps.search.sql.conditions import (
    build_conditions,
    build_keyword_condition,
    build_token_groups,
    needs_prices,
)
from apps.search.sql.families import row_select
from apps.search.sql.reading import Reading, iterate_readings, reading_has_products

# Maximum number of filters to check. Each costs a count.
MAX_FILTERS_CHECKED = 8
CountQuery = tuple[CatalogQuery, Reading | None]
MAX_SIMILAR_WORDS = 6
SHORTEST = 2


def get_no_result_hints(context: CatalogueContext, query: CatalogQuery) -> NoResultHints:
    """Return filters to remove, and similar keywords if the keyword itself finds nothing. One
    query for each reading, and at most two more.

    Single filters come first, by descending number of products. Then come all filters together,
    with the number of products of the keyword, then the keyword.
    """
    reading = None
    if query.keyword:
        reading = next(
            (
                candidate
                for candidate in iterate_readings(context, query.keyword, typed=query.typed)
                if reading_has_products(context, candidate)
            ),
            None,
        )
    if query.keyword and reading is None:
        return NoResultHints(_without_keyword(context, query), _list_near_words(context, query))
    attempts = list(islice(_queries_without_one_filter(query), MAX_FILTERS_CHECKED))
    if len(attempts) > 1:
        keyword_alone = CatalogQuery(
            keyword=query.keyword,
            typed=query.typed,
            image_product_ids=query.image_product_ids,
            excluded=query.excluded,
            device_ids=query.device_ids,
            by_family=query.by_family,
        )
        attempts.append((ProductFilter.ALL, "", keyword_alone))
    counts = _count_results(context, [(weaker_query, reading) for _, _, weaker_query in attempts])
    filters = [
        RemovableFilter(product_filter, name, count)
        for (product_filter, name, _), count in zip(attempts, counts, strict=True)
        if count
    ]
    single = sorted(
        (row for row in filters if row.filter != ProductFilter.ALL), key=lambda row: -row.count
    )
    keyword = (
        _without_keyword(context, query) if reading is not None and not single and attempts else ()
    )
    together = (row for row in filters if row.filter == ProductFilter.ALL)
    return NoResultHints((*single, *together, *keyword))


def _queries_without_one_filter(
    query: CatalogQuery,
) -> Iterator[tuple[ProductFilter, str, CatalogQuery]]:
    """Yield the query once for each of its filters, without that filter: the filter, the
    attribute's name or "", and the query.
    """
    if query.category is not None:
        yield ProductFilter.CATEGORY, "", replace(query, category=None)
    if query.brands:
        yield ProductFilter.BRAND, "", replace(query, brands=())
    if query.min_price is not None or query.max_price is not None:
        yield ProductFilter.PRICE, "", replace(query, min_price=None, max_price=None)
    if query.base_unit:
        yield ProductFilter.BASE_UNIT, "", replace(query, base_unit="")
    if query.has_base_unit_price_range:
        yield (
            ProductFilter.BASE_UNIT_PRICE,
            "",
            replace(query, min_base_unit_price=None, max_base_unit_price=None),
        )
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


def _without_keyword(context: CatalogueContext, query: CatalogQuery) -> tuple[RemovableFilter, ...]:
    """Return the filter "keyword" with the number of products that the other filters alone have.
    Empty without other filters.
    """
    if not any(True for _ in _queries_without_one_filter(query)):
        return ()
    (count,) = _count_results(context, [(replace(query, keyword="", excluded=()), None)])
    return (RemovableFilter(ProductFilter.KEYWORD, "", count),) if count else ()


def _list_near_words(context: CatalogueContext, query: CatalogQuery) -> tuple[NearWord, ...]:
    """Return the words like the keyword that find something, each with its number of products."""
    lexicon = get_lexicon(context.agreements_token)
    words = list_near_keywords(query.keyword)
    conditions_by_word = [
        build_keyword_condition(build_token_groups(parse_concepts(word, lexicon)), ())
        for word in words
    ]
    counts = _count_results(
        context,
        [
            (CatalogQuery(keyword=word, by_family=query.by_family), Reading(condition))
            for word, condition in zip(words, conditions_by_word, strict=True)
        ],
    )
    return tuple(NearWord(word, count) for word, count in zip(words, counts, strict=True) if count)


def _count_results(context: CatalogueContext, queries: Sequence[CountQuery]) -> list[int]:
    """Return the number of products of each query, at most TOTAL_CAP. One query, none without
    queries.
    """
    if not queries:
        return []
    columns, parameters = [], []
    for number, (query, reading) in enumerate(queries):
        joins = build_price_joins(context) if needs_prices(query) else Fragment("")
        where = build_conditions(context, query, reading.condition if reading else None).list_all()
        columns.append(
            f"(SELECT COUNT(*) FROM ({row_select(query)} FROM catalog_product p {joins.sql} WHERE "
            f"{where.sql} LIMIT {TOTAL_CAP}) found{number})"
        )
        parameters += [*joins.parameters, *where.parameters]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}", parameters)
        return [int(count) for count in cursor.fetchone()]


def list_near_keywords(keyword: str) -> list[str]:
    """Return at most MAX_SIMILAR_WORDS similar words, the nearest first. Does not check whether a
    word has results.
    """
    normal_keyword = normalise(keyword)
    other_words = [
        word
        for word in split_query_words(normal_keyword)
        if len(word) >= SHORTEST and word != normal_keyword
    ]
    near_words = sorted(
        (
            (distance, len(word), word)
            for word in get_vocabulary()
            if (distance := _compute_word_distance(normal_keyword, word)) is not None
        ),
    )
    return list(dict.fromkeys([*(word for _, _, word in near_words), *other_words]))[
        :MAX_SIMILAR_WORDS
    ]


def _compute_word_distance(keyword: str, word: str) -> int | None:
    """Return the distance of two words: 0 for the same sound, 1 for one different letter or
    character, None otherwise.
    """
    if len(word) < SHORTEST or word == keyword:
        return None
    if get_sound_prefix(keyword) == get_sound_prefix(word):
        return 0
    return 1 if len(keyword) > SHORTEST and _is_one_edit(keyword, word) else None


def _is_one_edit(first: str, second: str) -> bool:
    """Return whether changing, adding or removing one letter turns one word into the other."""
    if abs(len(first) - len(second)) > 1:
        return False
    shorter, longer = sorted((first, second), key=len)
    at = next(
        (place for place, letter in enumerate(shorter) if letter != longer[place]), len(shorter)
    )
    return shorter[at + (len(shorter) == len(longer)) :] == longer[at + 1 :]
