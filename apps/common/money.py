"""Money: Decimal with two places in Python, integer 分 in both databases, because SQLite
compares and sums decimals as floats.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def yuan_text(amount: Decimal) -> str:
    """Return the amount with thousands separators and two places. The sign comes before the ¥."""
    return f"{'-' if amount < 0 else ''}¥{abs(amount):,.2f}"


def yuan(value: Decimal | int | str) -> Decimal:
    """Return the amount in 元 with two places, rounded half-up."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def net_of_tax(amount_incl_tax: Decimal, tax_rate: Decimal) -> Decimal:
    """Return 未税 = 含税/(1+rate) in 元, rounded half-up to 分."""
    return yuan(amount_incl_tax / (1 + tax_rate))


def tax_of(amount_incl_tax: Decimal, tax_rate: Decimal) -> Decimal:
    """Return 税额 = 含税 − 未税 in 元, so that both always add up."""
    return amount_incl_tax - net_of_tax(amount_incl_tax, tax_rate)


def part_of_line(
    unit_price: Decimal, tax_rate: Decimal, *, first: int, last: int
) -> tuple[Decimal, Decimal]:
    """Return (amount, tax) of the pieces of a line after `first` up to `last`, in 元 含税.

    The tax is the difference of two cumulative, rounded taxes, so the parts of a line always add up
    to the tax of the whole line, however it is split.
    """
    before, after = unit_price * first, unit_price * last
    return after - before, tax_of(after, tax_rate) - tax_of(before, tax_rate)


class MoneyField(models.BigIntegerField[Any, Any]):
    """元 as Decimal with two places, stored as integer 分. Sum, Max and comparisons are exact on
    both databases.
    """

    description = "Money in 元, stored in 分"

    def from_db_value(
        self, value: int | Decimal | None, _expression: Expression, _connection: BaseDatabaseWrapper
    ) -> Decimal | None:
        return None if value is None else Decimal(int(value)).scaleb(-2)

    def to_python(self, value: Any) -> Decimal | None:
        if value is None or isinstance(value, Decimal):
            return value
        try:
            return yuan(Decimal(str(value)))
        except ArithmeticError as error:
            raise ValidationError("请输入正确的金额") from error

    def get_prep_value(self, value: Any) -> int | None:
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
        from django import forms

        return super(models.BigIntegerField, self).formfield(
            **{"form_class": forms.DecimalField, "max_digits": 14, "decimal_places": 2, **kwargs}
        )


def money_value(amount: Decimal) -> models.Value:
    """Return the amount as an expression for use with F(). A bare Decimal would be interpreted
    as 分.
    """
    return models.Value(amount, output_field=MoneyField())
