"""Orders in the back office."""

from apps.orders.admin import freight, orders, payments

__all__ = ["freight", "orders", "payments"]
