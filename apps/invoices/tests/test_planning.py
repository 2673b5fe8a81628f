"""Tests of the amounts of planned quantities. However a line is split, the taxes of its parts
add up to the line's tax.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, compute_tax
from apps.invoices.planning import MAX_INVOICES, Item, PlanRules, plan_invoices


def build_item(
    quantity: int, price: str, *, order: int = 1, line: int = 1, title: int = 1, rate: str = "0.13"
) -> Item:
    return Item(
        order,
        f"SO{order}",
        line,
        title,
        "中性笔",
        "",
        "支",
        "1" * 19,
        Decimal(rate),
        Decimal(price),
        quantity,
    )


def list_amounts(*items: Item, **rules: object) -> list[str]:
    return [str(invoice.amount) for invoice in plan_invoices(items, PlanRules(**rules))]


def test_merged_lines_form_one_invoice() -> None:
    assert list_amounts(
        build_item(1, "10.00"), build_item(2, "5.00", order=2, line=2, rate="0.06")
    ) == ["20.00"]


def test_parted_by_order() -> None:
    assert list_amounts(
        build_item(1, "10.00"), build_item(2, "5.50", order=2, line=2), grouping="by_order"
    ) == [
        "10.00",
        "11.00",
    ]


def test_parted_by_rate() -> None:
    items = (
        build_item(1, "10.00"),
        build_item(2, "5.50", line=2, rate="0.06"),
        build_item(1, "1.00", line=3),
    )
    assert list_amounts(*items, is_split_by_rate=True) == ["11.00", "11.00"]


def test_always_parted_by_title() -> None:
    assert list_amounts(build_item(1, "10.00"), build_item(1, "3.00", line=2, title=2)) == [
        "10.00",
        "3.00",
    ]


def test_a_limit_parts_a_line_by_whole_pieces() -> None:
    assert list_amounts(build_item(7, "30.00"), limit=Decimal("100.00")) == [
        "90.00",
        "90.00",
        "30.00",
    ]


def test_a_piece_beyond_the_limit_is_refused() -> None:
    with pytest.raises(ValidationFailed, match="请调高单张限额"):
        list_amounts(build_item(1, "100.01"), limit=Decimal("100.00"))


@given(
    st.integers(1, 500),
    st.integers(1, 99_999),
    st.sampled_from(["0.13", "0.09", "0.06", "0.01"]),
    st.integers(1, 20),
)
def test_any_parts_sum_to_the_line(quantity: int, cents: int, rate: str, pieces: int) -> None:
    price = Decimal(cents) / 100
    planned = plan_invoices(
        [build_item(quantity, str(price), rate=rate)], PlanRules(limit=price * pieces)
    )

    assert sum((invoice.amount for invoice in planned), ZERO) == price * quantity
    assert sum((invoice.tax for invoice in planned), ZERO) == compute_tax(
        price * quantity, Decimal(rate)
    )
    assert all(invoice.amount <= price * pieces for invoice in planned)


def test_a_small_limit_does_not_make_invoices_without_end() -> None:
    assert len(list_amounts(build_item(MAX_INVOICES, "0.60"), limit=Decimal("1.00"))) == 2000
    with pytest.raises(ValidationFailed, match="2000 张以上"):
        list_amounts(build_item(999_999, "0.60"), limit=Decimal("1.00"))
