"""Parses a line of a wish list: words, quantity, unit and price limit."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from apps.common.figures import CHINESE, PLAIN, UNIT, BadFigure, parse_figure

MAX_LINE = 200
# Matches 2盒, ×20支, 两箱. Does not match 12支 in 12支/盒 or 12支装, nor 四件 in 四件套.
AMOUNT = re.compile(
    rf"(?<![0-9a-z.\-/×])[x×*]?\s*(?P<figure>{PLAIN}|{CHINESE})\s*(?P<unit>{UNIT})(?!\s*[/每]|装|套)"
)
# A figure without a unit: after ×, or up to three digits at the end. Longer ones are model numbers
# or codes, but no code has more than 18 digits.
TIMES = re.compile(r"(?<=[\s一-鿿)])[x×*]\s*([0-9]+)(?![0-9a-z.×*/])")
LAST = re.compile(r"(?:(?<=\s)|(?<=[一-鿿]))([0-9]{1,3}|[0-9]{19,})$")
LIMIT = re.compile(
    r"(?:单价|每(?:个|支|本|套|份|件)?)?\s*(?:不超过|不高于|不大于|低于|限价|最高|控制在|预算|≤|<=|<)\s*[¥]?\s*([0-9]{1,7}(?:\.[0-9]{1,2})?)"
    r"\s*(?:元|块)?(?:/\S)?\s*(?:以内|以下|之内)?"
)
YUAN = re.compile(r"[¥]?\s*([0-9]{1,7}(?:\.[0-9]{1,2})?)\s*元(?:/\S)?\s*(?:以内|以下|之内|左右)?")
NUMBERING = re.compile(r"^\s*(?:[-•·*]\s*|\(?[0-9]{1,3}[.、):](?![0-9])\s*)")
POLITE = re.compile(r"^(?:请|帮我|给我|我们?|还)*(?:想要|想买|需要|要买|采购|购买|买|要)\s*")
CLAUSES = re.compile(r"[,、，]\s*")


@dataclass(frozen=True, slots=True)
class Wish:
    """One line. `words` is the search text. `max_price` is in 元 含税 per unit, None without a
    limit. `problem` is set if the line cannot be used.
    """

    text: str
    words: str
    quantity: int = 1
    unit: str = ""
    max_price: Decimal | None = None
    has_quantity: bool = False
    problem: str = ""


def plain(text: str) -> str:
    """Return the text in half width and lower case, with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("￥", "¥").split())


def wishes_in(text: str) -> list[Wish]:
    """Return the wishes of a text, line by line. A line with several products and quantities
    gives several wishes. No line is dropped.
    """
    found: list[Wish] = []
    for line in re.split(r"[\n\r;；\u2028]+", text):
        if line.strip():
            found += _clauses(line)
    return found


def _clauses(line: str) -> list[Wish]:
    if len(line) <= MAX_LINE:
        parts = [part for part in CLAUSES.split(line) if part.strip()]
        if len(parts) > 1 and all(AMOUNT.search(plain(part)) for part in parts):
            return [wish_of(part) for part in parts]
    return [wish_of(line)]


def wish_of(line: str) -> Wish:
    """Return the wish of one line."""
    shown = " ".join(line.split())[:MAX_LINE]
    if len(line.strip()) > MAX_LINE or len(said := plain(line)) > MAX_LINE:
        return Wish(shown, "", problem=f"这一行超过 {MAX_LINE} 个字，请拆成多行，每行写一种商品")
    text = POLITE.sub("", NUMBERING.sub("", said))
    text, max_price = limit_of(text)
    words, figure, unit = amount_of(text)
    return wish(text=shown, words=words, figure=figure, unit=unit, max_price=max_price)


def wish(
    *, text: str, words: str, figure: str, unit: str = "", max_price: Decimal | None = None
) -> Wish:
    """Return a wish from its parsed parts. Without a figure the quantity is one."""
    words = words.strip(" ,.:;*×-()").removeprefix("的").strip()
    if not words:
        return Wish(text, "", problem="没有看出要买什么，请写上商品名称")
    try:
        quantity = parse_figure(figure) if figure else 1
    except BadFigure as error:
        return Wish(text, words, problem=str(error))
    return Wish(text, words, quantity, unit, max_price, has_quantity=bool(figure))


def amount_of(text: str) -> tuple[str, str, str]:
    """Return the words without the quantity, the figure as written (or ""), and its measure
    word. `text` is normalised by `plain`.
    """
    found = list(AMOUNT.finditer(text))
    if found:
        last = found[-1]
        return _without(text, last), last["figure"], last["unit"]
    bare = TIMES.search(text) or LAST.search(text)
    return (_without(text, bare), bare[1], "") if bare else (text, "", "")


def limit_of(text: str) -> tuple[str, Decimal | None]:
    """Return the words without the price limit, and the limit in 元."""
    found = LIMIT.search(text) or YUAN.search(text)
    return (_without(text, found), Decimal(found[1])) if found else (text, None)


def _without(text: str, found: re.Match[str]) -> str:
    start, end = found.span()
    return f"{text[:start]} {text[end:]}".strip()
