"""The books of orders: one reading of a batch, many questions to it."""

from apps.orders.selectors.books.checks import order_differences
from apps.orders.selectors.books.requisitions import requisition_differences
from apps.orders.selectors.books.reviews import review_differences
from apps.orders.selectors.books.stock import reserved_differences

__all__ = ["order_differences", "requisition_differences", "reserved_differences", "review_differences"]
