"""All products that a customer can buy, for rankings outside of the database."""

from __future__ import annotations

from django.db import connection

from apps.common.sql.fragment import all_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import for_sale


def sold_categories(context: CatalogueContext) -> dict[int, int]:
    """Return, by product id, the third-level category of each product that a list shows this
    customer. One query.
    """
    where = all_of(for_sale(context, "p"))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT p.id, p.l3_id FROM catalog_product p WHERE {where.sql}", where.parameters
        )
        return dict(cursor.fetchall())
