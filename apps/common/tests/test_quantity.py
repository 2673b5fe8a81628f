"""Tests of quantities: at least 起订量, then in steps of 增量."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.quantity import (
    MAX_QUANTITY,
    get_last_legal_quantity,
    get_next_legal_quantity,
    is_legal,
)

SMALL = st.integers(1, 500)


@pytest.mark.parametrize(("wish", "legal"), [(1, 10), (10, 10), (11, 15), (15, 15), (16, 20)])
def test_the_next_legal_quantity_is_the_minimum_plus_whole_steps(wish: int, legal: int) -> None:
    assert get_next_legal_quantity(wish, minimum=10, step=5) == legal


@pytest.mark.parametrize(("stock", "legal"), [(9, 0), (10, 10), (14, 10), (15, 15)])
def test_last_legal_quantity_fits_into_the_stock(stock: int, legal: int) -> None:
    assert get_last_legal_quantity(stock, minimum=10, step=5) == legal


@given(wish=st.integers(1, MAX_QUANTITY), minimum=SMALL, step=SMALL)
def test_a_suggestion_is_always_legal(wish: int, minimum: int, step: int) -> None:
    assert is_legal(
        get_next_legal_quantity(wish, minimum=minimum, step=step), minimum=minimum, step=step
    )
