"""Check that the reserved stock of each product matches the open orders."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Sum

from apps.catalog.models import Product
from apps.common.books import Difference, in_batches
from apps.orders.models import OrderLine
from apps.orders.selectors.books.checks import HOLDS_NO_BUDGET


def reserved_differences() -> Iterator[Difference]:
    """Yield each product whose 预占 differs from the unshipped quantity of the open orders."""
    for products in in_batches(Product.objects.only("pk", "code", "reserved")):
        open_lines = OrderLine.objects.filter(
            product__in=[product.pk for product in products]
        ).exclude(order__status__in=HOLDS_NO_BUDGET)
        waiting = (
            open_lines.order_by()
            .values_list("product_id")
            .annotate(pieces=Sum(F("quantity") - F("shipped_quantity")))
        )
        pieces = dict(waiting)
        for product in products:
            if product.reserved != pieces.get(product.pk, 0):
                yield Difference(
                    f"商品 {product.code}",
                    "库存预占（按订单）",
                    product.reserved,
                    pieces.get(product.pk, 0),
                )
