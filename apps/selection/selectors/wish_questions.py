"""The catalogue queries for the words of a line: all words, and weaker queries if that finds
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.catalog.indexing.text import character_tokens, query_words, sound_key
from apps.common.sql.fragment import NEVER, Fragment, any_of
from apps.search.keyword import Concept, Lexicon, concepts, head_of, meant_text
from apps.search.sql.conditions import keyword_condition
from apps.search.sql.many import Question
from apps.search.sql.reading import token_groups
from apps.search.sql.suggest import sounding

# Number of queries of `nearly`: characters, one word less, the noun alone, sound.
NEAR_WAYS = 4
MOST_WORDS = 8
# Maximum number of words of a line. A line with more words names several products.
READ_WORDS = 12


def words_of(typed: str, lexicon: Lexicon) -> list[Concept]:
    """Return the distinct concepts of a line, at most READ_WORDS."""
    return list(dict.fromkeys(concepts(typed, lexicon)))[:READ_WORDS]


def all_words(typed: str, lexicon: Lexicon) -> Question:
    """Return the query for products that contain every concept or a synonym of it. Products
    whose name contains all words rank first.
    """
    spoken = words_of(typed, lexicon)
    return Question(
        _having(spoken), tuple(word for concept in spoken for word in query_words(concept.text))
    )


def nearly(typed: str, lexicon: Lexicon) -> list[Question]:
    """Return NEAR_WAYS queries, the closest first: by single characters, without any one word
    except the noun, by the noun alone, by sound.
    """
    spoken = words_of(typed, lexicon)[:MOST_WORDS]
    characters = character_tokens(meant_text(spoken))
    sound = sound_key(typed)
    head = head_of(spoken, lexicon)
    first = tuple(query_words(head.text)) if head else ()
    others = [concept for concept in spoken if concept != head]
    return [
        Question(keyword_condition([[[token]] for token in characters], ())),
        Question(
            any_of(_having([other for other in spoken if other != one]) for one in others), first
        ),
        Question(_having([head]) if head else NEVER, first),
        Question(sounding(sound) if sound else NEVER),
    ]


def _having(spoken: Sequence[Concept]) -> Fragment:
    return keyword_condition(token_groups(spoken), ())
