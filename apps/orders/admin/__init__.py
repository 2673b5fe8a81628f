"""Admin pages for orders."""

from apps.orders.admin import orders, payments, shipments

__all__ = ["orders", "payments", "shipments"]
