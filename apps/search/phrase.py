"""Understands a typed phrase before the engine searches: prices in words, negated words, numbers
with units, sizes and colours. What remains are the words of the keyword.

The rules are those of the language (以内, 不要, 除了 … 以外). Words of the trade are in the
lexicon.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from apps.catalog.indexing.text import normalise
from apps.search.enums import PhraseKind
from apps.search.keyword import Lexicon, build_lexicon_key
from apps.search.units import COLOUR, MEASURE, PAPER

ABOUT = Decimal("0.2")  # 100 元左右 is 80 to 120 元
CENT = Decimal("0.01")
# A larger number is no price. Every bound must fit into the column of prices.
MAX_PRICE = Decimal(999_999_999_999)
# Further negated words are not understood: each costs a subquery.
MAX_NEGATED = 8
CHINESE_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
CHINESE_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}

# A number of at most eight digits. It is read whole or not at all (an atomic group): 二十页 is no
# price of 2 元.
NUMBER = (
    r"(?>(?<![0-9.a-z])[0-9]{{1,8}}(?:\.[0-9]{{1,2}})?(?![0-9.])[百千万]?"
    r"|[零一二两三四五六七八九十百千万]+)"
)
MONEY = r"(?:元钱|块钱|元|块|圆)"
# A unit after the number means that it is no price: 30页以内, 10支以上.
UNIT_CHARACTERS = (
    "a-z%×°㎡号寸英码页张支个只包箱盒卷米克升斤毫厘公平瓦人位口路粒片本双把台件套瓶袋桶条根组层格门级档"
    "伏安吨年月日天小分秒倍折度转"
)
# After 元 the next word may begin with any character: 50元 A4纸.
NO_UNIT = rf"(?:(?<=[元块圆钱])|(?!\s*[{UNIT_CHARACTERS}]))"
BEFORE = r"(?:(?:价格|价位|价钱|单价|售价|预算)\s*(?:在|是|为|要)?\s*)"
AMOUNT = rf"(?P<minus{{n}}>负|(?<![\w一-鿿])-)?[¥$]?(?P<n{{n}}>{NUMBER})\s*(?P<unit{{n}}>{MONEY})?"


def _amount(name: str) -> str:
    return AMOUNT.format(n=name)


UPPER_BEFORE = r"(?:不超过|不高于|不大于|不多于|低于|少于|小于|最多|最高|至多|<=?|≤|控制在)"
LOWER_BEFORE = r"(?:不低于|不少于|不小于|高于|大于|超过|多于|至少|最少|最低|起码|>=?|≥)"
UPPER_AFTER = r"(?:及?以[内下]|之[内下])"
LOWER_AFTER = r"(?:及?以上|之上|往上)"
PRICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Two bounds. With a dash only if 元 says that it is no size: 50-100元, but not 241-1.
        rf"{BEFORE}?{_amount('low')}\s*[到至~]\s*{_amount('high')}(?:之间|以内)?{NO_UNIT}",
        rf"{BEFORE}?{_amount('low')}\s*[-–—]\s*{_amount('high')}(?<=[元块圆钱])(?:之间|以内)?",
        rf"{BEFORE}{_amount('low')}\s*[-–—]\s*{_amount('high')}(?:之间|以内)?{NO_UNIT}",
        # An upper bound.
        rf"{BEFORE}?{UPPER_BEFORE}\s*{_amount('high')}{NO_UNIT}{UPPER_AFTER}?",
        rf"{BEFORE}?{_amount('high')}{UPPER_AFTER}",
        rf"{BEFORE}?{_amount('high')}(?<=[元块圆钱])(?:内|封顶)",
        rf"预算\s*(?:是|为|在)?\s*{_amount('high')}{NO_UNIT}",
        # A lower bound.
        rf"{BEFORE}?{LOWER_BEFORE}\s*{_amount('low')}{NO_UNIT}{LOWER_AFTER}?",
        rf"{BEFORE}?{_amount('low')}{LOWER_AFTER}",
        rf"{BEFORE}?{_amount('low')}(?<=[元块圆钱])起",
        rf"{BEFORE}?{_amount('about')}(?<=[元块圆钱])(?:左右|上下)",
    )
)
NEGATION = re.compile(
    r"(?:(?<!要)不要(?![求紧钱])|不想要|不需要|不含|不带|(?<!是)不是|别要|除了|除去|除开|排除|"
    r"除(?=[^，,;；。\s]{1,12}?(?:以外|之外))|"
    r"(?<![是除])非(?!常|接触|标|洲|油炸|转基因|遗|正式|金属|处方|机动|织造|人))\s*"
)
# The end of a negated part.
NEGATED_END = re.compile(
    r"以外|之外|都可以|都可|都行|都要|其他|其它|的|[，,。;；!！?？\s]|不要|除了|别要|非|不含|不带"
)
JOINER_CHARACTERS = "和或及与跟、/"
JOINERS = re.compile(f"[{JOINER_CHARACTERS}]")
AFTER_NEGATED = re.compile(r"\s*(?:以外|之外|都可以|都可|都行|都要|其他|其它|的|[，,。;；])+")
# A run of sizes that were typed without a blank: 80ga4, a480g, 64gu盘.
JOINED_RUN = re.compile(
    r"(?<![0-9a-z.×\-])[0-9a-z][0-9a-z./毫厘公千克升米斤瓦寸]*(?![0-9a-z×\-])", re.IGNORECASE
)
HALF = re.compile("(?<![0-9])半(?=公?斤|千克|升|米(?!色))")
SIZE_LETTER = re.compile(r"(?<![0-9a-z])(x{0,3}[sml])码", re.IGNORECASE)  # L码 is the size L
JOINED_PIECE = re.compile(rf"{PAPER}(?![0-9]g?$)|{MEASURE}|u(?=$)", re.IGNORECASE)
ATTRIBUTE = re.compile(
    rf"(?<![0-9a-z.\-×])(?:{MEASURE}|{PAPER})(?![0-9a-z×])|{COLOUR}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A part of the phrase that was understood. `label` is its text on the screen, `rest` the
    phrase without it.
    """

    kind: PhraseKind
    label: str
    rest: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A typed phrase. `keyword` contains the words to search for, without prices and negated
    words, and with joined sizes separated. Prices are 元 含税.

    `attributes` are the sizes, numbers with units and colours among the words.
    """

    keyword: str = ""
    attributes: tuple[str, ...] = ()
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    excluded: tuple[str, ...] = ()
    parts: tuple[PhrasePart, ...] = ()

    @property
    def has_price(self) -> bool:
        """Whether the phrase limits the price."""
        return self.min_price is not None or self.max_price is not None


@dataclass(frozen=True, slots=True)
class _Price:
    """Bounds that a part of the text states, in 元."""

    start: int
    end: int
    low: Decimal | None
    high: Decimal | None
    is_negative: bool


@dataclass(frozen=True, slots=True)
class _Negated:
    start: int
    end: int
    words: tuple[str, ...]


def parse_phrase(phrase_text: str, lexicon: Lexicon) -> Phrase:
    """Return what the typed text means. Never raises: prices that contradict each other or are
    negative are left out, and a part of kind IGNORED says so.
    """
    text = _separate_joined(" ".join(unicodedata.normalize("NFKC", phrase_text).split()))
    prices = list(_find_prices(text))
    used_spans = [(price.start, price.end) for price in prices]
    negated = list(_find_negated(text, lexicon, used_spans))
    used_spans += [(negation.start, negation.end) for negation in negated]
    attributes = [
        match
        for match in ATTRIBUTE.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in used_spans)
    ]
    low, high, problem = _join_bounds(prices)
    return Phrase(
        keyword=_cut(text, used_spans),
        attributes=tuple(dict.fromkeys(match[0] for match in attributes)),
        min_price=low,
        max_price=high,
        excluded=tuple(dict.fromkeys(word for negation in negated for word in negation.words)),
        parts=tuple(
            # The same words twice are one part.
            dict.fromkeys(
                (
                    *_build_price_part(text, prices, low, high, problem),
                    *(
                        PhrasePart(
                            PhraseKind.EXCLUDED,
                            f"不含 {'、'.join(negation.words)}",
                            _cut(text, [(negation.start, negation.end)]),
                        )
                        for negation in negated
                    ),
                    *(
                        PhrasePart(
                            PhraseKind.ATTRIBUTE,
                            match[0].upper()
                            if match[0].isascii() and len(match[0]) < 3
                            else match[0],
                            _cut(text, [match.span()]),
                        )
                        for match in attributes
                    ),
                )
            )
        ),
    )


def without_phrase_prices(phrase: Phrase, *, reason: str) -> Phrase:
    """Return the phrase without its prices. The part of the prices then gives the reason, in
    Chinese.
    """
    if not phrase.has_price:
        return phrase
    return replace(
        phrase,
        min_price=None,
        max_price=None,
        parts=tuple(
            replace(part, kind=PhraseKind.IGNORED, label=reason)
            if part.kind == PhraseKind.PRICE
            else part
            for part in phrase.parts
        ),
    )


def format_price_range(low: Decimal | None, high: Decimal | None) -> str:
    """Return the bounds in Chinese: 价格 ≤ 10 元, 价格 50–100 元."""
    if low is None:
        return f"价格 ≤ {_format_price(high)} 元"
    return (
        f"价格 ≥ {_format_price(low)} 元"
        if high is None
        else f"价格 {_format_price(low)}–{_format_price(high)} 元"
    )


def _format_price(price: Decimal | None) -> str:
    text = f"{price or 0:.2f}"
    return text.removesuffix(".00")


def _find_prices(text: str) -> Iterator[_Price]:
    """Yield the prices in the text. Each place belongs to the first pattern that fits."""
    used_spans: list[tuple[int, int]] = []
    for pattern in PRICES:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in used_spans):
                continue
            groups = match.groupdict()
            names = [name for name in ("low", "high", "about") if groups.get(f"n{name}")]
            numbers = {name: _parse_price(groups[f"n{name}"]) for name in names}
            # 十以内 could be many things; a Chinese number needs 元 or another sign of money.
            if any(number is None for number in numbers.values()):
                continue
            used_spans.append(match.span())
            yield _Price(
                *match.span(),
                *_read_bounds(
                    {name: number for name, number in numbers.items() if number is not None}
                ),
                is_negative=any(groups.get(f"minus{name}") for name in names),
            )


def _read_bounds(numbers: dict[str, Decimal]) -> tuple[Decimal | None, Decimal | None]:
    """Return the lowest and highest price in 元 of a price phrase, None for an open side. 100元左右
    means ABOUT less or more.
    """
    if (middle := numbers.get("about")) is not None:
        return (middle * (1 - ABOUT)).quantize(CENT), (middle * (1 + ABOUT)).quantize(CENT)
    low, high = numbers.get("low"), numbers.get("high")
    # 100到50 names the bounds in the other order.
    return (high, low) if low is not None and high is not None and high < low else (low, high)


def _parse_price(text: str) -> Decimal | None:
    """Return the number, or None if it is none or is too large for a price."""
    number = _parse_number(text)
    return None if number is None or number > MAX_PRICE else number


def _parse_number(text: str) -> Decimal | None:
    """Return the number: 1500, 2千, 一百五十, 两百. None if the characters are no number."""
    if text[0].isdigit():
        scale = CHINESE_SCALES.get(text[-1], 1)
        return Decimal(text.rstrip("百千万")) * scale
    total, digit, last_scale = 0, 0, 1
    for char in text:
        if char in CHINESE_DIGITS:
            digit = CHINESE_DIGITS[char]
            continue
        scale = CHINESE_SCALES[char]
        if scale == CHINESE_SCALES["万"]:
            total = (total + digit or 1) * scale
        else:
            total += (digit or 1) * scale
        digit, last_scale = 0, scale
    if len(text) > 1 and digit and text[-2] in CHINESE_SCALES:
        # 两百五 is 250.
        return Decimal(total + digit * max(1, last_scale // 10))
    return Decimal(total + digit) if total + digit or text == "零" else None


def _join_bounds(
    prices: list[_Price],
) -> tuple[Decimal | None, Decimal | None, str]:
    """Return the lowest and highest price in 元 that meet all price phrases, and "". If they are
    not used, return None, None and the reason in Chinese.
    """
    if any(price.is_negative for price in prices):
        return None, None, "价格不能为负数，未按价格筛选"
    low = max((price.low for price in prices if price.low is not None), default=None)
    high = min((price.high for price in prices if price.high is not None), default=None)
    if low is not None and high is not None and low > high:
        return (
            None,
            None,
            f"价格 ≥ {_format_price(low)} 元与价格 ≤ {_format_price(high)} 元互相矛盾，"
            "未按价格筛选",
        )
    return low, high, ""


def _build_price_part(
    text: str, prices: list[_Price], low: Decimal | None, high: Decimal | None, problem: str
) -> tuple[PhrasePart, ...]:
    """Return the price of the phrase as a part that the page shows, with the text that remains
    without it. () without a price.
    """
    if not prices:
        return ()
    text_without_prices = _cut(text, [(price.start, price.end) for price in prices])
    if problem:
        return (PhrasePart(PhraseKind.IGNORED, problem, text_without_prices),)
    return (PhrasePart(PhraseKind.PRICE, format_price_range(low, high), text_without_prices),)


def _find_negated(
    text: str, lexicon: Lexicon, used_spans: list[tuple[int, int]]
) -> Iterator[_Negated]:
    """Yield the negated words. 不要红色中性笔 negates 红色 only: a category name at the end is the
    kind of product.
    """
    negations_left = MAX_NEGATED
    for match in NEGATION.finditer(text):
        begin = match.end()
        end_mark = NEGATED_END.search(text, begin)
        stop = min(
            end_mark.start() if end_mark else len(text),
            *(start for start, _ in used_spans if start >= begin),
            len(text),
        )
        category, other_words = _split_category(text[begin:stop], lexicon)
        words = tuple(
            word.strip() for word in JOINERS.split(category) if normalise(word).strip("-/. ")
        )
        if not words or not negations_left:
            continue
        words = words[:negations_left]
        negations_left -= len(words)
        end = begin + len(category)
        if not other_words and (after := AFTER_NEGATED.match(text, end)):
            end = after.end()
        yield _Negated(match.start(), end, words)


def _split_category(part: str, lexicon: Lexicon) -> tuple[str, str]:
    """Return the part without the longest name of a category at its end, and that name. The name
    is empty if there is none, or if the whole part is one word of the lexicon: 充电电池.
    """
    if lexicon.knows(build_lexicon_key(part)):
        return part, ""
    for at in range(1, len(part) - 1):
        if (
            build_lexicon_key(part[at:]) in lexicon.categories
            and part[at - 1] not in JOINER_CHARACTERS
        ):
            return part[:at], part[at:]
    return part, ""


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text without the spans, and without the 的 that they leave at their edges."""
    pieces: list[str] = []
    at = 0
    for start, end in sorted(spans):
        pieces.append(text[at:start])
        at = max(at, end)
        if text.startswith("的", at):
            at += 1
    pieces.append(text[at:])
    return " ".join(" ".join(pieces).split()).strip("，,。;； ")


def _separate_joined(text: str) -> str:
    """Return the text with blanks between sizes that were typed as one run."""
    plain = HALF.sub("0.5", SIZE_LETTER.sub(r"\1", text))
    return JOINED_RUN.sub(lambda match: _separate_run(match, plain), plain)


def _separate_run(match: re.Match[str], text: str) -> str:
    """Return the run as pieces, or unchanged if any part of it is no size: a code or a model."""
    pieces: list[str] = []
    run, at = match[0], 0
    while at < len(run):
        if run[at] == "/" and pieces:
            at += 1
            continue
        piece = JOINED_PIECE.match(run, at)
        if piece is None or (piece[0] in "uU" and not text.startswith("盘", match.end())):
            return run
        pieces.append(piece[0])
        at = piece.end()
    return " ".join(pieces)
