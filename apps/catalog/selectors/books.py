"""The reconciliation of stock: stock and reserved quantity of each product equal the sums of
its movements and are not negative.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Sum

from apps.catalog.models import Product, StockMovement
from apps.common.books import Difference, iterate_batches

Kind = StockMovement.Kind
# The sign with which a movement of a kind changes the stock and the reserved quantity.
STOCK_SIGNS = {Kind.RECEIVE: 1, Kind.ADJUST: 1, Kind.RETURN: 1, Kind.SHIP: -1}
RESERVED_SIGNS = {Kind.RESERVE: 1, Kind.RELEASE: -1, Kind.SHIP: -1}


def list_stock_differences() -> Iterator[Difference]:
    """Yield each product whose 库存 or 预占 differs from the sum of its movements, or whose
    reserved quantity exceeds its stock.
    """
    for products in iterate_batches(Product.objects.only("pk", "code", "stock", "reserved")):
        moved_by_product: defaultdict[int, dict[str, int]] = defaultdict(dict)
        rows = StockMovement.objects.filter(
            product__in=[product.pk for product in products]
        ).order_by()
        for product_id, kind, pieces in rows.values_list("product_id", "kind").annotate(
            pieces=Sum("quantity")
        ):
            moved_by_product[product_id][kind] = pieces
        for product in products:
            sums, subject = moved_by_product[product.pk], f"商品 {product.code}"
            expected_stock = sum(sign * sums.get(kind, 0) for kind, sign in STOCK_SIGNS.items())
            expected_reserved = sum(
                sign * sums.get(kind, 0) for kind, sign in RESERVED_SIGNS.items()
            )
            if product.stock != expected_stock:
                yield Difference(subject, "库存", product.stock, expected_stock)
            if product.reserved != expected_reserved:
                yield Difference(subject, "库存预占", product.reserved, expected_reserved)
            if product.stock < product.reserved or product.reserved < 0:
                yield Difference(subject, "可用库存", product.stock - product.reserved, "不小于 0")
