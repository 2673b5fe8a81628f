"""Money is exact on both databases."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db.models import F, Max, Sum
from hypothesis import given
from hypothesis import strategies as st

from apps.budgets.models import Budget
from apps.budgets.tests.factories import make_budget
from apps.common.money import MoneyField, money_value, net_of_tax, tax_of, yuan
from apps.org.models import Enterprise

AMOUNTS = st.decimals("0.01", "9999999.99", places=2)
RATES = st.sampled_from(
    [Decimal("0.13"), Decimal("0.09"), Decimal("0.06"), Decimal("0.03"), Decimal(0)]
)


@given(AMOUNTS, RATES)
def test_net_and_tax_always_sum_to_the_gross(amount: Decimal, rate: Decimal) -> None:
    assert net_of_tax(amount, rate) + tax_of(amount, rate) == amount


@given(AMOUNTS)
def test_what_is_stored_is_read_again(amount: Decimal) -> None:
    field = MoneyField()
    stored = field.get_prep_value(amount)
    assert field.from_db_value(stored, None, None) == amount


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [("2.345", "2.35"), ("2.344", "2.34"), ("-2.345", "-2.35"), ("1", "1.00")],
)
def test_half_a_fen_rounds_up(amount: str, rounded: str) -> None:
    assert str(yuan(amount)) == rounded


def test_net_of_113_at_13_percent() -> None:
    assert (
        net_of_tax(Decimal("113.00"), Decimal("0.13")),
        tax_of(Decimal("113.00"), Decimal("0.13")),
    ) == (
        Decimal("100.00"),
        Decimal("13.00"),
    )


def test_a_third_place_is_refused_not_rounded() -> None:
    with pytest.raises(ValueError, match="more than two places"):
        MoneyField().get_prep_value(Decimal("1.005"))


def test_what_is_no_amount_is_refused() -> None:
    with pytest.raises(ValidationError, match="请输入正确的金额"):
        MoneyField().to_python("twelve")


def test_a_tenth_added_up_ten_times_is_one(enterprise: Enterprise) -> None:
    make_budget(enterprise=enterprise, amount="0.10")
    for _ in range(9):
        Budget.objects.update(amount=F("amount") + money_value(Decimal("0.10")))
    assert Budget.objects.aggregate(total=Sum("amount"), most=Max("amount")) == {
        "total": Decimal("1.00"),
        "most": Decimal("1.00"),
    }


def test_amounts_compare_by_value_not_by_text(enterprise: Enterprise) -> None:
    make_budget(enterprise=enterprise, amount="9.00")
    assert Budget.objects.filter(amount__lt=Decimal("10.00"), amount__gte=9).exists()
