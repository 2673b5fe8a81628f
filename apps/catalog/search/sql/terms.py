"""What a customer's price lists say about products: one LEFT JOIN per list, four times faster than LATERAL (catalogue.md)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from apps.catalog.search.sql.fragment import Fragment
from apps.catalog.selectors.context import CatalogueContext
from apps.common.money import CENT

# Price in 元 or None, the customer's name, his code; "" where he has none.
ListTerms = tuple[Decimal | None, str, str]
WIDTH = 3


def price_joins(context: CatalogueContext) -> Fragment:
    """Return the joins of the lists as i0, i1, …, the one that decides first, on the product `p`."""
    joins = (
        f"LEFT JOIN catalog_pricelistitem i{n} ON i{n}.price_list_id = %s AND i{n}.product_id = p.id" for n in range(len(context.sources))
    )
    return Fragment(" ".join(joins), list(context.price_list_ids))


def terms_columns(context: CatalogueContext) -> list[str]:
    """Return what to select over `price_joins`, WIDTH columns for each list."""
    return [f"i{n}.{name}" for n in range(len(context.sources)) for name in ("price", "customer_name", "customer_code")]


def list_terms(values: Sequence[Any]) -> tuple[ListTerms, ...]:
    """Return the terms of each list out of the values of `terms_columns`."""
    found = []
    for at in range(0, len(values), WIDTH):
        cents, name, code = values[at : at + WIDTH]
        found.append((None if cents is None else (Decimal(cents) / 100).quantize(CENT), name or "", code or ""))
    return tuple(found)
