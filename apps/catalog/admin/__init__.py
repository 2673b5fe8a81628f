"""The back office of the catalogue: every save goes through a service, so that the next request of a customer shows it."""

from apps.catalog.admin import (
    agreements,
    hot_keywords,
    inquiries,
    picture_batches,
    price_alarms,
    price_batches,
    price_moves,
    prices,
    products,
    scenarios,
    search,
    taxonomy,
)
from apps.common.admin.work import work_part

__all__ = [
    "agreements",
    "hot_keywords",
    "inquiries",
    "picture_batches",
    "price_alarms",
    "price_batches",
    "price_moves",
    "prices",
    "products",
    "scenarios",
    "search",
    "taxonomy",
]

work_part(price_alarms.alarms_part)
