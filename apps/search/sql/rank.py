"""The ranking of keyword results. Exact matches come first in every sort order. The default
order then prefers products of the named category and products whose name contains every
concept.
"""

from __future__ import annotations

from collections import defaultdict

from django.db import connection

from apps.common.sql.fragment import Fragment, all_of, any_of, in_list
from apps.pricing.sql.products import LEVEL_COLUMNS
from apps.search.enums import ProductSort
from apps.search.keyword import CategoryName, Concept
from apps.search.query import CatalogQuery
from apps.search.sql.reading import Reading

LAST = 4


def rank(query: CatalogQuery, reading: Reading | None) -> Fragment:
    """Return the first part of ORDER BY, or an empty fragment without ranking. Ranks: 0 exact,
    1 category and name, 2 category, 3 name, 4 others.
    """
    if query.among and query.sort == ProductSort.DEFAULT:
        return _as_given(query.among)
    if reading is None:
        return Fragment("")
    cases: list[tuple[Fragment, int]] = []
    if reading.exact:
        cases.append((in_list("p.id", reading.exact), 0))
    if query.sort == ProductSort.DEFAULT and reading.spoken:
        name = named(reading.spoken)
        if reading.categories:
            category = _in_category(reading.categories)
            cases += [(all_of([category, name]), 1), (category, 2)]
        cases.append((name, 3))
    if not cases:
        return Fragment("")
    whens = " ".join(f"WHEN {case.sql} THEN {place}" for case, place in cases)
    return Fragment(
        f"CASE {whens} ELSE {LAST} END, ", [value for case, _ in cases for value in case.parameters]
    )


def _as_given(among: tuple[int, ...]) -> Fragment:
    """Return the ORDER BY part that sorts products in the given order."""
    places = [value for place, product_id in enumerate(among) for value in (product_id, place)]
    return Fragment(f"CASE p.id {' '.join(['WHEN %s THEN %s'] * len(among))} END, ", places)


def named(spoken: tuple[Concept, ...]) -> Fragment:
    """Return the condition that the name of product `p` contains a synonym of every concept."""
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    return all_of(
        any_of(
            all_of(Fragment(f"{position}(p.name_key, %s) > 0", [word]) for word in words)
            for words in concept.word_ways
        )
        for concept in spoken
    )


def _in_category(categories: tuple[CategoryName, ...]) -> Fragment:
    by_level: dict[int, list[int]] = defaultdict(list)
    for category in categories:
        by_level[category.level].append(category.id)
    return any_of(in_list(f"p.{LEVEL_COLUMNS[level]}", ids) for level, ids in by_level.items())
