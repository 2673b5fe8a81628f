"""The back office of the catalogue: every save goes through a service, so that the next request of a customer shows it."""

from apps.catalog.admin import agreements, inquiries, price_batches, prices, products, scenarios, search, taxonomy

__all__ = ["agreements", "inquiries", "price_batches", "prices", "products", "scenarios", "search", "taxonomy"]
