"""Amounts in the back office."""

from decimal import Decimal

import pytest

from apps.office.cells import format_yuan


@pytest.mark.parametrize(
    ("amount", "text"), [("5424.6", "¥5,424.60"), ("-864.16", "-¥864.16"), ("0.00", "¥0.00")]
)
def test_an_amount_is_written_as_the_mall_writes_it(amount: str, text: str) -> None:
    assert format_yuan(Decimal(amount)) == text
