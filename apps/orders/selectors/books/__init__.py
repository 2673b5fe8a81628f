"""Checks of the books of orders. A batch is read once for many checks."""

from apps.orders.selectors.books.checks import order_differences
from apps.orders.selectors.books.requisitions import requisition_differences
from apps.orders.selectors.books.stock import reserved_differences

__all__ = [
    "order_differences",
    "requisition_differences",
    "reserved_differences",
]
