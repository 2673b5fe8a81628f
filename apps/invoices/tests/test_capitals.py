"""Tests of 金额大写 per 支付结算办法: known difficult cases, and a property test of any amount."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.invoices.capitals import DIGITS, write_amount_in_capitals

CASES = {
    "1409.50": "壹仟肆佰零玖元伍角",
    "16409.02": "壹万陆仟肆佰零玖元零贰分",
    "325.04": "叁佰贰拾伍元零肆分",
    "100000.00": "壹拾万元整",
    "0.05": "伍分",
    "0.00": "零元整",
    "0.50": "伍角",
    "6007.14": "陆仟零柒元壹角肆分",
    "1680.32": "壹仟陆佰捌拾元叁角贰分",
    "107000.53": "壹拾万零柒仟元伍角叁分",
    "10.00": "壹拾元整",
    "10001.00": "壹万零壹元整",
    "10100.01": "壹万零壹佰元零壹分",
    "100000000.00": "壹亿元整",
    "100010000.00": "壹亿零壹万元整",
    "1000000000000.00": "壹万亿元整",
    "1000100000000.00": "壹万零壹亿元整",
    "-113.00": "负壹佰壹拾叁元整",
}
UNITS = {"拾": 10, "佰": 100, "仟": 1000}


@pytest.mark.parametrize(("amount", "words"), CASES.items())
def test_known_cases(amount: str, words: str) -> None:
    assert write_amount_in_capitals(Decimal(amount)) == words


def test_a_third_place_is_refused() -> None:
    with pytest.raises(ValueError, match="capitals"):
        write_amount_in_capitals(Decimal("1.005"))


@given(st.integers(min_value=0, max_value=10**17))
def test_any_amount_reads_back(cents: int) -> None:
    words = write_amount_in_capitals(Decimal(cents) / 100)

    assert read(words) == cents
    assert "零零" not in words
    assert words.endswith("整") == (cents % 100 == 0)


def read(words: str) -> int:
    """Return the 分 of an amount in words. The parser does not share code with the writer."""
    text = words.removesuffix("整")
    whole, _, rest = text.partition("元") if "元" in text else ("", "", text)
    cents = 0
    for unit, worth in (("角", 10), ("分", 1)):
        at = rest.find(unit)
        if at > 0:
            cents += DIGITS.index(rest[at - 1]) * worth
    return _get_number(whole) * 100 + cents


def _get_number(text: str) -> int:
    if "亿" in text:
        high, _, low = text.rpartition("亿")
        return _get_number(high) * 10**8 + _get_number(low)
    if "万" in text:
        high, _, low = text.rpartition("万")
        return _get_number(high) * 10**4 + _get_number(low)
    total, digit = 0, 0
    for char in text:
        if char in UNITS:
            total, digit = total + digit * UNITS[char], 0
        else:
            digit = DIGITS.index(char)
    return total + digit
