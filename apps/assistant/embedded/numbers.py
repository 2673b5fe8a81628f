"""Numbers as people write them: 12, 12.5, 两百五, 一万二."""

from __future__ import annotations

from decimal import Decimal

DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "俩": 2}
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
CHINESE = "零一二两俩三四五六七八九十百千万"
# A match begins at the first digit of a number only. Otherwise each digit starts a search of its
# own, and a message of 2,000 digits takes seconds.
NUMBER = rf"(?:(?<!\d)\d+(?:\.\d+)?|(?<![{CHINESE}])[{CHINESE}]+)"
MAX_COUNT = 1_000_000


def parse_number(text: str) -> Decimal | None:
    """Return the value of digits or a Chinese numeral (两百五十 → 250), or None if the text is
    neither.
    """
    if text[:1].isdigit():
        scale = SCALES.get(text[-1])
        return Decimal(text[:-1]) * scale if scale else Decimal(text)
    total = part = 0
    last_scale = 1
    for letter in text:
        if letter in DIGITS:
            part = DIGITS[letter]
        elif letter in SCALES:
            last_scale = SCALES[letter]
            total += (part or 1) * last_scale
            part = 0
        else:
            return None
    # 两百五 is 250, 十五 is 15.
    return Decimal(
        total
        + (
            part * (last_scale // 10)
            if last_scale >= 100 and text[-1] in DIGITS and text[-2:-1] != "零"
            else part
        )
    )


def parse_count(text: str) -> int | None:
    """Return a positive whole number, or None."""
    amount = parse_number(text) if text else None
    return int(amount) if amount is not None and 0 < amount < MAX_COUNT else None
