"""The SQL conditions of a query, separated by facet, so that a facet can ignore its own filter."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from apps.catalog.indexing.full_text import build_groups_condition
from apps.common.sql import NEVER, Fragment, all_of, any_of, in_list
from apps.pricing.selectors.base_unit_prices import (
    compute_first_shown_above,
    compute_first_shown_from,
)
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import LEVEL_COLUMNS, build_for_sale_conditions
from apps.search.keyword import Concept, get_lexicon, parse_concepts
from apps.search.query import CatalogQuery

IN_STOCK = Fragment("p.stock > p.reserved")
# The last character of Unicode: the upper bound of a prefix.
LAST = "\U0010ffff"
MAX_KEY_DIGITS = 18  # longest number that can be a key; longer ones are names


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions on product `p` and its own price. `base` applies to every facet."""

    base: Fragment
    category: Fragment | None
    brand: Fragment | None
    price: Fragment | None
    attributes: dict[str, Fragment]

    def list_all(self, *, but: str = "") -> Fragment:
        """Return all conditions except those of one facet: category, brand, price or attributes."""
        facet_conditions = {"category": self.category, "brand": self.brand, "price": self.price}
        parts = [
            self.base,
            *(part for name, part in facet_conditions.items() if part is not None and name != but),
        ]
        return all_of(parts if but == "attributes" else [*parts, *self.attributes.values()])


def build_price_expression(context: CatalogueContext) -> str:
    """Return the SQL expression of the customer's own price in 分, based on the joins of
    `price_joins`.
    """
    if not context.sources:
        return "p.market_price"
    return f"COALESCE({', '.join([*_list_prices(context), 'p.market_price'])})"


def build_conditions(
    context: CatalogueContext, query: CatalogQuery, keyword: Fragment | None
) -> Conditions:
    """Return the SQL conditions of a query, kept apart by filter. `keyword` is the result of
    `build_keyword_condition`.
    """
    base = build_for_sale_conditions(context, "p")
    if keyword is not None:
        base.append(keyword)
    if query.excluded:
        lexicon = get_lexicon(context.agreements_token)
        base += [
            _build_excluded_condition(parse_concepts(text, lexicon)) for text in query.excluded
        ]
    if query.image_product_ids is not None:
        base.append(in_list("p.id", query.image_product_ids))
    if query.device_ids:
        base.append(build_device_condition(query.device_ids))
    if query.in_stock:
        base.append(IN_STOCK)
    if query.agreed_only:
        base.append(build_agreed_condition(context))
    if query.base_unit:
        base.append(Fragment("p.base_unit = %s", [query.base_unit]))
    if query.has_base_unit_price_range:
        base.append(build_base_unit_price_range_condition(build_price_expression(context), query))
    category = (
        None
        if query.category is None
        else Fragment(f"p.{LEVEL_COLUMNS[query.category.level]} = %s", [query.category.id])
    )
    return Conditions(
        base=all_of(base),
        category=category,
        brand=_build_brand_condition(query.brands) if query.brands else None,
        price=build_price_range_condition(build_price_expression(context), query)
        if _has_range(query)
        else None,
        attributes={
            name: build_attribute_condition(name, values) for name, values in query.attributes
        },
    )


def build_device_condition(device_ids: Sequence[int]) -> Fragment:
    """Return the condition that product `p` fits one of the devices."""
    devices = in_list("f.device_id", device_ids)
    return Fragment(
        f"p.id IN (SELECT f.product_id FROM finders_devicecompatibility f WHERE {devices.sql})",
        devices.parameters,
    )


def build_keyword_condition(
    groups: Sequence[Sequence[Sequence[str]]], exact_ids: Sequence[int]
) -> Fragment:
    """Return the condition that a product matches, for each group, all tokens of one synonym,
    or is one of the exact ids.
    """
    parts = [in_list("p.id", exact_ids)] if exact_ids else []
    if groups:
        parts.append(build_groups_condition(connection, "p", groups))
    return any_of(parts) if parts else NEVER


def build_token_groups(concepts: Sequence[Concept]) -> list[list[list[str]]]:
    """Return the synonyms of each concept as tokens of the full-text index."""
    return [
        [list(tokens) for tokens in spellings]
        for concept in concepts
        if (spellings := concept.spelling_tokens)
    ]


