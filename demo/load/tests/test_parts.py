"""The parts of the demo that follow the orders."""

from __future__ import annotations

import random
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from apps.catalog.models import Product
from apps.pricing.models.tiers import PriceTier
from apps.pricing.selectors.offers import Offer
from demo.load.history import scale_to_floor
from demo.load.parts import DEMO_PARTS, DemoPart


def draw(_now: datetime, chance: random.Random) -> str:
    return str(chance.randrange(10**9))


def test_a_basket_is_scaled_until_it_is_worth_the_floor_at_its_tiers() -> None:
    """10 × ¥10.00 would be ¥100.00 without the tier; at ¥8.00 it takes 13 units."""
    offer = Offer(
        product=Product(pk=1),
        visible=True,
        price=Decimal("10.00"),
        market_price=Decimal("10.00"),
        customer_name="",
        customer_code="",
        price_source=None,
        is_priced=True,
        tiers=(PriceTier(10, Decimal("8.00")),),
    )

    assert scale_to_floor({1: 1}, offers=[offer], floor=100) == {1: 13}
    assert scale_to_floor({1: 1}, offers=[offer], floor=50) == {1: 6}
    assert scale_to_floor({1: 2}, offers=[offer], floor=0) == {1: 2}


def test_facts_are_built_after_all_other_parts() -> None:
    assert DEMO_PARTS[-1].title == "报表"


def test_each_part_has_its_own_random_numbers() -> None:
    now = timezone.now()
    alone = DemoPart("取消", draw).run(now=now)

    first, second = (DemoPart(title, draw).run(now=now) for title in ("取消", "退货"))

    assert first == alone != second
