"""Resolves many words at once: the products that each word names exactly, and similar products
for the other words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.catalog.indexing.text import character_tokens, model_key, normalise, query_tokens
from apps.pricing.selectors.context import CatalogueContext
from apps.search.keyword import Lexicon, concepts, head_of
from apps.search.sql.lookup import beginning_with, named_rows, with_all_tokens

MAX_WORD = 120
MAX_NOUNS = 40
CODE = re.compile(r"[0-9]{1,18}")
CODE_BEGIN = re.compile(r"(?=.*[0-9])[0-9a-z]{3,24}")


def products_named(
    *, context: CatalogueContext, words: Iterable[str]
) -> dict[str, tuple[int, ...]]:
    """Return the ids of the products that each word names exactly, by product code, model (with
    or without dashes), name, or the customer's own code or name.

    Products that the customer cannot see are included. Words without a product are left out. One
    query.
    """
    keys = {word: _keys(word) for word in dict.fromkeys(words) if word and len(word) <= MAX_WORD}
    if not keys:
        return {}
    asked = {
        way: sorted({key for ways in keys.values() for key in ways[way]})
        for way in ("code", "name", "model", "own")
    }
    found: dict[tuple[str, str], list[int]] = {}
    for way, key, pk in named_rows(
        context, codes=asked["code"], names=asked["name"], models=asked["model"], own=asked["own"]
    ):
        found.setdefault((way, key), []).append(pk)
    named = {
        word: tuple(
            dict.fromkeys(
                pk for way, own in ways.items() for key in own for pk in found.get((way, key), ())
            )
        )
        for word, ways in keys.items()
    }
    return {word: ids for word, ids in named.items() if ids}


def _keys(word: str) -> dict[str, tuple[str, ...]]:
    plain, raw = normalise(word), word.strip()
    half = unicodedata.normalize("NFKC", raw)
    model = model_key(plain)
    return {
        "code": (plain,) if CODE.fullmatch(plain) else (),
        "name": (plain,),
        "model": (model,) if model else (),
        # Customers' codes and names are stored unchanged. Look them up as typed, in upper case and
        # in lower case.
        "own": tuple({raw, half, half.upper(), half.lower()}),
    }


def products_like(
    *, context: CatalogueContext, texts: Sequence[str], lexicon: Lexicon, limit: int
) -> dict[str, tuple[int, ...]]:
    """Return for each text up to `limit` products on sale in the customer's catalogue,
    best-selling first.

    The first rule that finds products applies: all words match; all characters match; a code starts
    with the text; the noun of the text matches. At most three queries, plus those of the dictionary
    when it must be reloaded.
    """
    dictionary_refresh()
    asked = dict(enumerate(dict.fromkeys(text for text in texts if text)))
    found: dict[int, list[int]] = {}
    found |= _searched(
        context, {key: words for key, text in asked.items() if (words := query_tokens(text))}, limit
    )
    left = {key: text for key, text in asked.items() if key not in found}
    nouns = {key: noun for key, text in left.items() if (noun := _noun(text, lexicon))}
    # The same statement looks up each noun once, because a thousand lines contain few nouns.
    by_noun = {
        noun: len(asked) + at
        for at, noun in enumerate(list(dict.fromkeys(nouns.values()))[:MAX_NOUNS])
    }
    wanted = {key: words for key, text in left.items() if (words := character_tokens(text))}
    searched = _searched(
        context, wanted | {key: query_tokens(noun) for noun, key in by_noun.items()}, limit
    )
    found |= {key: ids for key, ids in searched.items() if key in asked}
    begun = {key: model_key(text) for key, text in asked.items() if key not in found}
    begun = {key: word for key, word in begun.items() if CODE_BEGIN.fullmatch(word)}
    if begun:
        found |= beginning_with(context, begun, limit=limit)
    found |= {
        key: searched[at]
        for key, noun in nouns.items()
        if key not in found and (at := by_noun.get(noun)) in searched
    }
    return {text: tuple(found[key]) for key, text in asked.items() if key in found}


def _noun(text: str, lexicon: Lexicon) -> str:
    """Return the noun of a text of several words, or "". For a noun of one character (笔),
    return the first category whose name ends with it.
    """
    spoken = concepts(text, lexicon)
    head = head_of(spoken, lexicon)
    if head is None or len(spoken) < 2 or head.text.isascii():
        return ""
    if len(head.text) > 1:
        return head.text
    ends = [
        category
        for name, own in lexicon.categories.items()
        if name.endswith(head.text)
        for category in own
    ]
    return min(ends, key=lambda category: (-category.level, category.id)).name if ends else ""


def _searched(
    context: CatalogueContext, wanted: Mapping[int, Sequence[str]], limit: int
) -> dict[int, list[int]]:
    return with_all_tokens(context, wanted, limit=limit) if wanted else {}