def _build_excluded_condition(concepts: Sequence[Concept]) -> Fragment:
    """Return the condition that a product does not match all the concepts. The subquery reads the
    full-text index once; a negated match would compute the tokens of every product.
    """
    groups = build_token_groups(concepts)
    if not groups:
        return Fragment("1 = 1")
    matches = build_groups_condition(connection, "x", groups)
    return Fragment(
        f"p.id NOT IN (SELECT x.id FROM catalog_product x WHERE {matches.sql})", matches.parameters
    )


def build_agreed_condition(context: CatalogueContext) -> Fragment:
    """Return the condition that a product has an agreed price of the customer, based on the
    joins of `price_joins`.
    """
    return any_of(Fragment(f"{price} IS NOT NULL") for price in _list_prices(context))


def needs_prices(query: CatalogQuery) -> bool:
    """Return whether the conditions read the customer's own price."""
    return _has_range(query) or query.agreed_only or query.has_base_unit_price_range


def _has_range(query: CatalogQuery) -> bool:
    return query.min_price is not None or query.max_price is not None


def _list_prices(context: CatalogueContext) -> list[str]:
    return [f"i{n}.price" for n in range(len(context.sources))]


def _build_brand_condition(brands: Sequence[str]) -> Fragment:
    """Return the condition that a product has one of the brands, which are given by id or by
    name.
    """
    ids = [
        int(brand)
        for brand in brands
        if brand.isascii() and brand.isdigit() and len(brand) <= MAX_KEY_DIGITS
    ]
    brand_matches = any_of([in_list("b.id", ids), in_list("b.name", brands)])
    return Fragment(
        f"p.brand_id IN (SELECT b.id FROM catalog_brand b WHERE {brand_matches.sql})",
        brand_matches.parameters,
    )


def build_price_range_condition(price: str, query: CatalogQuery) -> Fragment:
    """Return the condition that a price in 分 is in the query's range. Always true without a
    range.
    """
    bounds = [(">=", query.min_price), ("<=", query.max_price)]
    return all_of(
        [
            Fragment(f"{price} {sign} %s", [int(bound * 100)])
            for sign, bound in bounds
            if bound is not None
        ]
    )


def build_base_unit_price_range_condition(price: str, query: CatalogQuery) -> Fragment:
    """Return the condition that the shown price per base unit is in the query's range, for a price
    in 分. All numbers are whole: prices are compared in 1/100,000 元.
    """
    lower, upper = query.min_base_unit_price, query.max_base_unit_price
    bounds = [
        *([] if lower is None else [(">=", compute_first_shown_from(lower))]),
        *([] if upper is None else [("<", compute_first_shown_above(upper))]),
    ]
    return all_of(
        Fragment(
            f"p.contents IS NOT NULL AND {price} * 1000 {sign} %s * CAST(p.contents AS BIGINT)",
            [int(bound * 100_000)],
        )
        for sign, bound in bounds
    )


def build_attribute_condition(name: str, values: Sequence[str]) -> Fragment:
    """Return the condition that an attribute of product `p` has one of the values."""
    if connection.vendor == "postgresql":
        # PostgreSQL estimates @> with the statistics of the column, but knows nothing about the
        # values of ->>: it then reads and sorts all products for 40 rows.
        return any_of(
            Fragment("p.attributes @> %s::jsonb", [json.dumps({name: value}, ensure_ascii=False)])
            for value in values
        )
    value_matches = in_list("CAST(j.value AS TEXT)", values)
    return Fragment(
        "EXISTS (SELECT 1 FROM json_each(p.attributes) j WHERE j.key = %s "
        f"AND {value_matches.sql})",
        [name, *value_matches.parameters],
    )


def build_sound_condition(sound: str) -> Fragment:
    """Return the condition on `p` that a suggestion key of the product starts with the sound."""
    return build_prefix_condition(
        "p.id IN (SELECT s.product_id FROM catalog_suggestterm s WHERE {})", "s.key", sound
    )


def build_prefix_condition(select: str, column: str, prefix: str) -> Fragment:
    """Return the select with the condition that a column starts with a text. It uses an index on
    each database.
    """
    if connection.vendor == "postgresql":
        escaped = prefix.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return Fragment(select.format(f"{column} LIKE %s"), [f"{escaped}%"])
    return Fragment(select.format(f"{column} >= %s AND {column} < %s"), [prefix, prefix + LAST])


def fetch_rows(sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
