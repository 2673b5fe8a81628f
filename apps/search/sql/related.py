"""Related products: substitutes, and products of neighbouring categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from apps.common.sql.fragment import Fragment, all_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import for_sale

if TYPE_CHECKING:
    from apps.catalog.models import Product


def related_ids(
    context: CatalogueContext, product: Product, *, limit: int
) -> tuple[list[int], list[int]]:
    """Return the best-selling other products of the same third-level category, and of the other
    categories of the same second level. One query.
    """
    ways = {
        "substitute": Fragment("p.l3_id = %s AND p.id <> %s", [product.l3_id, product.pk]),
        "goes": Fragment("p.l2_id = %s AND p.l3_id <> %s", [product.l2_id, product.l3_id]),
    }
    parts, parameters = [], []
    for kind, way in ways.items():
        where = all_of([way, Fragment("p.stock > p.reserved"), *for_sale(context, "p")])
        parts.append(
            f"SELECT * FROM (SELECT '{kind}' AS kind, p.id FROM catalog_product p WHERE "
            f"{where.sql} "
            f"ORDER BY p.sales_count DESC, p.id LIMIT {limit}) {kind}"
        )
        parameters += where.parameters
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), parameters)
        rows = cursor.fetchall()
    return [pk for kind, pk in rows if kind == "substitute"], [
        pk for kind, pk in rows if kind == "goes"
    ]
