"""Parses a keyword into concepts, each with all its synonyms, by the lexicon of the staff's words
(搜索词), categories and brands. The lexicon is loaded from the database.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import chain

from apps.catalog.indexing.text import (
    MAX_QUERY_TOKENS,
    RUN,
    build_sound_key,
    encode_token,
    get_sound,
    normalise,
    split_query_words,
    split_words,
)
from apps.catalog.models import Brand, Category
from apps.search.enums import SynonymKind
from apps.search.models import SearchSynonym
from apps.search.units import COLOUR_NAMES, SINGLE_COLOURS, is_filler, list_equal_measures

MAX_SPELLINGS = 12
MAX_JOINED = 6
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
# 0.5 or 60×90 without a unit. Whole numbers are excluded, because they can mean anything.
BARE = re.compile(r"[0-9]+\.[0-9]+|[0-9]+(?:\.[0-9]+)?(?:×[0-9]+(?:\.[0-9]+)?)+")
BARE_UNITS = ("mm", "cm", "m", "kg", "g", "l", "ml", "kw")
MEASURED = re.compile(r"([0-9]+(?:\.[0-9]+)?)([^0-9.].*)")
TIMES = re.compile(r"(?<=[0-9])[x*](?=[0-9])")
FOLDED_INITIAL = re.compile("([zcs])h")
ONE = Decimal(1)
NO_CATEGORY = 9


@dataclass(frozen=True, slots=True)
class CategoryName:
    """A category that a word can name."""

    id: int
    level: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BrandName:
    """A brand that a word can name."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The staff's words in normalised form: synonyms, units with equivalent units and factors,
    ignored words.

    It also contains category and brand names, and an index from pinyin and initials to all these
    words.
    """

    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, tuple[tuple[str, Decimal], ...]] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    categories: Mapping[str, tuple[CategoryName, ...]] = field(default_factory=dict)
    brands: Mapping[str, BrandName] = field(default_factory=dict)
    by_sound: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def knows(self, text: str) -> bool:
        """Return whether the lexicon contains the text as one word."""
        return text in self.synonyms or text in self.ignored or text in self.categories


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a keyword: its text, and all its synonyms. The first synonym is the text
    itself.
    """

    text: str
    spellings: tuple[str, ...]

    @property
    def spelling_tokens(self) -> tuple[tuple[str, ...], ...]:
        """The encoded tokens of each synonym. A match needs all tokens of one synonym. Empty if
        the text contains no word.
        """
        tokens_of_spellings = (
            tuple(encode_token(word) for word in split_query_words(spelling))
            for spelling in self.spellings
        )
        return tuple(dict.fromkeys(tokens for tokens in tokens_of_spellings if tokens))

    @property
    def spelling_words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each synonym, as they appear in a product name."""
        return tuple(tuple(spelling.split()) for spelling in self.spellings)


def parse_concepts(keyword: str, lexicon: Lexicon) -> tuple[Concept, ...]:
    """Return the keyword's concepts in the typed order. Ignored words and words of the language
    that say nothing about a product are left out, unless the keyword has no others.
    """
    texts = list(
        _join_lexicon_words(
            list(_split_query_words(TIMES.sub("×", normalise(keyword)), lexicon)), lexicon
        )
    )
    searched_words = [
        text for text in texts if text not in lexicon.ignored and not is_filler(text)
    ] or texts
    return tuple(
        Concept(text, _list_equivalent_spellings(text, lexicon))
        for text in dict.fromkeys(searched_words[:MAX_QUERY_TOKENS])
    )


def format_concepts(concepts: Iterable[Concept]) -> str:
    """Return the concepts as one text, separated by blanks."""
    return " ".join(concept.text for concept in concepts)


def find_named_categories(
    concepts: Iterable[Concept], lexicon: Lexicon
) -> tuple[CategoryName, ...]:
    """Return the categories that the last category name among the concepts names, of the deepest
    level only. If no concept is a category name, return the categories whose name ends with a
    concept.
    """
    concepts_from_last = tuple(reversed(tuple(concepts)))
    for concept in concepts_from_last:
        if categories := [
            category
            for spelling in concept.spellings
            for category in lexicon.categories.get(spelling, ())
        ]:
            return _select_deepest(categories)
    for concept in concepts_from_last:
        if categories := [
            category
            for name, category_words in lexicon.categories.items()
            if name.endswith(_list_word_endings(concept))
            for category in category_words
        ]:
            return _select_deepest(categories)
    return ()


def _select_deepest(categories: list[CategoryName]) -> tuple[CategoryName, ...]:
    deepest = max(category.level for category in categories)
    return tuple(dict.fromkeys(category for category in categories if category.level == deepest))


def _list_word_endings(concept: Concept) -> tuple[str, ...]:
    return tuple(
        spelling for spelling in concept.spellings if len(spelling) > 1 and not spelling.isascii()
    )


def find_concepts_by_sound(keyword: str, lexicon: Lexicon) -> tuple[Concept, ...]:
    """Return the concepts of known words that sound like the keyword, as a whole or part by
    part. Empty if no known word sounds like it.
    """
    normal_keyword = normalise(keyword)
    parts = normal_keyword.split()
    for pieces in ([normal_keyword], parts) if len(parts) > 1 else ([normal_keyword],):
        words_by_piece = [_list_words_sounding_like(piece, lexicon) for piece in pieces]
        if any(words_by_piece):
            concepts = (
                _merge_sound_words(similar_words, lexicon)
                if similar_words
                else parse_concepts(piece, lexicon)
                for piece, similar_words in zip(pieces, words_by_piece, strict=True)
            )
            return tuple(dict.fromkeys(concept for group in concepts for concept in group))
    return ()


def _list_words_sounding_like(piece: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the known words with this sound, or with a sound that is often confused with it."""
    sound = build_sound_key(piece)
    if not sound:
        return ()
    return lexicon.by_sound.get(sound, ()) or lexicon.by_sound.get(fold_sound(sound), ())


