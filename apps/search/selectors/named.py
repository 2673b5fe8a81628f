"""Resolves many words at once: the products that each word names exactly, and similar products
for the other words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from apps.catalog.barcodes import is_barcode, list_spellings
from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.catalog.indexing.text import (
    build_model_key,
    encode_character_tokens,
    encode_query_tokens,
    normalise,
)
from apps.finders.selectors.devices import MAX_REFERENCES, Reference, find_references
from apps.pricing.selectors.context import CatalogueContext
from apps.search.keyword import Lexicon, find_head, parse_concepts
from apps.search.sql.lookup import (
    list_ids_beginning_with,
    list_ids_with_all_tokens,
    list_named_rows,
    list_reference_part_keys,
)

MAX_WORD = 120
MAX_NOUNS = 40
CODE = re.compile(r"[0-9]{1,18}")
CODE_BEGIN = re.compile(r"(?=.*[0-9])[0-9a-z]{3,24}")


def find_products_by_name(
    *, context: CatalogueContext, words: Iterable[str]
) -> dict[str, tuple[int, ...]]:
    """Return the ids of the products that each word names exactly, by product code, barcode,
    model (with or without dashes), name, or the customer's own code or name.

    Products that the customer cannot see are included. Words without a product are left out. One
    query.
    """
    keys = {
        word: _build_lookup_keys(word)
        for word in dict.fromkeys(words)
        if word and len(word) <= MAX_WORD
    }
    if not keys:
        return {}

    def all_keys(kind: str) -> list[str]:
        return sorted({key for keys_by_kind in keys.values() for key in keys_by_kind[kind]})

    ids_by_key: dict[tuple[str, str], list[int]] = {}
    for kind, key, pk in list_named_rows(
        context,
        codes=all_keys("code"),
        names=all_keys("name"),
        models=all_keys("model"),
        customer_words=all_keys("own"),
    ):
        ids_by_key.setdefault((kind, key), []).append(pk)
    ids_by_word: dict[str, tuple[int, ...]] = {}
    for word, keys_by_kind in keys.items():
        pairs = [(kind, key) for kind, kind_keys in keys_by_kind.items() for key in kind_keys]
        ids = dict.fromkeys(pk for pair in pairs for pk in ids_by_key.get(pair, ()))
        if ids:
            ids_by_word[word] = tuple(ids)
    return ids_by_word


def _build_lookup_keys(word: str) -> dict[str, tuple[str, ...]]:
    """Return the keys under which a word is looked up, by kind of name: code, name, model, own."""
    normal_word, typed_word = normalise(word), word.strip()
    half_width = unicodedata.normalize("NFKC", typed_word)
    model = build_model_key(normal_word)
    return {
        "code": _list_codes(normal_word),
        "name": (normal_word,),
        "model": (model,) if model else (),
        # Customers' codes and names are stored unchanged. Look them up as typed, in upper case and
        # in lower case.
        "own": tuple({typed_word, half_width, half_width.upper(), half_width.lower()}),
    }


def _list_codes(word: str) -> tuple[str, ...]:
    """Return the codes and barcodes that the word can mean."""
    if not CODE.fullmatch(word):
        return ()
    return tuple(list_spellings(word)) if is_barcode(word) else (word,)


def find_references_by_word(words: Iterable[str]) -> dict[str, tuple[Reference, ...]]:
    """Return the cross references (型号对照) that each word names by another brand's part number
    or name, equal ones first. Words without one are left out. One query, none without words.
    """
    keys = {
        word: (frozenset(list_reference_part_keys(word)), normalise(word))
        for word in dict.fromkeys(words)
        if word and len(word) <= MAX_WORD
    }
    references = find_references(
        part_keys=sorted({key for parts, _ in keys.values() for key in parts}),
        name_keys=sorted({name for _, name in keys.values()}),
        limit=MAX_REFERENCES * max(len(keys), 1),
    )
    places = {reference: place for place, reference in enumerate(references)}
    by_part: dict[str, list[Reference]] = {}
    by_name: dict[str, list[Reference]] = {}
    for reference in references:
        by_part.setdefault(build_model_key(reference.part_number), []).append(reference)
        by_name.setdefault(normalise(reference.name), []).append(reference)
    references_by_word: dict[str, tuple[Reference, ...]] = {}
    for word, (parts, name) in keys.items():
        rows = [row for key in parts for row in by_part.get(key, ())] + by_name.get(name, [])
        if rows:
            references_by_word[word] = tuple(sorted(dict.fromkeys(rows), key=places.__getitem__))
    return references_by_word


def find_products_like(
    *, context: CatalogueContext, texts: Sequence[str], lexicon: Lexicon, limit: int
) -> dict[str, tuple[int, ...]]:
    """Return for each text up to `limit` products on sale in the customer's catalogue,
    best-selling first.

    The first rule that finds products applies: all words match; all characters match; a code starts
    with the text; the noun of the text matches. At most three queries, plus those of the dictionary
    when it must be reloaded.
    """
    dictionary_refresh()
    text_by_number = dict(enumerate(dict.fromkeys(text for text in texts if text)))
    words_by_number = {number: encode_query_tokens(text) for number, text in text_by_number.items()}
    ids_by_number = _search_tokens(context, words_by_number, limit)
    unmatched_texts = {
        number: text for number, text in text_by_number.items() if number not in ids_by_number
    }
    # The same statement looks up the characters of each text and, once, each noun, because a
    # thousand lines contain few nouns. The nouns have the numbers after the texts.
    noun_by_number = {number: _find_noun(text, lexicon) for number, text in unmatched_texts.items()}
    distinct_nouns = list(dict.fromkeys(noun for noun in noun_by_number.values() if noun))[
        :MAX_NOUNS
    ]
    noun_numbers = {noun: len(text_by_number) + index for index, noun in enumerate(distinct_nouns)}
    characters_by_number = {
        number: encode_character_tokens(text) for number, text in unmatched_texts.items()
    }
    noun_tokens_by_number = {
        number: encode_query_tokens(noun) for noun, number in noun_numbers.items()
    }
    found_ids = _search_tokens(context, characters_by_number | noun_tokens_by_number, limit)
    ids_by_number |= {
        number: product_ids for number, product_ids in found_ids.items() if number in text_by_number
    }
    code_by_number = {
        number: build_model_key(text)
        for number, text in text_by_number.items()
        if number not in ids_by_number
    }
    code_by_number = {
        number: code for number, code in code_by_number.items() if CODE_BEGIN.fullmatch(code)
    }
    if code_by_number:
        ids_by_number |= list_ids_beginning_with(context, code_by_number, limit=limit)
    for number, noun in noun_by_number.items():
        noun_number = noun_numbers.get(noun)
        if number not in ids_by_number and noun_number in found_ids:
            ids_by_number[number] = found_ids[noun_number]
    return {
        text: tuple(ids_by_number[number])
        for number, text in text_by_number.items()
        if number in ids_by_number
    }


def _find_noun(text: str, lexicon: Lexicon) -> str:
    """Return the noun of a text of several words, or "". For a noun of one character (笔),
    return the first category whose name ends with it.
    """
    concepts = parse_concepts(text, lexicon)
    head = find_head(concepts, lexicon)
    if head is None or len(concepts) < 2 or head.text.isascii():
        return ""
    if len(head.text) > 1:
        return head.text
    ends = [
        category
        for name, category_words in lexicon.categories.items()
        if name.endswith(head.text)
        for category in category_words
    ]
    return min(ends, key=lambda category: (-category.level, category.id)).name if ends else ""


def _search_tokens(
    context: CatalogueContext, tokens: Mapping[int, Sequence[str]], limit: int
) -> dict[int, list[int]]:
    """Return the products that contain all tokens, by number. Numbers without tokens are left
    out. One query, none without tokens.
    """
    words_by_number = {number: words for number, words in tokens.items() if words}
    return (
        list_ids_with_all_tokens(context, words_by_number, limit=limit) if words_by_number else {}
    )
