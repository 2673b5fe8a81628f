"""All that a customer may buy, for what is ranked outside of the database."""

from __future__ import annotations

from django.db import connection

from apps.catalog.search.sql.fragment import all_of
from apps.catalog.search.sql.visibility import for_sale
from apps.catalog.selectors.context import CatalogueContext


def sold_categories(context: CatalogueContext) -> dict[int, int]:
    """Return the third-level category of each product that a list would show this customer, by the product's id. One query."""
    where = all_of(for_sale(context, "p"))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT p.id, p.l3_id FROM catalog_product p WHERE {where.sql}", where.parameters)
        return dict(cursor.fetchall())
