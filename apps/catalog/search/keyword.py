"""What a keyword speaks of: its words with every way to say each, by the lexicon that the staff keep (搜索词)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain

from apps.catalog.search.text import MAX_QUERY_TOKENS, RUN, cut, encoded, normalised, query_words, sound_key

MAX_WAYS = 12
MAX_JOINED = 6
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
# 0.5 or 60×90 without a unit: no whole number, which may be anything.
BARE = re.compile(r"[0-9]+\.[0-9]+|[0-9]+(?:\.[0-9]+)?(?:×[0-9]+(?:\.[0-9]+)?)+")
BARE_UNITS = ("mm", "cm", "m", "kg", "g", "l", "ml", "kw")
MEASURED = re.compile(r"([0-9]+(?:\.[0-9]+)?)([^0-9.].*)")
TIMES = re.compile(r"(?<=[0-9])[x*](?=[0-9])")


@dataclass(frozen=True, slots=True)
class CategoryName:
    """A category that a word may name."""

    id: int
    level: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BrandName:
    """A brand that a word may name."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The staff's words, normalised: other ways to say a word, units by their other units and factors, words to ignore.

    Beside them the names of categories, and what the words and names of all three and of brands sound like, in full and by initials.
    """

    ways: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, tuple[tuple[str, Decimal], ...]] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    categories: Mapping[str, tuple[CategoryName, ...]] = field(default_factory=dict)
    brands: Mapping[str, BrandName] = field(default_factory=dict)
    by_sound: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def knows(self, text: str) -> bool:
        """Whether the text is one word to the lexicon."""
        return text in self.ways or text in self.ignored or text in self.categories


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that a keyword speaks of: its text, and every way to say it, the text itself first."""

    text: str
    ways: tuple[str, ...]

    @property
    def token_ways(self) -> tuple[tuple[str, ...], ...]:
        """The encoded tokens of each way; all of one way must be there. Empty where the text has no word in it."""
        ways = (tuple(encoded(word) for word in query_words(way)) for way in self.ways)
        return tuple(dict.fromkeys(tokens for tokens in ways if tokens))

    @property
    def word_ways(self) -> tuple[tuple[str, ...], ...]:
        """The words of each way as a name holds them."""
        return tuple(tuple(way.split()) for way in self.ways)


def concepts(keyword: str, lexicon: Lexicon) -> tuple[Concept, ...]:
    """Return what the keyword speaks of, in the order typed, without the words to ignore unless there are no others."""
    texts = list(_texts(list(_words(TIMES.sub("×", normalised(keyword)), lexicon)), lexicon))
    meant = [text for text in texts if text not in lexicon.ignored] or texts
    return tuple(Concept(text, _ways(text, lexicon)) for text in dict.fromkeys(meant[:MAX_QUERY_TOKENS]))


def meant_text(spoken: Iterable[Concept]) -> str:
    """Return the concepts as one text, with blanks between them."""
    return " ".join(concept.text for concept in spoken)


def named_categories(spoken: Iterable[Concept], lexicon: Lexicon) -> tuple[CategoryName, ...]:
    """Return the categories of the deepest level that the last concept to name one names; else those whose name ends with the last."""
    heads = tuple(reversed(tuple(spoken)))
    for concept in heads:
        if named := [category for way in concept.ways for category in lexicon.categories.get(way, ())]:
            return _deepest(named)
    for concept in heads:
        if named := [category for name, own in lexicon.categories.items() if name.endswith(_endings(concept)) for category in own]:
            return _deepest(named)
    return ()


def _deepest(named: list[CategoryName]) -> tuple[CategoryName, ...]:
    deepest = max(category.level for category in named)
    return tuple(dict.fromkeys(category for category in named if category.level == deepest))


def _endings(concept: Concept) -> tuple[str, ...]:
    return tuple(way for way in concept.ways if len(way) > 1 and not way.isascii())


def heard_words(keyword: str, lexicon: Lexicon) -> tuple[Concept, ...]:
    """Return what the keyword speaks of where known words sound like it, in one or part by part; nothing where none does."""
    plain = normalised(keyword)
    parts = plain.split()
    for pieces in ([plain], parts) if len(parts) > 1 else ([plain],):
        likes = [_sounding_like(piece, lexicon) for piece in pieces]
        if any(likes):
            spoken = (_heard(like, lexicon) if like else concepts(piece, lexicon) for piece, like in zip(pieces, likes, strict=True))
            return tuple(dict.fromkeys(concept for found in spoken for concept in found))
    return ()


