"""Read products for lists. Bypasses the ORM's query compiler, which would take longer than the
database.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import DEFAULT_DB_ALIAS

from apps.catalog.models import Brand, Product
from apps.common.model_rows import model_rows
from apps.common.prepared_rows import fetch_prepared
from apps.common.sql.fragment import Fragment
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.terms import list_terms, own_columns, own_join, price_joins, terms_columns
from apps.pricing.sql.visibility import visible

# Deferred fields: long texts, and fields that only the search and the admin read.
UNREAD = (
    "description",
    "search_tokens",
    "selling_points",
    "keywords",
    "attributes",
    "model_key",
    "name_key",
    "created_at",
    "updated_at",
)


NOTHING: Mapping[str, str] = {}
NO_JOINS = Fragment("")


def product_rows(
    context: CatalogueContext,
    where: Fragment,
    *,
    joins: Fragment = NO_JOINS,
    beside: Mapping[str, str] = NOTHING,
    without: tuple[str, ...] = UNREAD,
) -> list[Any]:
    """Return the products that meet a condition on `p`. Each has its brand, `is_visible`,
    `own_words` (the group's name and code) and `list_terms`. One query.

    `beside` maps names of further attributes to SQL expressions, which may use `joins`.
    """
    reader = model_rows(Product, "p", without)
    seen, prices, terms = visible(context, "p"), price_joins(context), terms_columns(context)
    own = own_join(context)
    columns = ", ".join(
        ["b.name", seen.sql, *own_columns(context), *beside.values(), *terms, reader.select]
    )
    tables = (
        f"catalog_product p JOIN catalog_brand b ON b.id = p.brand_id "
        f"{joins.sql} {prices.sql} {own.sql}"
    )
    rows = fetch_prepared(
        f"SELECT {columns} FROM {tables} WHERE {where.sql}",
        [
            *seen.parameters,
            *joins.parameters,
            *prices.parameters,
            *own.parameters,
            *where.parameters,
        ],
    )
    begin = len(beside) + len(terms)
    brands: dict[int, Brand] = {}
    found = []
    for brand_name, is_visible, own_name, own_code, *values in rows:
        product: Any = reader.hydrate(values[begin:])
        if product.brand_id not in brands:
            brands[product.brand_id] = Brand.from_db(
                DEFAULT_DB_ALIAS, ["id", "name"], [product.brand_id, brand_name]
            )
        product._state.fields_cache["brand"] = brands[product.brand_id]
        product.is_visible = bool(is_visible)
        product.own_words = (own_name or "", own_code or "")
        product.list_terms = list_terms(values[len(beside) : begin])
        for name, value in zip(beside, values, strict=False):
            setattr(product, name, value)
        found.append(product)
    return found
