"""What may serve instead of a product, or beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from apps.catalog.search.sql.fragment import Fragment, all_of
from apps.catalog.search.sql.visibility import for_sale
from apps.catalog.selectors.context import CatalogueContext

if TYPE_CHECKING:
    from apps.catalog.models import Product


def related_ids(context: CatalogueContext, product: Product, *, limit: int) -> tuple[list[int], list[int]]:
    """Return the best-selling others of the same third-level category, and those beside it in the second-level one. One query."""
    ways = {
        "substitute": Fragment("p.l3_id = %s AND p.id <> %s", [product.l3_id, product.pk]),
        "goes": Fragment("p.l2_id = %s AND p.l3_id <> %s", [product.l2_id, product.l3_id]),
    }
    parts, parameters = [], []
    for kind, way in ways.items():
        where = all_of([way, Fragment("p.stock > p.reserved"), *for_sale(context, "p")])
        parts.append(
            f"SELECT * FROM (SELECT '{kind}' AS kind, p.id FROM catalog_product p WHERE {where.sql} "
            f"ORDER BY p.sales_count DESC, p.id LIMIT {limit}) {kind}"
        )
        parameters += where.parameters
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), parameters)
        rows = cursor.fetchall()
    return [pk for kind, pk in rows if kind == "substitute"], [pk for kind, pk in rows if kind == "goes"]
