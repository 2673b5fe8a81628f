"""The back office of the catalogue: every save goes through a service, so that the next request of a customer shows it."""

from apps.catalog.admin import agreements, inquiries, price_alarms, price_batches, prices, products, scenarios, search, taxonomy
from apps.common.admin.work import work_part

__all__ = ["agreements", "inquiries", "price_alarms", "price_batches", "prices", "products", "scenarios", "search", "taxonomy"]

work_part(price_alarms.alarms_part)