def fold_sound(sound: str) -> str:
    """Return the pinyin without the differences that many speakers do not hear: zh and z, ing and
    in.
    """
    return FOLDED_INITIAL.sub(r"\1", sound).replace("ing", "in").replace("eng", "en")


def _merge_sound_words(words: tuple[str, ...], lexicon: Lexicon) -> tuple[Concept, ...]:
    """Return one concept for words of the same sound."""
    return (
        Concept(
            words[0],
            tuple(
                dict.fromkeys(
                    spelling
                    for word in words
                    for spelling in _list_equivalent_spellings(word, lexicon)
                )
            )[:MAX_SPELLINGS],
        ),
    )


def names_category(concept: Concept, lexicon: Lexicon) -> bool:
    """Return whether the concept is the name of a category."""
    return any(spelling in lexicon.categories for spelling in concept.spellings)


def find_head(concepts: Sequence[Concept], lexicon: Lexicon) -> Concept | None:
    """Return the concept that names the kind of product.

    The order of preference is: the last category name, the last ending of a category name, the last
    Chinese word, the last concept. Return None without concepts.
    """
    heads = list(reversed(list(concepts)))
    words = (concept for concept in heads if len(concept.text) > 1 and not concept.text.isascii())
    return find_category_head(concepts, lexicon) or next(chain(words, heads), None)


def find_category_head(concepts: Iterable[Concept], lexicon: Lexicon) -> Concept | None:
    """Return the last concept that is a category name, or else the last one that ends a category
    name. Return None if there is none.
    """
    heads = list(reversed(list(concepts)))
    category_names = (concept for concept in heads if names_category(concept, lexicon))
    endings = (concept for concept in heads if _is_end_of_category_name(concept, lexicon))
    return next(chain(category_names, endings), None)


def _is_end_of_category_name(concept: Concept, lexicon: Lexicon) -> bool:
    spellings = tuple(spelling for spelling in concept.spellings if not spelling.isascii())
    return bool(spellings) and any(name.endswith(spellings) for name in lexicon.categories)


def find_names_like(
    text: str, lexicon: Lexicon, *, limit: int
) -> tuple[tuple[CategoryName, ...], tuple[BrandName, ...]]:
    """Return at most `limit` categories (deepest first) and at most `limit` brands whose name
    contains the typed text, starts with its sound, or is its synonym.
    """
    text = text.replace(" ", "")
    other_names = set(lexicon.synonyms.get(text, ()))
    if text.isascii() and (sound := build_sound_key(text)):
        other_names.update(
            word
            for word_sound, words in lexicon.by_sound.items()
            if word_sound.startswith(sound)
            for word in words
        )
    categories = [
        category
        for name, category_words in lexicon.categories.items()
        if text in name or name in other_names
        for category in category_words
    ]
    brands = {
        brand.id: brand
        for name, brand in lexicon.brands.items()
        if text in name or name in other_names
    }
    deepest = sorted(categories, key=lambda category: -category.level)
    return tuple(deepest[:limit]), tuple(
        sorted(brands.values(), key=lambda brand: brand.name)[:limit]
    )


