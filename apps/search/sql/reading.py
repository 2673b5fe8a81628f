"""Interpretations of a keyword: by words, by characters, by sound, or without some of its
words. The first one that finds products in the whole catalogue applies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import connection

from apps.catalog.indexing.text import RUN, character_tokens, normalise, query_tokens, sound_key
from apps.common.sql import Fragment, all_of, any_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import for_sale, price_joins
from apps.search.keyword import (
    CategoryName,
    Concept,
    Lexicon,
    concepts_text,
    find_concepts_by_sound,
    find_named_categories,
    get_lexicon,
    names_category,
    parse_concepts,
)
from apps.search.query import CatalogQuery
from apps.search.sql.conditions import (
    Conditions,
    conditions,
    keyword_condition,
    needs_prices,
    sound_condition,
)
from apps.search.sql.lookup import list_named_ids

SHORTEST_HEAD = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """The condition on product `p` for the keyword. Products of `exact` rank first, then
    `concepts` and the named `categories` determine the rank.

    `understood` is the keyword that is used instead of the typed one. `sounds` is set if that
    keyword must be derived from the name of a found product.
    """

    condition: Fragment
    exact: tuple[int, ...] = ()
    concepts: tuple[Concept, ...] = ()
    categories: tuple[CategoryName, ...] = ()
    understood: str = ""
    sounds: tuple[str, ...] = ()


def iterate_readings(context: CatalogueContext, keyword: str) -> Iterator[Reading]:
    """Yield the interpretations of a keyword, the most literal first. Each runs its queries
    only when it is requested.
    """
    lexicon = get_lexicon(context.agreements_token)
    concepts = parse_concepts(keyword, lexicon)
    searched = concepts_text(concepts)
    exact_ids, partly = list_named_ids(context, keyword, searched)
    exact = tuple(exact_ids)
    groups = token_groups(concepts)
    literal = _build_literal_reading(groups, exact, concepts, lexicon)
    yield (
        replace(literal, condition=keyword_condition(groups, (*exact, *partly)))
        if partly
        else literal
    )
    if (characters := character_tokens(searched)) and set(characters) != set(
        query_tokens(searched)
    ):
        yield Reading(_part_of_name(searched, characters))
    if sound_concepts := find_concepts_by_sound(keyword, lexicon):
        yield replace(
            _build_literal_reading(token_groups(sound_concepts), (), sound_concepts, lexicon),
            understood=concepts_text(sound_concepts),
        )
    yield from _by_sound(normalise(keyword))
    if (fewer := _with_fewer_words(context, concepts, lexicon)) is not None:
        yield fewer


def token_groups(concepts: Sequence[Concept]) -> list[list[list[str]]]:
    """Return the synonyms of each concept as tokens of the full-text index."""
    return [
        [list(tokens) for tokens in ways] for concept in concepts if (ways := concept.token_ways)
    ]


def _build_literal_reading(
    groups: list[list[list[str]]],
    exact: tuple[int, ...],
    concepts: tuple[Concept, ...],
    lexicon: Lexicon,
) -> Reading:
    return Reading(
        condition=keyword_condition(groups, exact),
        exact=exact,
        concepts=concepts,
        categories=find_named_categories(concepts, lexicon),
    )


def _part_of_name(searched: str, characters: Sequence[str]) -> Fragment:
    """Return the condition that a name contains each part literally, even if it starts or ends
    inside a word: 动中 in 按动中性笔.
    """
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    whole = [Fragment(f"{position}(p.name_key, %s) > 0", [run]) for run in RUN.findall(searched)]
    return all_of([keyword_condition([[[token]] for token in characters], ()), *whole])


def _by_sound(plain: str) -> Iterator[Reading]:
    """Yield the keyword by its sound: as a whole, then part by part if it contains blanks."""
    if sound := sound_key(plain):
        yield Reading(sound_condition(sound), sounds=(sound,))
    parts = plain.split()
    sounds = [sound_key(part) for part in parts]
    if len(parts) > 1 and any(sounds):
        ways = []
        for part, sound in zip(parts, sounds, strict=True):
            literal = keyword_condition([[[token]] for token in query_tokens(part)], ())
            ways.append(any_of([literal, sound_condition(sound)]) if sound else literal)
        yield Reading(
            all_of(ways),
            sounds=tuple(sound or part for part, sound in zip(parts, sounds, strict=True)),
        )


def _with_fewer_words(
    context: CatalogueContext, concepts: tuple[Concept, ...], lexicon: Lexicon
) -> Reading | None:
    """Return the reading that finds something after removing the fewest words, earlier words
    first. The head word always remains. One query.
    """
    if len(concepts) < 2:
        return None
    head = next(
        (concept for concept in reversed(concepts) if names_category(concept, lexicon)),
        concepts[-1],
    )
    if len(head.text) < SHORTEST_HEAD:
        return None
    others = [concept for concept in concepts if concept != head]
    choices: list[list[Concept]] = []
    if len(others) > 1:
        for left_out in others:
            choices.append([concept for concept in concepts if concept != left_out])
    if len(others) > 2:
        for other in reversed(others):
            choices.append([concept for concept in concepts if concept in (head, other)])
    choices.append([head])
    candidates = [
        (tuple(choice), keyword_condition(groups, ()))
        for choice in choices
        if (groups := token_groups(choice))
    ]
    if not candidates:
        return None
    where = [all_of([*for_sale(context, "p"), condition]) for _, condition in candidates]
    sql = ", ".join(f"EXISTS (SELECT 1 FROM catalog_product p WHERE {one.sql})" for one in where)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql}", [value for one in where for value in one.parameters])
        has_products = cursor.fetchone()
    for (choice, condition), is_found in zip(candidates, has_products, strict=True):
        if is_found:
            return Reading(
                condition=condition,
                concepts=choice,
                categories=find_named_categories(choice, lexicon),
                understood=concepts_text(choice),
            )
    return None


def reading_has_products(context: CatalogueContext, reading: Reading) -> bool:
    """Return whether the customer's catalogue has products of the reading, regardless of
    filters. One query.
    """
    anything = CatalogQuery()
    return has_any_product(context, anything, conditions(context, anything, reading.condition))


def has_any_product(context: CatalogueContext, query: CatalogQuery, criteria: Conditions) -> bool:
    """Return whether any product meets the conditions. One query."""
    joins = price_joins(context) if needs_prices(query) else Fragment("")
    where = criteria.all()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT 1 FROM catalog_product p {joins.sql} WHERE {where.sql} LIMIT 1",
            [*joins.parameters, *where.parameters],
        )
        return cursor.fetchone() is not None
