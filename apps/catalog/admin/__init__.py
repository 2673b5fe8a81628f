"""The back office of the catalogue: every save goes through a service, so that the next request of a customer shows it."""

from apps.catalog.admin import agreements, prices, products, taxonomy

__all__ = ["agreements", "prices", "products", "taxonomy"]
