"""Orders in the back office."""

from apps.common.admin.work import work_part
from apps.orders.admin import credit, freight, orders, payments, review_work, reviews, shipments

__all__ = ["credit", "freight", "orders", "payments", "review_work", "reviews", "shipments"]

work_part(review_work.reviews_part)
