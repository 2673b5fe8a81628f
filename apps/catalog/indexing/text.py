"""Text analysis for the search: one tokenizer for index and query, and the prefix keys of
suggestions.

Tokens are encoded as plain ASCII letters and digits, because the full-text parsers of the two
databases split `0.5mm` and `24/6` differently.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rjieba import Jieba

    from apps.catalog.models import Product

MAX_QUERY_TOKENS = 12
MAX_KEY = 24
MAX_STARTS = 5
RUN = re.compile(r"[0-9a-z]+(?:[.\-/*+×#&_][0-9a-z]+)*|[^\W0-9a-z_]+")
PIECE = re.compile(r"[0-9a-z]+")
SEPARATORS = re.compile(r"[^\w]|_")
# The separators that occur in codes. SQL removes them one at a time.
CODE_MARKS = ("-", " ", "_", ".", "/")
# A number and its Chinese unit, unless the unit starts another word (5升级版, 3米色, 2克拉).
# An x before the number is allowed.
MEASURE = re.compile(
    r"(?<![a-wyz0-9.])([0-9]+(?:\.[0-9]+)?) ?(千克|公斤|毫米|厘米|毫升|克(?![拉力莱])|"
    r"升(?![级降])|米(?![色白黄兰字粒饭其]))"
)
UNITS = {
    "千克": "kg",
    "公斤": "kg",
    "克": "g",
    "毫米": "mm",
    "厘米": "cm",
    "米": "m",
    "毫升": "ml",
    "升": "l",
}


@cache
def load_tokenizer() -> Jieba:
    """Return the tokenizer of this process.

    It is loaded at the first use, as the table of pinyin is: both take a fifth of the time in
    which a command starts, and most commands need neither.
    """
    from rjieba import Jieba

    return Jieba()


def words_add(words: Iterable[str]) -> None:
    """Add brand and category names of two or more characters to the tokenizer."""
    tokenizer = load_tokenizer()
    for word in words:
        key = normalise(word)
        if len(key) > 1 and not key.isascii() and not tokenizer.has_word(key):
            tokenizer.add_word(key, None, None)


def normalise(text: str) -> str:
    """Return the text in the form used for comparison: half-width, case-folded, single spaces,
    70克 as 70g.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return MEASURE.sub(lambda match: match[1] + UNITS[match[2]], plain)


def build_model_key(raw: str) -> str:
    """Return a model code in the form used for comparison: without separators, case-folded, at
    most 60 characters.
    """
    return SEPARATORS.sub("", normalise(raw))[:60]


def encode_token(token: str) -> str:
    """Encode a token as plain letters and digits. The encoding is one-to-one: `q` becomes `qq`,
    and any other character becomes `q` and five hex digits.
    """
    return "".join(
        char
        if char.isascii() and char.isalnum() and char != "q"
        else "qq"
        if char == "q"
        else f"q{ord(char):05x}"
        for char in token
    )


def _is_latin(run: str) -> bool:
    return run[0].isascii()


def index_words(text: str) -> set[str]:
    """Return all words that find the text: words, the words inside them, single characters,
    codes and parts of codes.
    """
    tokenizer = load_tokenizer()
    words: set[str] = set()
    for run in RUN.findall(normalise(text)):
        if _is_latin(run):
            words |= {run, SEPARATORS.sub("", run), *PIECE.findall(run)}
        else:
            words.update(tokenizer.cut(run), tokenizer.cut_for_search(run), list(run))
    return words


def split_words(run: str) -> list[str]:
    """Split a run of Chinese characters into words."""
    words: list[str] = load_tokenizer().cut(run)
    return words


def split_query_words(keyword: str) -> list[str]:
    """Return the words of a keyword in typed order, at most MAX_QUERY_TOKENS."""
    words: list[str] = []
    for run in RUN.findall(normalise(keyword)):
        words += [run] if _is_latin(run) else load_tokenizer().cut(run)
    return list(dict.fromkeys(words))[:MAX_QUERY_TOKENS]


def encode_query_tokens(keyword: str) -> list[str]:
    """Return the encoded words of a keyword. A product must have all of them."""
    return [encode_token(word) for word in split_query_words(keyword)]


