"""The catalogue queries for the words of a line: all words, and weaker queries if that finds
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.catalog.indexing.text import character_tokens, query_words, sound_key
from apps.common.sql.fragment import NEVER, Fragment, any_of
from apps.search.keyword import Concept, Lexicon, concepts, concepts_text, head_of
from apps.search.sql.conditions import keyword_condition, sound_condition
from apps.search.sql.on_sale import ProductQuestion
from apps.search.sql.reading import token_groups

# Number of queries of `nearly`: characters, one word less, the noun alone, sound.
NEAR_WAYS = 4
MOST_WORDS = 8
# Maximum number of words of a line. A line with more words names several products.
READ_WORDS = 12


def words_of(typed: str, lexicon: Lexicon) -> list[Concept]:
    """Return the distinct concepts of a line, at most READ_WORDS."""
    return list(dict.fromkeys(concepts(typed, lexicon)))[:READ_WORDS]


def all_words(typed: str, lexicon: Lexicon) -> ProductQuestion:
    """Return the query for products that contain every concept or a synonym of it. Products
    whose name contains all words rank first.
    """
    spoken = words_of(typed, lexicon)
    return ProductQuestion(
        _having(spoken), tuple(word for concept in spoken for word in query_words(concept.text))
    )


def nearly(typed: str, lexicon: Lexicon) -> list[ProductQuestion]:
    """Return NEAR_WAYS queries, the closest first: by single characters, without any one word
    except the noun, by the noun alone, by sound.
    """
    spoken = words_of(typed, lexicon)[:MOST_WORDS]
    characters = character_tokens(concepts_text(spoken))
    sound = sound_key(typed)
    head = head_of(spoken, lexicon)
    first = tuple(query_words(head.text)) if head else ()
    others = [concept for concept in spoken if concept != head]
    return [
        ProductQuestion(keyword_condition([[[token]] for token in characters], ())),
        ProductQuestion(
            any_of(_having([other for other in spoken if other != one]) for one in others), first
        ),
        ProductQuestion(_having([head]) if head else NEVER, first),
        ProductQuestion(sound_condition(sound) if sound else NEVER),
    ]


def _having(spoken: Sequence[Concept]) -> Fragment:
    return keyword_condition(token_groups(spoken), ())
