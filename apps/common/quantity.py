"""The legal quantities of a line, in carts, orders and later documents: the minimum (起订量) plus
whole steps (增量); and quantities as people write them: 2, 1,000, 2.0, 两, 十二, 一百二十, with or
without a unit.
"""

from __future__ import annotations

import re

from django.core.validators import MaxValueValidator, MinValueValidator

# The maximum quantity of a line.
MAX_QUANTITY = 999_999


def build_range_validators(low: int, high: int) -> list[MinValueValidator | MaxValueValidator]:
    """Return the validators of a column that holds whole numbers from `low` to `high`."""
    text = f"请填写 {low} 到 {high} 之间的整数"
    return [MinValueValidator(low, text), MaxValueValidator(high, text)]


def is_legal(quantity: int, *, minimum: int, step: int) -> bool:
    """Return whether the quantity is the minimum plus whole steps, and not more than
    MAX_QUANTITY.
    """
    return minimum <= quantity <= MAX_QUANTITY and (quantity - minimum) % step == 0


def get_next_legal_quantity(quantity: int, *, minimum: int, step: int) -> int:
    """Return the smallest legal quantity that is at least `quantity`, or the largest legal
    quantity if there is none.
    """
    if quantity <= minimum:
        return minimum
    wished = minimum + -(-(quantity - minimum) // step) * step
    return (
        wished
        if wished <= MAX_QUANTITY
        else get_last_legal_quantity(MAX_QUANTITY, minimum=minimum, step=step)
    )


def get_last_legal_quantity(quantity: int, *, minimum: int, step: int) -> int:
    """Return the largest legal quantity that is at most `quantity`; 0 if there is none. Used if
    stock is short.
    """
    return 0 if quantity < minimum else quantity - (quantity - minimum) % step


UNIT_WORDS = (
    "单位|盒|箱|支|包|件|个|只|本|卷|台|把|张|套|瓶|袋|桶|条|双|打|份|块|片|册|组|副|根|枚|罐|筒|提|捆|令|架|"
    "部|对|板|刀|排|盘|扎|付|顶|卡|盏|面|具|辆|座|床|列|节|粒"
)
UNIT = rf"(?:{UNIT_WORDS}|(?:pcs|pc|ea|box)(?![a-z]))"
CHINESE = r"[零〇一二两三四五六七八九十百千万]{1,9}"
PLAIN = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?)"
FIGURE = re.compile(rf"(?P<figure>-?{PLAIN}|{CHINESE})\s*(?P<unit>{UNIT})?", re.IGNORECASE)
UNIT_ALONE = re.compile(UNIT, re.IGNORECASE)
DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
PLACES = {"十": 10, "百": 100, "千": 1000}
MAX_DIGITS = 12
# Quantities in dozens are ordered in pieces.
DOZENS = {"打": 12}
WHOLE, POSITIVE, TOO_LARGE = (
    "数量须为整数，请修改",
    "数量须大于 0，请修改",
    f"数量不能超过 {MAX_QUANTITY}，请修改",
)


class BadFigure(ValueError):
    """The text is not a legal quantity. The message gives the reason and the advice."""


def parse_chinese_number(text: str) -> int:
    """Return 12 for 十二, 120 for 一百二十, 25 for 二五."""
    total = section = digit = 0
    if not any(sign in PLACES or sign == "万" for sign in text):
        return int("".join(str(DIGITS[sign]) for sign in text))
    for sign in text:
        if sign in DIGITS:
            digit = DIGITS[sign]
        elif sign == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * PLACES[sign], 0
    return total + section + digit


def parse_figure(figure: str) -> int:
    """Return the quantity that a text without a unit stands for.

    Raises:
        BadFigure: it is not a whole number from 1 to the maximum quantity of a line.
    """
    digits = figure.replace(",", "").strip()
    if digits and all(sign in DIGITS or sign in PLACES or sign == "万" for sign in digits):
        number = parse_chinese_number(digits)
    else:
        whole, _, decimals = digits.lstrip("-").partition(".")
        if decimals.strip("0"):
            raise BadFigure(WHOLE)
        if len(whole.lstrip("0")) > MAX_DIGITS:
            raise BadFigure(TOO_LARGE)
        number = -int(whole or 0) if digits.startswith("-") else int(whole or 0)
    if number < 1:
        raise BadFigure(POSITIVE)
    if number > MAX_QUANTITY:
        raise BadFigure(TOO_LARGE)
    return number


def parse_quantity(figure: str, unit: str) -> int:
    """Return the quantity for a figure and its unit. Dozens are converted to pieces: 两打 is 24.

    Raises:
        BadFigure: it is not a whole number from 1 to the maximum quantity of a line.
    """
    number = parse_figure(figure) * DOZENS.get(unit, 1)
    if number > MAX_QUANTITY:
        raise BadFigure(TOO_LARGE)
    return number


def parse_quantity_cell(cell: str) -> tuple[int | None, str]:
    """Return (quantity, unit) of a cell; (None, "") for an empty cell.

    Raises:
        BadFigure: the cell contains other text, or no legal quantity.
    """
    if not cell:
        return None, ""
    match = FIGURE.fullmatch(cell)
    if match is None:
        raise BadFigure(f"数量“{cell[:20]}”无法识别，请填写整数")
    return parse_quantity(match["figure"], match["unit"] or ""), match["unit"] or ""


def is_figure(cell: str) -> bool:
    """Return whether a cell contains only a figure, with or without a unit. A Chinese figure
    needs a unit.
    """
    match = FIGURE.fullmatch(cell)
    return match is not None and (
        bool(match["unit"]) or any(sign.isdigit() and sign.isascii() for sign in cell)
    )


def is_unit(cell: str) -> bool:
    """Return whether a cell contains only a unit."""
    return UNIT_ALONE.fullmatch(cell) is not None