def _sounding_like(piece: str, lexicon: Lexicon) -> tuple[str, ...]:
    sound = sound_key(piece)
    return () if not sound else lexicon.by_sound.get(sound, ())


def _heard(words: tuple[str, ...], lexicon: Lexicon) -> tuple[Concept, ...]:
    """Return one concept for words of the same sound."""
    return (Concept(words[0], tuple(dict.fromkeys(way for word in words for way in _ways(word, lexicon)))[:MAX_WAYS]),)


def names_category(concept: Concept, lexicon: Lexicon) -> bool:
    """Whether the concept is the name of a category."""
    return any(way in lexicon.categories for way in concept.ways)


def head_of(spoken: Iterable[Concept], lexicon: Lexicon) -> Concept | None:
    """Return the concept that says what kind of thing is asked for: the last that names a category, else the last with which a category's
    name ends, else the last Chinese word, else the last; None for nothing."""
    heads = list(reversed(list(spoken)))
    named = (concept for concept in heads if names_category(concept, lexicon))
    ending = (concept for concept in heads if _ends_category(concept, lexicon))
    words = (concept for concept in heads if len(concept.text) > 1 and not concept.text.isascii())
    return next(chain(named, ending, words, heads), None)


def _ends_category(concept: Concept, lexicon: Lexicon) -> bool:
    ways = tuple(way for way in concept.ways if not way.isascii())
    return bool(ways) and any(name.endswith(ways) for name in lexicon.categories)


def names_like(typed: str, lexicon: Lexicon, *, limit: int) -> tuple[tuple[CategoryName, ...], tuple[BrandName, ...]]:
    """Return categories, deepest first, and brands whose name holds what is typed so far, begins to sound so, or is its synonym."""
    typed = typed.replace(" ", "")
    also = set(lexicon.ways.get(typed, ()))
    if typed.isascii() and (sound := sound_key(typed)):
        also.update(word for heard, words in lexicon.by_sound.items() if heard.startswith(sound) for word in words)
    categories = [category for name, own in lexicon.categories.items() if typed in name or name in also for category in own]
    brands = {brand.id: brand for name, brand in lexicon.brands.items() if typed in name or name in also}
    deepest = sorted(categories, key=lambda category: -category.level)
    return tuple(deepest[:limit]), tuple(sorted(brands.values(), key=lambda brand: brand.name)[:limit])


def _words(plain: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield the words; a number and the measure word that stands right behind it are one: 5号, 27寸, 16口."""
    number = ""
    end = -1
    for run in RUN.finditer(plain):
        words = [run[0]] if run[0][0].isascii() else cut(run[0])
        if number and run.start() == end and (len(words[0]) == 1 or words[0] in lexicon.units):
            words = [number + words[0], *words[1:]]
        elif number:
            yield number
        number, end = ("", -1)
        if len(words) == 1 and NUMBER.fullmatch(words[0]):
            number, end = words[0], run.end()
        else:
            yield from words
    if number:
        yield number


def _texts(words: list[str], lexicon: Lexicon) -> Iterator[str]:
    """Yield the words, those together that the lexicon knows as one: the longest first."""
    at = 0
    while at < len(words):
        widths = range(min(MAX_JOINED, len(words) - at), 1, -1)
        width = next((width for width in widths if lexicon.knows("".join(words[at : at + width]))), 1)
        yield "".join(words[at : at + width])
        at += width


def _ways(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    found = [text, *lexicon.ways.get(text, ())]
    if measured := MEASURED.fullmatch(text):
        number, unit = measured.groups()
        found += [f"{_plain(Decimal(number) * factor)}{other}" for other, factor in lexicon.units.get(unit, ())]
    if BARE.fullmatch(text):
        found += [text + unit for unit in BARE_UNITS]
    return tuple(dict.fromkeys(found))[:MAX_WAYS]


def _plain(number: Decimal) -> str:
    """Return the number without needless zeros: 1500, 0.5."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
