"""Words similar to a keyword: catalogue words with a similar sound or spelling, and the single
words of the keyword.
"""

from __future__ import annotations

from apps.catalog.indexing.dictionary import vocabulary
from apps.catalog.indexing.text import normalise, query_words, sound_prefix

MAX_NEAR = 6
SHORTEST = 2


def near_keywords(keyword: str) -> list[str]:
    """Return at most MAX_NEAR similar words, the nearest first. The words are not checked for
    results.
    """
    plain = normalise(keyword)
    own = [word for word in query_words(plain) if len(word) >= SHORTEST and word != plain]
    near = sorted(
        (
            (distance, len(word), word)
            for word in vocabulary()
            if (distance := _apart(plain, word)) is not None
        ),
    )
    return list(dict.fromkeys([*(word for _, _, word in near), *own]))[:MAX_NEAR]


def _apart(keyword: str, word: str) -> int | None:
    """Return the distance of two words: 0 for the same sound, 1 for one different letter or
    character, None otherwise.
    """
    if len(word) < SHORTEST or word == keyword:
        return None
    if sound_prefix(keyword) == sound_prefix(word):
        return 0
    return 1 if len(keyword) > SHORTEST and _one_edit(keyword, word) else None


def _one_edit(first: str, second: str) -> bool:
    """Return whether changing, adding or removing one letter turns one word into the other."""
    if abs(len(first) - len(second)) > 1:
        return False
    shorter, longer = sorted((first, second), key=len)
    at = next(
        (place for place, letter in enumerate(shorter) if letter != longer[place]), len(shorter)
    )
    return shorter[at + (len(shorter) == len(longer)) :] == longer[at + 1 :]
