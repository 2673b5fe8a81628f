"""Loads the search lexicon from the database: the staff's words, categories and brands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from apps.catalog.indexing.text import normalise, sound_of
from apps.catalog.models import Brand, Category
from apps.search.enums import SynonymKind
from apps.search.keyword import BrandName, CategoryName, Lexicon
from apps.search.models import SearchSynonym

ONE = Decimal(1)
NO_CATEGORY = 9


def lexicon_of(token: str) -> Lexicon:
    """Return the lexicon. Three queries, or none if this process has cached it under the same
    token. Every change of the lexicon changes the token.
    """
    return _lexicon(token) if token else _lexicon.__wrapped__(token)


@lru_cache(maxsize=4)
def _lexicon(_token: str) -> Lexicon:
    ways: dict[str, dict[str, None]] = defaultdict(dict)
    units: dict[str, list[tuple[str, Decimal]]] = defaultdict(list)
    ignored = set()
    for row in SearchSynonym.objects.filter(is_active=True):
        word, others = lexicon_key(row.word), [normalise(other) for other in row.other_words]
        match row.kind:
            case SynonymKind.IGNORED:
                ignored.add(word)
            case SynonymKind.UNIT:
                units[word] += [(other, row.factor or ONE) for other in others]
            case SynonymKind.MEANS:
                ways[word] |= dict.fromkeys(others)
            case _:
                _all_same(ways, [normalise(row.word), *others])
    categories, brands = _names(), _brands()
    return Lexicon(
        ways={word: tuple(others) for word, others in ways.items()},
        units={unit: tuple(others) for unit, others in units.items()},
        ignored=frozenset(ignored),
        categories=categories,
        brands=brands,
        by_sound=_by_sound(categories, [*categories, *brands, *ways]),
    )


def _all_same(ways: dict[str, dict[str, None]], words: list[str]) -> None:
    """Make each word a synonym of all others."""
    for word in words:
        ways[lexicon_key(word)] |= dict.fromkeys(other for other in words if other != word)


def _by_sound(
    categories: Mapping[str, tuple[CategoryName, ...]], words: list[str]
) -> dict[str, tuple[str, ...]]:
    """Return Chinese words by pinyin and, from three characters on, by initials. If several
    words share a sound, only categories of the highest level remain.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for word in words:
        full, first = sound_of(word)
        if len(word) > 1 and full.isascii() and full.isalpha() and not word.isascii():
            found[full][word] = None
            if len(word) > 2:
                found[first][word] = None

    def narrow(word: str) -> int:
        return min((category.level for category in categories.get(word, ())), default=NO_CATEGORY)

    widest = {sound: min(map(narrow, same)) for sound, same in found.items()}
    return {
        sound: tuple(word for word in same if narrow(word) == widest[sound])
        for sound, same in found.items()
    }


def _names() -> dict[str, tuple[CategoryName, ...]]:
    names: dict[str, list[CategoryName]] = defaultdict(list)
    for pk, name, level in Category.objects.values_list("pk", "name", "level"):
        names[lexicon_key(name)].append(CategoryName(pk, level, name))
    return {name: tuple(named) for name, named in names.items()}


def _brands() -> dict[str, BrandName]:
    """Return the brands by name and by English name."""
    rows = list(Brand.objects.values_list("pk", "name", "english_name"))
    return {
        lexicon_key(word): BrandName(pk, name)
        for pk, name, english in rows
        for word in (english, name)
        if word
    }


def lexicon_key(word: str) -> str:
    """Return the key of a word in the lexicon: normalised, without blanks."""
    return normalise(word).replace(" ", "")
