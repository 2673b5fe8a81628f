"""Substitutes of a product: other products of its category that agree in the attributes that
matter (替代规则), with the differences named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.db import connection

from apps.catalog.models import Product
from apps.common.quantity import MAX_QUANTITY, get_next_legal_quantity
from apps.common.sql import Fragment
from apps.finders.enums import SubstituteMatch
from apps.pricing.selectors.offers import Offer
from apps.search.sql.conditions import build_attribute_condition

BRAND, PACK = "品牌", "包装规格"
# Joins the rules of a category to one text: 颜色:must;品牌:may.
PAIR_MARK, ROW_MARK = "\x1e", "\x1f"
MAX_DIFFERENCES = 6
AVAILABLE = "(p.stock - p.reserved)"
MISSING = "—"


@dataclass(frozen=True, slots=True)
class Difference:
    """An attribute in which the substitute differs from the product."""

    name: str
    value: str
    own: str


@dataclass(frozen=True, slots=True)
class Substitute(Offer):
    """The offer of a substitute, with its differences. `quantity` is the legal quantity that takes
    the place of the wanted quantity of the product.
    """

    differences: tuple[Difference, ...]
    quantity: int


def build_rules_expression(alias: str) -> str:
    """Return the SQL expression of the rules of a product's category as one text, read with
    `parse_rules`. The deepest category that has rules counts.
    """
    join_function = "string_agg" if connection.vendor == "postgresql" else "group_concat"
    levels = [
        f"(SELECT {join_function}(r.attribute || '{PAIR_MARK}' || r.match, '{ROW_MARK}') "  # noqa: S608
        f"FROM finders_substituterule r WHERE r.category_id = {alias}.{level}_id)"
        for level in ("l3", "l2", "l1")
    ]
    return f"COALESCE({', '.join(levels)}, '')"


def parse_rules(text: str) -> dict[str, str]:
    """Return the rules by attribute: must or may."""
    pairs = (row.partition(PAIR_MARK) for row in text.split(ROW_MARK) if row)
    return {name: match for name, _, match in pairs}


def build_must_conditions(product: Product, rules: Mapping[str, str]) -> list[Fragment]:
    """Return the conditions that product `p` agrees with the product in each attribute that must
    match. An attribute that the product lacks restricts nothing.
    """
    conditions = []
    for name, match in sorted(rules.items()):
        if match != SubstituteMatch.MUST:
            continue
        if name == BRAND:
            conditions.append(Fragment("p.brand_id = %s", [product.brand_id]))
        elif name == PACK:
            conditions.append(Fragment("p.pack = %s", [product.pack]))
        elif value := str(product.attributes.get(name, "")):
            conditions.append(build_attribute_condition(name, [value]))
    return conditions


def build_enough_pieces_condition(product: Product, quantity: int) -> Fragment:
    """Return the SQL condition that the largest legal quantity of product `p` on hand takes the
    place of `quantity` units of the product. Different packs are compared in their base unit, if
    both have the same one.
    """
    contents = product.contents or 1
    on_hand = f"CASE WHEN {AVAILABLE} > {MAX_QUANTITY} THEN {MAX_QUANTITY} ELSE {AVAILABLE} END"
    return Fragment(
        f"{AVAILABLE} >= p.min_quantity "
        f"AND ({on_hand} - ({on_hand} - p.min_quantity) %% p.step_quantity) "
        "* CAST(CASE WHEN p.base_unit = %s AND p.contents > 0 THEN p.contents ELSE %s END "
        "AS BIGINT) >= %s",
        [product.base_unit, contents, quantity * contents],
    )


def build_substitutes(
    product: Product, offers: Sequence[Offer], *, quantity: int = 1
) -> tuple[Substitute, ...]:
    """Return the offers with their differences from the product, and with the quantity that takes
    the place of `quantity` units of it.
    """
    own_facts = _collect_facts(product)
    return tuple(
        Substitute(
            **{field.name: getattr(offer, field.name) for field in fields(Offer)},
            differences=_find_differences(own_facts, _collect_facts(offer.product)),
            quantity=_count_in_units_of(offer.product, product, quantity),
        )
        for offer in offers
    )


def _count_in_units_of(substitute: Any, product: Any, quantity: int) -> int:
    """Return the legal quantity of the substitute for `quantity` units of the product: 24 支 for
    2 盒 of 12. Without a common base unit, one unit takes the place of one.
    """
    pieces = quantity
    if product.contents and substitute.contents and product.base_unit == substitute.base_unit:
        pieces = -(-quantity * product.contents // substitute.contents)
    return get_next_legal_quantity(
        pieces, minimum=substitute.min_quantity, step=substitute.step_quantity
    )


def _collect_facts(product: Any) -> dict[str, str]:
    attributes = {str(name): str(value) for name, value in (product.attributes or {}).items()}
    return {**attributes, PACK: product.pack, BRAND: product.brand.name}


def _find_differences(
    own_facts: Mapping[str, str], substitute_facts: Mapping[str, str]
) -> tuple[Difference, ...]:
    """Return the attributes in which the substitute differs from the product, with both values."""
    names = list(dict.fromkeys([*own_facts, *substitute_facts]))
    return tuple(
        Difference(name, substitute_facts.get(name) or MISSING, own_facts.get(name) or MISSING)
        for name in names
        if substitute_facts.get(name, "") != own_facts.get(name, "")
    )[:MAX_DIFFERENCES]
