"""The questions that the words of a line ask of the catalogue: all of them, and where that finds nothing, nearly all."""

from __future__ import annotations

from collections.abc import Sequence

from apps.catalog.search.keyword import Concept, Lexicon, concepts, head_of, meant_text
from apps.catalog.search.sql.conditions import keyword_condition
from apps.catalog.search.sql.fragment import NEVER, Fragment, any_of
from apps.catalog.search.sql.many import Question
from apps.catalog.search.sql.reading import token_groups
from apps.catalog.search.sql.suggest import sounding
from apps.catalog.search.text import character_tokens, query_words, sound_key

# Questions of `nearly`: its characters, one word less, the noun alone, its sound.
NEAR_WAYS = 4
MOST_WORDS = 8
# Words of a line that are looked at: what would name a product in more names several.
READ_WORDS = 12


def words_of(typed: str, lexicon: Lexicon) -> list[Concept]:
    """Return what a line is read as: its different words, the first twelve."""
    return list(dict.fromkeys(concepts(typed, lexicon)))[:READ_WORDS]


def all_words(typed: str, lexicon: Lexicon) -> Question:
    """Return the question for products that have every word, in one of the ways to say it; names that hold them all come first."""
    spoken = words_of(typed, lexicon)
    return Question(_having(spoken), tuple(word for concept in spoken for word in query_words(concept.text)))


def nearly(typed: str, lexicon: Lexicon) -> list[Question]:
    """Return NEAR_WAYS questions, the nearest first: by single characters, without any one word but the noun, by the noun, by sound."""
    spoken = words_of(typed, lexicon)[:MOST_WORDS]
    characters = character_tokens(meant_text(spoken))
    sound = sound_key(typed)
    head = head_of(spoken, lexicon)
    first = tuple(query_words(head.text)) if head else ()
    others = [concept for concept in spoken if concept != head]
    return [
        Question(keyword_condition([[[token]] for token in characters], ())),
        Question(any_of(_having([other for other in spoken if other != one]) for one in others), first),
        Question(_having([head]) if head else NEVER, first),
        Question(sounding(sound) if sound else NEVER),
    ]


def _having(spoken: Sequence[Concept]) -> Fragment:
    return keyword_condition(token_groups(spoken), ())
