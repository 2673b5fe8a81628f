"""The tiers (阶梯价) of a price: from a quantity on, each unit costs less. A price has at most
three, in columns of its row, so that every query that reads the price reads them too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import BaseConstraint, CheckConstraint, F, Q

MAX_TIERS = 3
# The fields of each tier: the first quantity, and the price of a unit.
TIER_FIELDS = tuple((f"tier{n}_quantity", f"tier{n}_price") for n in range(1, MAX_TIERS + 1))
TIER_PRICE_FIELDS = tuple(price for _quantity, price in TIER_FIELDS)
FLAT_TIER_FIELDS = tuple(name for fields in TIER_FIELDS for name in fields)


@dataclass(frozen=True, slots=True)
class PriceTier:
    """From `quantity` units on, each unit costs `price` (元, 含税)."""

    quantity: int
    price: Decimal


def get_tiers(row: Any) -> tuple[PriceTier, ...]:
    """Return the tiers of a row that has the fields of TIER_FIELDS, by quantity."""
    return read_tiers(
        (getattr(row, quantity), getattr(row, price)) for quantity, price in TIER_FIELDS
    )


def read_tiers(pairs: Iterable[tuple[int | None, Decimal | None]]) -> tuple[PriceTier, ...]:
    """Return the tiers of pairs (quantity, price); an incomplete pair is none."""
    return tuple(
        PriceTier(quantity, price)
        for quantity, price in pairs
        if quantity is not None and price is not None
    )


def get_price_at(
    quantity: int, *, price: Decimal | None, tiers: Iterable[PriceTier]
) -> Decimal | None:
    """Return the price of a unit (元, 含税) if `quantity` units are bought."""
    for tier in tiers:
        if quantity >= tier.quantity:
            price = tier.price
    return price


def format_tiers(tiers: Iterable[PriceTier]) -> str:
    """Return the tiers as text: 10 起 ¥9.00，50 起 ¥8.50. Empty without tiers."""
    return "，".join(f"{tier.quantity} 起 ¥{tier.price:,.2f}" for tier in tiers)


def find_tier_problem(row: Any, *, minimum: int = 1) -> tuple[str, str] | None:
    """Return the first field of the tiers of a row that is wrong, with the reason. None if they
    meet `build_tier_constraints`, and the first tier is above the minimum quantity of the product.
    """
    last_quantity, last_price, last = 1, row.price, "协议价"
    is_over = False
    for number, (quantity_field, price_field) in enumerate(TIER_FIELDS, start=1):
        quantity, price = getattr(row, quantity_field), getattr(row, price_field)
        if quantity is None and price is None:
            is_over = True
            continue
        problems = (
            (is_over, quantity_field, f"请先填写阶梯{number - 1}"),
            (quantity is None, quantity_field, f"请填写阶梯{number}数量，或清空它的单价"),
            (price is None, price_field, f"请填写阶梯{number}单价，或清空它的数量"),
            (row.price is None, "price", "填写了阶梯价，协议价不能为空"),
        )
        for is_wrong, field, message in problems:
            if is_wrong:
                return field, message
        if quantity <= last_quantity:
            before = f"大于阶梯{number - 1}数量 {last_quantity}" if number > 1 else "从 2 起"
            return quantity_field, f"阶梯{number}数量须{before}"
        if number == 1 and quantity <= minimum:
            return quantity_field, f"阶梯1数量须大于商品的起订量 {minimum}"
        if not 0 < price <= last_price:
            return price_field, f"阶梯{number}单价须大于 0，且不高于{last} ¥{last_price:,.2f}"
        last_quantity, last_price, last = quantity, price, f"阶梯{number}单价"
    return None


def build_tier_constraints(name: str) -> list[BaseConstraint]:
    """Return the CHECKs of a table with the fields of TIER_FIELDS. A tier is complete and follows
    the tier before it, with a larger quantity and a price that is positive and not higher.
    """
    return [
        CheckConstraint(
            condition=_build_tier_condition(number),
            name=f"{name}_tier{number}_in_order",
            violation_error_message=(
                f"阶梯{number}的数量和价格须同时填写；数量须逐级增加，且从 2 起；"
                "价格须大于 0，且不高于上一级"
            ),
        )
        for number in range(1, MAX_TIERS + 1)
    ]


def _build_tier_condition(number: int) -> Q:
    """Return the condition that a tier is absent, or complete and valid: more than the tier before,
    not more expensive than it, and at least 2 pieces.
    """
    quantity, price = TIER_FIELDS[number - 1]
    quantity_before, price_before = ("", "price") if number == 1 else TIER_FIELDS[number - 2]
    is_absent = Q(**{f"{quantity}__isnull": True, f"{price}__isnull": True})
    is_valid = Q(
        **{
            f"{quantity}__isnull": False,
            f"{price}__isnull": False,
            f"{price_before}__isnull": False,
            f"{price}__gt": 0,
            f"{price}__lte": F(price_before),
            f"{quantity}__gte": 2,
        }
    )
    if quantity_before:
        is_valid &= Q(
            **{f"{quantity_before}__isnull": False, f"{quantity}__gt": F(quantity_before)}
        )
    return is_absent | is_valid
