"""A query's conditions, kept apart by facet, so that a facet can leave out its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection

from apps.catalog.search.query import CatalogQuery
from apps.catalog.search.sql.fragment import NEVER, Fragment, all_of, any_of, in_list
from apps.catalog.search.sql.full_text import has_tokens
from apps.catalog.search.sql.visibility import LEVEL_COLUMNS, for_sale
from apps.catalog.selectors.context import CatalogueContext

MOST_DIGITS = 18  # of a key; longer ones are names


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions on product `p` and its own price; `base` holds for every facet."""

    base: Fragment
    category: Fragment | None
    brand: Fragment | None
    price: Fragment | None
    attributes: dict[str, Fragment]

    def all(self, *, but: str = "") -> Fragment:
        """Return all conditions, without those of one facet: category, brand, price or attributes."""
        named = {"category": self.category, "brand": self.brand, "price": self.price}
        parts = [self.base, *(part for name, part in named.items() if part is not None and name != but)]
        return all_of(parts if but == "attributes" else [*parts, *self.attributes.values()])


def price_expression(context: CatalogueContext) -> str:
    """Return the customer's own price in 分, over the joins of `price_joins`."""
    if not context.sources:
        return "p.market_price"
    return f"COALESCE({', '.join([*_list_prices(context), 'p.market_price'])})"


def conditions(context: CatalogueContext, query: CatalogQuery, keyword: Fragment | None) -> Conditions:
    """Return the conditions of a query; `keyword` is what `keyword_condition` made of its keyword."""
    base = for_sale(context, "p")
    if keyword is not None:
        base.append(keyword)
    if query.in_stock:
        base.append(Fragment("p.stock > p.reserved"))
    if query.agreed_only:
        base.append(any_of(Fragment(f"{price} IS NOT NULL") for price in _list_prices(context)))
    category = None if query.category is None else Fragment(f"p.{LEVEL_COLUMNS[query.category.level]} = %s", [query.category.id])
    return Conditions(
        base=all_of(base),
        category=category,
        brand=_brand(query.brands) if query.brands else None,
        price=_price_range(context, query.min_price, query.max_price),
        attributes={name: _attribute(name, values) for name, values in query.attributes},
    )


def keyword_condition(tokens: Sequence[str], exact_ids: Sequence[int]) -> Fragment:
    """Return the condition that a product has all tokens, or is one of those found by its exact code or name."""
    parts = [in_list("p.id", exact_ids)] if exact_ids else []
    if tokens:
        parts.append(has_tokens(connection, "p", tokens))
    return any_of(parts) if parts else NEVER


def needs_prices(query: CatalogQuery) -> bool:
    """Whether the conditions read the customer's own price."""
    return query.min_price is not None or query.max_price is not None or query.agreed_only


def _list_prices(context: CatalogueContext) -> list[str]:
    return [f"i{n}.price" for n in range(len(context.sources))]


def _brand(brands: Sequence[str]) -> Fragment:
    ids = [int(brand) for brand in brands if brand.isascii() and brand.isdigit() and len(brand) <= MOST_DIGITS]
    named = any_of([in_list("b.id", ids), in_list("b.name", brands)])
    return Fragment(f"p.brand_id IN (SELECT b.id FROM catalog_brand b WHERE {named.sql})", named.parameters)


def _price_range(context: CatalogueContext, lower: Decimal | None, upper: Decimal | None) -> Fragment | None:
    bounds = [(">=", lower), ("<=", upper)]
    parts = [Fragment(f"{price_expression(context)} {sign} %s", [int(bound * 100)]) for sign, bound in bounds if bound is not None]
    return all_of(parts) if parts else None


def _attribute(name: str, values: Sequence[str]) -> Fragment:
    if connection.vendor == "postgresql":
        wanted = in_list("p.attributes ->> %s", values)
        return Fragment(wanted.sql, [name, *wanted.parameters])
    wanted = in_list("CAST(j.value AS TEXT)", values)
    return Fragment(f"EXISTS (SELECT 1 FROM json_each(p.attributes) j WHERE j.key = %s AND {wanted.sql})", [name, *wanted.parameters])
