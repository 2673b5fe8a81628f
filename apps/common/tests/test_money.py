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
from apps.common.money import (
    MoneyField,
    MoneyFormField,
    build_money_value,
    compute_net,
    compute_tax,
    lower_parts,
    parse_amount,
    parse_cell_amount,
    round_yuan,
    split_amount,
)
from apps.org.models import Enterprise

AMOUNTS = st.decimals("0.01", "9999999.99", places=2)
RATES = st.sampled_from(
    [Decimal("0.13"), Decimal("0.09"), Decimal("0.06"), Decimal("0.03"), Decimal(0)]
)


@given(AMOUNTS, RATES)
def test_net_and_tax_always_sum_to_the_gross(amount: Decimal, rate: Decimal) -> None:
    assert compute_net(amount, rate) + compute_tax(amount, rate) == amount


@given(AMOUNTS)
def test_stored_amount_is_read_back_unchanged(amount: Decimal) -> None:
    field = MoneyField()
    stored = field.get_prep_value(amount)
    assert field.from_db_value(stored, None, None) == amount


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [("2.345", "2.35"), ("2.344", "2.34"), ("-2.345", "-2.35"), ("1", "1.00")],
)
def test_half_a_fen_rounds_up(amount: str, rounded: str) -> None:
    assert str(round_yuan(amount)) == rounded


def test_net_of_113_at_13_percent() -> None:
    assert (
        compute_net(Decimal("113.00"), Decimal("0.13")),
        compute_tax(Decimal("113.00"), Decimal("0.13")),
    ) == (
        Decimal("100.00"),
        Decimal("13.00"),
    )


def test_a_third_place_is_refused_not_rounded() -> None:
    with pytest.raises(ValueError, match="more than two places"):
        MoneyField().get_prep_value(Decimal("1.005"))


def test_text_that_is_not_an_amount_is_refused() -> None:
    with pytest.raises(ValidationError, match="请输入正确的金额"):
        MoneyField().to_python("twelve")


NOT_PLAIN = ["1e5", "1E+5", "１２", "1_0", "+2", "NaN", "Infinity", ".5", "5.", "", "0x1", "1 2"]


@pytest.mark.parametrize("text", [*NOT_PLAIN, "1,200", " 1", "¥1"])
def test_amount_with_characters_beyond_plain_digits_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="plain digits"):
        parse_amount(text)


@pytest.mark.parametrize("text", [*NOT_PLAIN[:-3], "1,200", "12.505", "1000000000000"])
def test_a_form_takes_plain_digits_with_two_decimals(text: str) -> None:
    with pytest.raises(ValidationError):
        MoneyFormField().clean(text)


def test_a_form_forgives_spaces_around_an_amount() -> None:
    assert MoneyFormField().clean(" 999999999999.99 ") == Decimal("999999999999.99")


@pytest.mark.parametrize(
    ("cell", "amount"),
    [
        ("12.5", "12.50"),
        ("¥1,234,567.80", "1234567.80"),
        ("￥ 12", "12.00"),
        ("0.30000000000000004", "0.30"),
        ("-3", "-3.00"),
    ],
)
def test_a_cell_may_show_an_amount_as_a_spreadsheet_does(cell: str, amount: str) -> None:
    assert str(parse_cell_amount(cell)) == amount


@pytest.mark.parametrize("cell", [*NOT_PLAIN, "12,5", "1,2345", "1,,200", "1.234", "¥¥1"])
def test_cell_with_text_is_refused_as_an_amount(cell: str) -> None:
    with pytest.raises(ValueError, match="金额"):
        parse_cell_amount(cell)


def test_ten_database_additions_of_a_tenth_equal_one(enterprise: Enterprise) -> None:
    make_budget(enterprise=enterprise, amount="0.10")
    for _ in range(9):
        Budget.objects.update(amount=F("amount") + build_money_value(Decimal("0.10")))
    assert Budget.objects.aggregate(total=Sum("amount"), most=Max("amount")) == {
        "total": Decimal("1.00"),
        "most": Decimal("1.00"),
    }


def test_amounts_compare_by_value_not_by_text(enterprise: Enterprise) -> None:
    make_budget(enterprise=enterprise, amount="9.00")
    assert Budget.objects.filter(amount__lt=Decimal("10.00"), amount__gte=9).exists()


@given(
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 1000)), min_size=1, max_size=5),
    st.data(),
)
def test_lower_parts_sum_to_the_total_and_none_grows(
    rows: list[tuple[int, int]], data: st.DataObject
) -> None:
    parts = [Decimal(cents) / 100 for cents, _ in rows]
    weights = [Decimal(weight) / 10 for _, weight in rows]
    total = Decimal(data.draw(st.integers(0, sum(cents for cents, _ in rows)))) / 100
    lowered = lower_parts(parts, total=total, weights=weights)
    assert sum(lowered) == total
    assert all(0 <= new <= old for new, old in zip(lowered, parts, strict=True))


def test_rounding_cent_stays_with_its_part() -> None:
    parts = [Decimal(text) for text in ("4.99", "4.99", "0.02")]
    weights = [Decimal(text) for text in ("49.9", "49.9", "0.2")]
    assert split_amount(Decimal("9.99"), weights)[-1] == Decimal("0.03")
    assert lower_parts(parts, total=Decimal("9.99"), weights=weights) == [
        Decimal("4.98"),
        Decimal("4.99"),
        Decimal("0.02"),
    ]


def test_lower_parts_refuse_a_higher_total() -> None:
    with pytest.raises(ValueError, match="above"):
        lower_parts([Decimal("1.00")], total=Decimal("1.01"), weights=[Decimal(1)])
