"""Parses the lines of a wish list: words, quantity, unit and price limit. A sheet is read by its
header row or, without one, as lines of text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.common.quantity import (
    CHINESE,
    PLAIN,
    UNIT,
    BadFigure,
    is_figure,
    parse_figure,
    parse_quantity_cell,
)

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
# Header words of each column. The first role that matches applies, in this order.
HEADS: dict[str, tuple[str, ...]] = {
    "limit": ("限价", "单价上限", "最高单价", "预算单价", "价格上限"),
    "quantity": ("数量", "采购数", "需求数", "申请数", "件数", "qty", "quantity"),
    "unit": ("单位", "unit"),
    "brand": ("品牌", "brand"),
    "spec": ("规格", "型号", "描述", "参数", "颜色", "要求", "spec"),
    "name": (
        "商品编码",
        "物料编码",
        "编码",
        "商品",
        "品名",
        "名称",
        "物料",
        "物品",
        "用品",
        "需求",
        "name",
        "item",
    ),
}
FIGURE = re.compile(r"[0-9]{1,12}(?:\.[0-9]+)?")
HEADER_WITHIN = 10
MAX_TITLE = 12


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


def normalise_text(text: str) -> str:
    """Return the text in half width and lower case, with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("￥", "¥").split())


def parse_wishes(text: str) -> list[Wish]:
    """Return the wishes of a text, line by line. A line with several products and quantities
    gives several wishes. No line is dropped.
    """
    wishes: list[Wish] = []
    for line in re.split(r"[\n\r;；\u2028]+", text):
        if line.strip():
            wishes += _split_clauses(line)
    return wishes


def _split_clauses(line: str) -> list[Wish]:
    """Return a wish for each clause of a line if every clause has an amount, otherwise one wish."""
    if len(line) <= MAX_LINE:
        parts = [part for part in CLAUSES.split(line) if part.strip()]
        if len(parts) > 1 and all(AMOUNT.search(normalise_text(part)) for part in parts):
            return [parse_wish(part) for part in parts]
    return [parse_wish(line)]


def parse_wish(line: str) -> Wish:
    """Return what one line asks for: words, quantity, unit and price limit, or the problem of the
    line.
    """
    line_text = " ".join(line.split())[:MAX_LINE]
    normalised = normalise_text(line)
    if len(line.strip()) > MAX_LINE or len(normalised) > MAX_LINE:
        return Wish(
            line_text, "", problem=f"这一行超过 {MAX_LINE} 个字，请拆成多行，每行写一种商品"
        )
    text = POLITE.sub("", NUMBERING.sub("", normalised))
    text, max_price = split_limit(text)
    words, figure, unit = parse_amount_in(text)
    return build_wish(text=line_text, words=words, figure=figure, unit=unit, max_price=max_price)


def build_wish(
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


def parse_amount_in(text: str) -> tuple[str, str, str]:
    """Return the words without the quantity, the figure as written (or ""), and its measure
    word. `text` is normalised by `plain`.
    """
    amounts = list(AMOUNT.finditer(text))
    if amounts:
        last = amounts[-1]
        return _remove_match(text, last), last["figure"], last["unit"]
    bare = TIMES.search(text) or LAST.search(text)
    return (_remove_match(text, bare), bare[1], "") if bare else (text, "", "")


def split_limit(text: str) -> tuple[str, Decimal | None]:
    """Return the words without the price limit, and the limit in 元."""
    match = LIMIT.search(text) or YUAN.search(text)
    return (_remove_match(text, match), Decimal(match[1])) if match else (text, None)


def _remove_match(text: str, match: re.Match[str]) -> str:
    start, end = match.span()
    return f"{text[:start]} {text[end:]}".strip()


def parse_wishes_of_rows(rows: Iterable[Sequence[str]]) -> list[Wish]:
    """Return a wish for each row that is not blank. Rows above the header are treated as titles."""
    filled = [cells for cells in ([cell.strip() for cell in row] for row in rows) if any(cells)]
    for place, cells in enumerate(filled[:HEADER_WITHIN]):
        columns = _find_columns(cells)
        if "name" in columns:
            return [_parse_row_by_header(row, columns) for row in filled[place + 1 :]]
    return [_by_text(row) for row in filled]


def _find_columns(cells: Sequence[str]) -> dict[str, list[int]]:
    """Return {role: indexes of its cells} of a header row; empty if the row is no header."""
    columns: dict[str, list[int]] = {}
    for index, cell in enumerate(cells):
        title = normalise_text(cell)
        role = _find_role(title)
        if role:
            columns.setdefault(role, []).append(index)
    # A title above the table (采购需求) is not a header. The header of a single-column sheet
    # must be exactly one of these words.
    is_header = len(columns) > 1 or (
        len([cell for cell in cells if cell]) == 1
        and any(normalise_text(cell) in HEADS["name"] for cell in cells)
    )
    return columns if is_header else {}


def _find_role(title: str) -> str:
    """Return the role of a column title. Empty for a long text, which is not a title."""
    if len(title) > MAX_TITLE:
        return ""
    for role, heads in HEADS.items():
        if any(head in title for head in heads):
            return role
    return ""


def _parse_row_by_header(row: Sequence[str], columns: dict[str, list[int]]) -> Wish:
    """Return the wish of a row whose cells are read by role. `columns` are indexes by role."""

    def cells(role: str) -> list[str]:
        return [row[place] for place in columns.get(role, ()) if place < len(row) and row[place]]

    words = " ".join(dict.fromkeys([*cells("brand"), *cells("name"), *cells("spec")]))
    text = " ".join(
        [*cells("brand"), *cells("name"), *cells("spec"), *cells("quantity"), *cells("unit")]
    )[:MAX_LINE]
    if len(words) > MAX_LINE or len(normalise_text(words)) > MAX_LINE:
        return Wish(text, "", problem=f"名称与规格超过 {MAX_LINE} 个字，请缩短后重试")
    quantity_text = normalise_text(next(iter(cells("quantity")), ""))
    try:
        _, counted_unit = parse_quantity_cell(quantity_text)
    except BadFigure as error:
        return Wish(text, normalise_text(words), problem=str(error))
    unit = counted_unit or normalise_text(next(iter(cells("unit")), ""))[:2]
    figure = quantity_text.removesuffix(counted_unit).strip()
    return build_wish(
        text=text,
        words=normalise_text(words),
        figure=figure,
        unit=unit,
        max_price=_read_budget(cells("limit")),
    )


def _by_text(row: Sequence[str]) -> Wish:
    """Read a row of a sheet without a header: the first figure after a text is the quantity,
    the other cells are the text.
    """
    texts = [cell for cell in row if cell]
    at = next(
        (place for place, cell in enumerate(texts) if place and is_figure(normalise_text(cell))), 0
    )
    if not at:
        return parse_wish(" ".join(texts))
    figure = normalise_text(texts[at])
    return parse_wish(
        f"{' '.join([*texts[:at], *texts[at + 1 :]])} "
        f"{figure if not figure.isdigit() else f'×{figure}'}"
    )


def _read_budget(cells: Sequence[str]) -> Decimal | None:
    match = FIGURE.search(normalise_text(cells[0])) if cells else None
    value = Decimal(match[0]) if match else None
    return value.quantize(Decimal("0.01")) if value is not None and 0 < value < 10**9 else None
