"""Admin pages for orders."""

from apps.orders.admin import credit, freight, orders, payments, shipments

__all__ = ["credit", "freight", "orders", "payments", "shipments"]
