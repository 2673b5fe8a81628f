"""The points for the price of a candidate compare prices per base unit (折合单价)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.catalog.models import Product
from apps.pricing.selectors.offers import Offer
from apps.selection.selectors.products import (
    NEVER_BOUGHT,
    SelectionProduct,
    get_price_and_sales_range,
    score_inputs_of,
)


def build_candidate(price: str, **facts: Any) -> SelectionProduct:
    product = Product(market_price=Decimal(price), **facts)
    offer = Offer(
        product=product,
        visible=True,
        price=Decimal(price),
        market_price=Decimal(price),
        customer_name="",
        customer_code="",
        price_source=None,
        is_priced=True,
        tiers=(),
    )
    return SelectionProduct(offer, frozenset(), "", 1, "中性笔", NEVER_BOUGHT)


@pytest.mark.parametrize(
    ("box_facts", "shares"),
    [
        ({"unit": "盒", "base_unit": "支", "contents": 12}, [1.0, 0.0]),
        ({"unit": "盒"}, [0.0, 1.0]),
    ],
)
def test_a_box_is_the_cheaper_one_per_piece_if_its_contents_are_known(
    box_facts: dict[str, Any], shares: list[float]
) -> None:
    box = build_candidate("21.60", **box_facts)
    single = build_candidate("2.00", unit="支", base_unit="支", contents=1)
    ranges = get_price_and_sales_range([box, single])

    assert [
        score_inputs_of(one, ranges=ranges, stock_share=1.0).price_share for one in (box, single)
    ] == shares