def _split_query_words(normal_text: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield the words. A number and the measure word directly after it are one word: 5号, 27寸,
    16口.
    """
    number = ""
    end = -1
    for match in RUN.finditer(normal_text):
        words = [match[0]] if match[0][0].isascii() else split_words(match[0])
        is_measured = words[0] in lexicon.units or (
            len(words[0]) == 1 and words[0] not in SINGLE_COLOURS
        )
        if number and match.start() == end and is_measured:
            words = [number + words[0], *words[1:]]
        elif number:
            yield number
        number, end = ("", -1)
        if len(words) == 1 and NUMBER.fullmatch(words[0]):
            number, end = words[0], match.end()
        else:
            yield from words
    if number:
        yield number


def _join_lexicon_words(words: list[str], lexicon: Lexicon) -> Iterator[str]:
    """Yield the words. Words that the lexicon knows as one word are joined, the longest match
    first.
    """
    at = 0
    while at < len(words):
        widths = range(min(MAX_JOINED, len(words) - at), 1, -1)
        width = next(
            (width for width in widths if lexicon.knows("".join(words[at : at + width]))), 1
        )
        yield "".join(words[at : at + width])
        at += width


def _list_equivalent_spellings(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the text itself, its synonyms, and the same measure in other units: 1kg is 1000g."""
    # 黑 is the colour 黑色; the single character would also find 黑板.
    spellings = [f"{text}色" if text in SINGLE_COLOURS else text, *lexicon.synonyms.get(text, ())]
    if measure := MEASURED.fullmatch(text):
        number, unit = measure.groups()
        spellings += [
            f"{_format_number(amount)}{other_unit}"
            for amount, other_unit in list_equal_measures(Decimal(number), unit)
        ]
        spellings += [
            f"{_format_number(Decimal(number) * factor)}{other_unit}"
            for other_unit, factor in lexicon.units.get(unit, ())
        ]
    if BARE.fullmatch(text):
        spellings += [text + unit for unit in BARE_UNITS]
    return tuple(dict.fromkeys(spellings))[:MAX_SPELLINGS]


def _format_number(number: Decimal) -> str:
    """Return the number without trailing zeros: 1500, 0.5."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def get_lexicon(token: str) -> Lexicon:
    """Return the lexicon. Three queries, or none if this process has cached it under the same
    token. Every change of the lexicon changes the token.
    """
    return _load_lexicon(token) if token else _load_lexicon.__wrapped__(token)


@lru_cache(maxsize=4)
def _load_lexicon(_token: str) -> Lexicon:
    """Return the lexicon from the database, cached under the token of the agreements' version."""
    synonyms: dict[str, dict[str, None]] = defaultdict(dict)
    units: dict[str, list[tuple[str, Decimal]]] = defaultdict(list)
    ignored = set()
    for row in SearchSynonym.objects.filter(is_active=True):
        word, others = build_lexicon_key(row.word), [normalise(other) for other in row.other_words]
        match row.kind:
            case SynonymKind.IGNORED:
                ignored.add(word)
            case SynonymKind.UNIT:
                units[word] += [(other, row.factor or ONE) for other in others]
            case SynonymKind.MEANS:
                synonyms[word] |= dict.fromkeys(others)
            case _:
                _make_synonyms(synonyms, [normalise(row.word), *others])
    categories, brands = _load_category_names(), _load_brand_names()
    return Lexicon(
        synonyms={word: tuple(others) for word, others in synonyms.items()},
        units={unit: tuple(others) for unit, others in units.items()},
        ignored=frozenset(ignored),
        categories=categories,
        brands=brands,
        by_sound=_map_by_sound(categories, [*categories, *brands, *synonyms, *COLOUR_NAMES]),
    )


def _make_synonyms(synonyms: dict[str, dict[str, None]], words: list[str]) -> None:
    """Make each word a synonym of all others."""
    for word in words:
        synonyms[build_lexicon_key(word)] |= dict.fromkeys(
            other for other in words if other != word
        )


def _map_by_sound(
    categories: Mapping[str, tuple[CategoryName, ...]], words: list[str]
) -> dict[str, tuple[str, ...]]:
    """Return Chinese words by pinyin and, from three characters on, by initials. If several
    words share a sound, only categories of the highest level remain. A folded sound is a key too.
    """
    words_by_sound: dict[str, dict[str, None]] = defaultdict(dict)
    for word in words:
        full, first = get_sound(word)
        if len(word) > 1 and full.isascii() and full.isalpha() and not word.isascii():
            words_by_sound[full][word] = None
            if len(word) > 2:
                words_by_sound[first][word] = None

    def narrow(word: str) -> int:
        return min((category.level for category in categories.get(word, ())), default=NO_CATEGORY)

    widest = {sound: min(map(narrow, same)) for sound, same in words_by_sound.items()}
    exact = {
        sound: tuple(word for word in same if narrow(word) == widest[sound])
        for sound, same in words_by_sound.items()
    }
    return {fold_sound(sound): same for sound, same in exact.items()} | exact


def _load_category_names() -> dict[str, tuple[CategoryName, ...]]:
    """Return the categories by their name in the lexicon's spelling. Several can have one name."""
    names: dict[str, list[CategoryName]] = defaultdict(list)
    for pk, name, level in Category.objects.values_list("pk", "name", "level"):
        names[build_lexicon_key(name)].append(CategoryName(pk, level, name))
    return {name: tuple(categories) for name, categories in names.items()}


def _load_brand_names() -> dict[str, BrandName]:
    """Return the brands by name and by English name."""
    rows = list(Brand.objects.values_list("pk", "name", "english_name"))
    return {
        build_lexicon_key(word): BrandName(pk, name)
        for pk, name, english in rows
        for word in (english, name)
        if word
    }


def build_lexicon_key(word: str) -> str:
    """Return the key of a word in the lexicon: normalised, without blanks."""
    return normalise(word).replace(" ", "")
