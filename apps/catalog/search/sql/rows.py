"""Products as rows of a list need them, read without the ORM's compiler: it would take longer than the database does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection

from apps.catalog.models import Brand, Product
from apps.catalog.search.sql.fragment import Fragment
from apps.catalog.search.sql.visibility import visible
from apps.catalog.selectors.context import CatalogueContext
from apps.common.model_rows import model_rows

# Long texts, and what only the search and the admin read: fetched when touched.
UNREAD = ("description", "search_tokens", "selling_points", "keywords", "model_key", "name_key", "created_at", "updated_at")


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
    """Return the products that meet a condition on `p`, each with its brand's name and `is_visible`. One query.

    `beside` are further attributes by what the SQL calls them, out of `joins`.
    """
    reader = model_rows(Product, "p", without)
    seen = visible(context, "p")
    columns = ", ".join(["b.name", seen.sql, *beside.values(), reader.select])
    sql = f"SELECT {columns} FROM catalog_product p JOIN catalog_brand b ON b.id = p.brand_id {joins.sql} WHERE {where.sql}"
    with connection.cursor() as cursor:
        cursor.execute(sql, [*seen.parameters, *joins.parameters, *where.parameters])
        rows = cursor.fetchall()
    brands: dict[int, Brand] = {}
    found = []
    for brand_name, is_visible, *values in rows:
        product: Any = reader.made(values[len(beside) :])
        if product.brand_id not in brands:
            brands[product.brand_id] = Brand.from_db(connection.alias, ["id", "name"], [product.brand_id, brand_name])
        product.brand = brands[product.brand_id]
        product.is_visible = bool(is_visible)
        for name, value in zip(beside, values, strict=False):
            setattr(product, name, value)
        found.append(product)
    return found
