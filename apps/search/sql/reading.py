"""Interpretations of a keyword: by words, by characters, by sound, or without some of its
words. The first one that finds products in the whole catalogue applies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import connection

from apps.catalog.indexing.text import (
    RUN,
    build_sound_key,
    encode_character_tokens,
    encode_query_tokens,
    normalise,
)
from apps.common.sql import Fragment, all_of, any_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import build_for_sale_conditions, build_price_joins
from apps.search.keyword import (
    CategoryName,
    Concept,
    Lexicon,
    find_category_head,
    find_concepts_by_sound,
    find_named_categories,
    format_concepts,
    get_lexicon,
    parse_concepts,
)
from apps.search.query import CatalogQuery
from apps.search.sql.conditions import (
    Conditions,
    build_conditions,
    build_keyword_condition,
    build_sound_condition,
    build_token_groups,
    needs_prices,
)
from apps.search.sql.lookup import list_named_ids
from apps.search.units import is_description

SHORTEST_HEAD = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """The condition on product `p` for the keyword. Products of `exact` rank first, then
    `concepts` and the named `categories` determine the rank.

    `understood` is the keyword that is used instead of the typed one. `sounds` is set if that
    keyword must be derived from the name of a found product. `relaxed` are the concepts that were
    left out because no product has them all. Products that have more of them rank first.
    `referenced` are the exact products to which a part number of another brand leads.
    """

    condition: Fragment
    exact: tuple[int, ...] = ()
    concepts: tuple[Concept, ...] = ()
    categories: tuple[CategoryName, ...] = ()
    understood: str = ""
    sounds: tuple[str, ...] = ()
    relaxed: tuple[Concept, ...] = ()
    referenced: tuple[int, ...] = ()


def iterate_readings(
    context: CatalogueContext, keyword: str, *, typed: str = ""
) -> Iterator[Reading]:
    """Yield the interpretations of a keyword, the most literal first. Each runs its queries
    only when it is requested. Codes and exact names are looked up by the whole `typed` text.
    """
    lexicon = get_lexicon(context.agreements_token)
    concepts = parse_concepts(keyword, lexicon)
    searched = format_concepts(concepts)
    exact_ids, part_matches, referenced = list_named_ids(context, typed or keyword, searched)
    exact_ids_and_references = (*referenced, *exact_ids)
    groups = build_token_groups(concepts)
    literal_reading = _build_literal_reading(groups, exact_ids_and_references, concepts, lexicon)
    if part_matches:
        literal_reading = replace(
            literal_reading,
            condition=build_keyword_condition(groups, (*exact_ids_and_references, *part_matches)),
        )
    yield replace(literal_reading, referenced=tuple(referenced))
    if (characters := encode_character_tokens(searched)) and set(characters) != set(
        encode_query_tokens(searched)
    ):
        yield Reading(_build_name_part_condition(searched, characters))
    if sound_concepts := find_concepts_by_sound(keyword, lexicon):
        yield replace(
            _build_literal_reading(build_token_groups(sound_concepts), (), sound_concepts, lexicon),
            understood=format_concepts(sound_concepts),
        )
    yield from _iterate_readings_by_sound(normalise(keyword))
    if (shorter_reading := _find_reading_with_fewer_words(context, concepts, lexicon)) is not None:
        yield shorter_reading


def _build_literal_reading(
    groups: list[list[list[str]]],
    exact: tuple[int, ...],
    concepts: tuple[Concept, ...],
    lexicon: Lexicon,
) -> Reading:
    """Return the interpretation of a keyword by its words. `groups` are the tokens of each
    concept's spellings, `exact` the ids of products that the keyword names.
    """
    return Reading(
        condition=build_keyword_condition(groups, exact),
        exact=exact,
        concepts=concepts,
        categories=find_named_categories(concepts, lexicon),
    )


def _build_name_part_condition(searched: str, characters: Sequence[str]) -> Fragment:
    """Return the condition that a name contains each part literally, even if it starts or ends
    inside a word: 动中 in 按动中性笔.
    """
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    whole = [Fragment(f"{position}(p.name_key, %s) > 0", [run]) for run in RUN.findall(searched)]
    return all_of([build_keyword_condition([[[token]] for token in characters], ()), *whole])


def _iterate_readings_by_sound(normal_keyword: str) -> Iterator[Reading]:
    """Yield the keyword by its sound: as a whole, then part by part if it contains blanks."""
    if sound := build_sound_key(normal_keyword):
        yield Reading(build_sound_condition(sound), sounds=(sound,))
    parts = normal_keyword.split()
    sounds = [build_sound_key(part) for part in parts]
    if len(parts) > 1 and any(sounds):
        conditions = []
        for part, sound in zip(parts, sounds, strict=True):
            literal_condition = build_keyword_condition(
                [[[token]] for token in encode_query_tokens(part)], ()
            )
            conditions.append(
                any_of([literal_condition, build_sound_condition(sound)])
                if sound
                else literal_condition
            )
        yield Reading(
            all_of(conditions),
            sounds=tuple(sound or part for part, sound in zip(parts, sounds, strict=True)),
        )


def _find_reading_with_fewer_words(
    context: CatalogueContext, concepts: tuple[Concept, ...], lexicon: Lexicon
) -> Reading | None:
    """Return the nearest reading that finds something without some of the words. The head word
    always remains. One query.
    """
    if len(concepts) < 2:
        return None
    head = find_category_head(concepts, lexicon) or concepts[-1]
    if len(head.text) < SHORTEST_HEAD:
        return None
    choices = list_relaxed_choices(concepts, head, lexicon)
    candidates = [
        (tuple(choice), build_keyword_condition(groups, ()))
        for choice in choices
        if (groups := build_token_groups(choice))
    ]
    if not candidates:
        return None
    where = [
        all_of([*build_for_sale_conditions(context, "p"), condition]) for _, condition in candidates
    ]
    sql = ", ".join(
        f"EXISTS (SELECT 1 FROM catalog_product p WHERE {concept_condition.sql})"
        for concept_condition in where
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {sql}",
            [value for concept_condition in where for value in concept_condition.parameters],
        )
        has_products = cursor.fetchone()
    for (choice, condition), is_found in zip(candidates, has_products, strict=True):
        if is_found:
            return Reading(
                condition=condition,
                concepts=choice,
                categories=find_named_categories(choice, lexicon),
                understood=format_concepts(choice),
                relaxed=tuple(concept for concept in concepts if concept not in choice),
            )
    return None


def list_relaxed_choices(
    concepts: Sequence[Concept], head: Concept, lexicon: Lexicon
) -> list[tuple[Concept, ...]]:
    """Return the selections of concepts to try in turn, the nearest first. All contain the head.

    Colours, sizes, packs, brands and categories weigh more than other words, so the other words
    are left out first.
    """
    concepts_without_head = [concept for concept in concepts if concept != head]
    weighty = [concept for concept in concepts_without_head if _weighs_more(concept, lexicon)]
    other_words = [concept for concept in concepts_without_head if concept not in weighty]
    selections = [
        weighty,
        *([other for other in weighty if other != left_out] for left_out in weighty),
        *([word] for word in reversed(weighty)),
        *([word] for word in reversed(other_words)),
        [],
    ]
    choices = (
        tuple(concept for concept in concepts if concept == head or concept in selection)
        for selection in selections
    )
    return [choice for choice in dict.fromkeys(choices) if choice != tuple(concepts)]


def _weighs_more(concept: Concept, lexicon: Lexicon) -> bool:
    return (
        is_description(concept.text)
        or any(is_description(spelling) for spelling in concept.spellings)
        or any(
            spelling in lexicon.brands or spelling in lexicon.categories
            for spelling in concept.spellings
        )
    )


def reading_has_products(context: CatalogueContext, reading: Reading) -> bool:
    """Return whether the customer's catalogue has products of the reading, regardless of
    filters. One query.
    """
    anything = CatalogQuery()
    return has_any_product(
        context, anything, build_conditions(context, anything, reading.condition)
    )


def has_any_product(context: CatalogueContext, query: CatalogQuery, criteria: Conditions) -> bool:
    """Return whether any product meets the conditions. One query."""
    joins = build_price_joins(context) if needs_prices(query) else Fragment("")
    where = criteria.list_all()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT 1 FROM catalog_product p {joins.sql} WHERE {where.sql} LIMIT 1",
            [*joins.parameters, *where.parameters],
        )
        return cursor.fetchone() is not None
