"""Back office: price lists, agreements and price alarms."""

from apps.office.first_page import register_work_part
from apps.pricing.admin import agreements, price_alarms, price_batches, price_moves, prices

__all__ = [
    "agreements",
    "price_alarms",
    "price_batches",
    "price_moves",
    "prices",
]

register_work_part(price_alarms.alarms_part)