def encode_character_tokens(keyword: str) -> list[str]:
    """Return the keyword as encoded single characters and parts of codes. The search uses them
    if the words find nothing.
    """
    characters: list[str] = []
    for run in RUN.findall(normalise(keyword)):
        characters += PIECE.findall(run) if _is_latin(run) else list(run)
    return list(dict.fromkeys(encode_token(word) for word in characters))[: 2 * MAX_QUERY_TOKENS]


def encode_tokens(texts: Iterable[str]) -> str:
    """Return the encoded tokens of the texts, sorted and separated by one space. Empty if there
    are none.
    """
    words: set[str] = set()
    for text in texts:
        words |= index_words(text)
    return " ".join(sorted({encode_token(word) for word in words}))


def encode_product_tokens(
    product: Product, *, brand_names: Iterable[str], category_names: Iterable[str]
) -> str:
    """Return the value of `search_tokens` for a product: the tokens of name, brand, categories,
    code, model, pack, keywords and attribute values.
    """
    attributes: Mapping[str, object] = product.attributes or {}
    values = [str(value) for value in attributes.values()]
    return encode_tokens(
        [
            product.name,
            product.code,
            product.model_code,
            product.model_key,
            product.pack,
            product.keywords,
            *brand_names,
            *category_names,
            *values,
        ]
    )


def build_suggest_keys(*, name: str, model_code: str = "", code: str = "") -> set[str]:
    """Return the prefix keys of a product: its codes, and its name from each of its first words
    on, as characters, as pinyin and as initials.
    """
    pieces = [piece for piece in map(_squeeze_text, load_tokenizer().cut(normalise(name))) if piece]
    keys = {build_model_key(model_code), code}
    for start in range(min(MAX_STARTS, len(pieces))):
        later_pieces = pieces[start:]
        sounds = [get_sound(piece) for piece in later_pieces]
        keys |= {
            "".join(later_pieces),
            "".join(full for full, _ in sounds),
            "".join(first for _, first in sounds),
        }
    return {key[:MAX_KEY] for key in keys if key}


def build_suggest_prefix(raw: str) -> str:
    """Return the typed text as a prefix of suggestion keys."""
    return _squeeze_text(normalise(raw))[:MAX_KEY]


def _squeeze_text(text: str) -> str:
    return "".join(char for char in text if char.isalnum() or char == ".")


@lru_cache(maxsize=20_000)
def get_sound(piece: str) -> tuple[str, str]:
    """Return the pinyin and the initials of a text. Letters and digits remain."""
    from pypinyin import lazy_pinyin

    # `errors=list` returns characters without pinyin one by one; the stubs only allow str.
    return_characters: Any = list
    syllables = lazy_pinyin(piece, errors=return_characters)
    return "".join(syllables), "".join(
        syllable if char.isascii() else syllable[0]
        for char, syllable in zip(piece, syllables, strict=True)
    )


def get_sound_prefix(prefix: str) -> str:
    """Return the pinyin of a prefix, so that a wrongly chosen homophone still finds the product."""
    return get_sound(prefix)[0][:MAX_KEY]


def build_sound_key(keyword: str) -> str:
    """Return the pinyin of a keyword as a prefix of suggestion keys. Letters remain.

    Empty if the keyword contains digits or is shorter than two characters.
    """
    prefix = build_suggest_prefix(keyword)
    sound = get_sound_prefix(prefix)
    return sound if len(prefix) > 1 and sound.isascii() and sound.isalpha() else ""


def find_first_spoken_words(name: str, sound: str) -> str:
    """Return the first words of a name whose pinyin or initials start with `sound`: 中性笔 for
    `zxb`. Empty if none match.
    """
    pieces = [piece for piece in map(_squeeze_text, load_tokenizer().cut(normalise(name))) if piece]
    for start in range(min(MAX_STARTS, len(pieces))):
        for way in (0, 1):
            sounds = ""
            for end in range(start, len(pieces)):
                sounds += get_sound(pieces[end])[way]
                if sounds.startswith(sound):
                    return "".join(pieces[start : end + 1])
    return ""
