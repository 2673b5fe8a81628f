"""Orders in the back office."""

from apps.orders.admin import freight, orders, payments, shipments

__all__ = ["freight", "orders", "payments", "shipments"]
