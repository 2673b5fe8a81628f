"""What a customer's price lists say about products."""

from __future__ import annotations

from decimal import Decimal

from django.db import connection

from apps.catalog.search.sql.fragment import in_list
from apps.common.money import CENT

PriceRow = tuple[int, int, Decimal | None, str, str]


def price_rows(price_list_ids: list[int], product_ids: list[int]) -> list[PriceRow]:
    """Return (price list, product, price in 元 or None, customer's name, customer's code). One query."""
    lists, products = in_list("price_list_id", price_list_ids), in_list("product_id", product_ids)
    columns = "price_list_id, product_id, price, customer_name, customer_code"
    sql = f"SELECT {columns} FROM catalog_pricelistitem WHERE {lists.sql} AND {products.sql}"
    with connection.cursor() as cursor:
        cursor.execute(sql, [*lists.parameters, *products.parameters])
        rows = cursor.fetchall()
    return [
        (held, product, None if cents is None else (Decimal(cents) / 100).quantize(CENT), name, code)
        for held, product, cents, name, code in rows
    ]
