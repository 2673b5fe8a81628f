"""金额大写 per 支付结算办法, annex 1 (正确填写票据和结算凭证的基本规定)."""

from __future__ import annotations

from decimal import Decimal

DIGITS = "零壹贰叁肆伍陆柒捌玖"
PLACES = ("", "拾", "佰", "仟")
SECTIONS = ("", "万", "亿", "万亿")
LIMIT = Decimal("1E16")


def write_amount_in_capitals(amount: Decimal) -> str:
    """Return an amount in capitals: 1409.50 becomes 壹仟肆佰零玖元伍角. 整 follows a whole number
    of 元, zeros in between become one 零, a negative amount starts with 负.

    Raises:
        ValueError: the amount has more than two decimal places, or is above 9999 万亿.
    """
    cents = abs(amount) * 100
    if cents != cents.to_integral_value() or abs(amount) >= LIMIT:
        raise ValueError(f"{amount} cannot be written in capitals")
    whole_yuan, cents_part = divmod(int(cents), 100)
    jiao, fen = divmod(cents_part, 10)
    sign = "负" if amount < 0 else ""
    head = f"{_write_integer(whole_yuan)}元" if whole_yuan else ""
    if not cents_part:
        return f"{sign}{head or '零元'}整"
    # If 角 is 0 and 分 is not, 零 follows 元.
    gap = "零" if head and not jiao else ""
    return (
        f"{sign}{head}{gap}{DIGITS[jiao] + '角' if jiao else ''}{DIGITS[fen] + '分' if fen else ''}"
    )


def _write_integer(number: int) -> str:
    """Return the sections of four digits in Chinese capitals. An empty section, or a gap before
    the next one, becomes 零.
    """
    parts: list[str] = []
    for place in range(len(SECTIONS) - 1, -1, -1):
        section = number // 10_000**place % 10_000
        if not section:
            continue
        higher = number // 10_000 ** (place + 1)
        is_gap = bool(higher) and (section < 1_000 or higher % 10 == 0)
        parts.append(("零" if is_gap else "") + _write_section(section) + _get_unit(number, place))
    return "".join(parts)


def _get_unit(number: int, place: int) -> str:
    """Return the unit of a section. In 万亿, 亿 is written once, after the lower section if there
    is one.
    """
    unit = SECTIONS[place]
    return "万" if unit == "万亿" and number // 10_000**2 % 10_000 else unit


def _write_section(section: int) -> str:
    """Return four digits (0 to 9999) in Chinese capitals, such as 壹仟零伍."""
    text, is_zero_pending = "", False
    for place in range(3, -1, -1):
        digit = section // 10**place % 10
        if not digit:
            is_zero_pending = bool(text)
            continue
        text += ("零" if is_zero_pending else "") + DIGITS[digit] + PLACES[place]
        is_zero_pending = False
    return text
