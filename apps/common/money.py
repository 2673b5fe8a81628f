"""Money: Decimal with two places in Python, integer 分 in both databases, because SQLite
compares and sums decimals as floats. `parse_amount` is the one place that reads a typed amount.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

CENT = Decimal("0.01")
ZERO = Decimal("0.00")
# The highest price of one product, in forms and in sheets.
MAX_PRICE = Decimal("99999999.99")
# The largest amount of a document that the API can show. No real order reaches it.
MAX_AMOUNT = Decimal("999999999999.99")
NOT_NEGATIVE = MinValueValidator(ZERO, "金额不能为负数")
PRICE_VALIDATORS = [NOT_NEGATIVE, MaxValueValidator(MAX_PRICE, f"金额不能超过 {MAX_PRICE}")]
# Decimal() would also accept 1e5, 1_0, +2, NaN and full-width digits.
PLAIN_AMOUNT = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,20})?")
# How a sheet shows 1234567.5; a comma in another place is a typing error, not a separator.
SEPARATED_AMOUNT = re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,20})?")
# A spreadsheet exports 0.1 + 0.2 as 0.30000000000000004.
BINARY_NOISE = Decimal("0.0000001")


def parse_amount(text: str) -> Decimal:
    """Return the number that plain digits stand for: an optional minus, [0-9], one decimal point.

    The caller limits the number of decimals and the size.

    Raises:
        ValueError: the text has another form, such as 1e5 or full-width digits.
    """
    if not PLAIN_AMOUNT.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not an amount in plain digits")
    return Decimal(text)


def parse_cell_number(cell: str) -> Decimal:
    """Return the number of a cell. It may have ¥ in front and separators between thousands.

    Raises:
        ValueError: see `parse_amount`.
    """
    text = cell.strip().removeprefix("¥").removeprefix("￥").strip()
    return parse_amount(text.replace(",", "") if SEPARATED_AMOUNT.fullmatch(text) else text)


def parse_cell_amount(cell: str) -> Decimal:
    """Return the amount in 元 of a cell, with two decimals.

    Raises:
        ValueError: with a message for the user.
    """
    try:
        amount = parse_cell_number(cell)
    except ValueError as error:
        raise ValueError("请填写金额，例如 12.50") from error
    rounded = amount.quantize(CENT, context=Context(prec=64))
    if abs(amount - rounded) > BINARY_NOISE:
        raise ValueError("金额最多两位小数")
    return rounded


def format_yuan(amount: Decimal) -> str:
    """Return the amount with thousands separators and two places. The sign comes before the ¥."""
    return f"{'-' if amount < 0 else ''}¥{abs(amount):,.2f}"


def split_amount(total: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Return parts of `total` (元, not negative) in proportion to the weights. They always sum to
    `total`: each part is rounded down to a cent, and the last one takes the remaining cents.

    If all weights are 0, the last part takes everything.
    """
    whole = sum(weights, ZERO)
    parts = [
        (total * weight / whole).quantize(CENT, rounding=ROUND_DOWN) if whole else ZERO
        for weight in weights[:-1]
    ]
    return [*parts, total - sum(parts, ZERO)]


def lower_parts(
    parts: Sequence[Decimal], *, total: Decimal, weights: Sequence[Decimal]
) -> list[Decimal]:
    """Return parts of the lower `total` (元) in proportion to the weights, none above its old part.
    They always sum to `total`. Cents that rounding would add to a part go to the last parts that
    can take them.

    Raises:
        ValueError: `total` is above the sum of the parts.
    """
    lowered = [
        min(part, new) for part, new in zip(parts, split_amount(total, weights), strict=True)
    ]
    rest = total - sum(lowered, ZERO)
    for place in reversed(range(len(parts))):
        more = min(rest, parts[place] - lowered[place])
        lowered[place] += more
        rest -= more
    if rest:
        raise ValueError(f"{total} is above the sum of the parts {parts}")
    return lowered


def round_yuan(value: Decimal | int | str) -> Decimal:
    """Return the amount in 元 with two places, rounded half-up."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def compute_net(amount_incl_tax: Decimal, tax_rate: Decimal) -> Decimal:
    """Return 未税 = 含税/(1+rate) in 元, rounded half-up to 分."""
    return round_yuan(amount_incl_tax / (1 + tax_rate))


def compute_tax(amount_incl_tax: Decimal, tax_rate: Decimal) -> Decimal:
    """Return 税额 = 含税 − 未税 in 元, so that both always add up."""
    return amount_incl_tax - compute_net(amount_incl_tax, tax_rate)


def compute_part_of_line(
    unit_price: Decimal, tax_rate: Decimal, *, first: int, last: int
) -> tuple[Decimal, Decimal]:
    """Return (amount, tax) of the pieces of a line after `first` up to `last`, in 元 含税.

    The tax is the difference of two cumulative, rounded taxes, so the parts of a line always add up
    to the tax of the whole line, however it is split.
    """
    before, after = unit_price * first, unit_price * last
    return after - before, compute_tax(after, tax_rate) - compute_tax(before, tax_rate)


class MoneyField(models.BigIntegerField[Any, Any]):
    """元 as Decimal with two places, stored as integer 分. Sum, Max and comparisons are exact on
    both databases.
    """

    description = "Money in 元, stored in 分"

    # The mypy plugin reads the accepted type from here. That of BigIntegerField has no Decimal.
    _pyi_private_set_type: Any

    def from_db_value(
        self, value: int | Decimal | None, _expression: Expression, _connection: BaseDatabaseWrapper
    ) -> Decimal | None:
        return None if value is None else Decimal(int(value)).scaleb(-2)

    def to_python(self, value: Any) -> Decimal | None:
        if value is None or isinstance(value, Decimal):
            return value
        try:
            return round_yuan(Decimal(str(value)))
        except ArithmeticError as error:
            raise ValidationError("请输入正确的金额") from error

    def get_prep_value(self, value: Any) -> int | None:
        """Return the amount in 分, as the column stores it. Raises ValueError for parts of a 分."""
        if value is None or hasattr(value, "resolve_expression"):
            return value  # type: ignore[no-any-return]
        try:
            cents = Decimal(str(value)) * 100
        except ArithmeticError as error:  # list filters pass unchecked text
            raise ValidationError("请输入正确的金额") from error
        if cents != cents.to_integral_value():
            raise ValueError(f"{value} has more than two places")
        return int(cents)

    def formfield(self, **kwargs: Any) -> Any:
        return super(models.BigIntegerField, self).formfield(
            **{"form_class": MoneyFormField, **kwargs}
        )


class MoneyFormField(forms.DecimalField):
    """An amount in 元 in a form: plain digits with at most two decimals."""

    default_error_messages = {
        "invalid": "请填写金额，例如 12.50：只用半角数字和小数点，不用千分位和科学计数"
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_digits": 14, "decimal_places": 2, **kwargs})

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values:
            return None
        try:
            return parse_amount(str(value).strip())
        except ValueError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error


def build_money_value(amount: Decimal) -> models.Value:
    """Return the amount as an expression for use with F(). A bare Decimal would be interpreted
    as 分.
    """
    return models.Value(amount, output_field=MoneyField())
