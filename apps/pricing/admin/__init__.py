"""Back office: price lists, agreements and price alarms."""

from apps.office.first_page import WORK_PARTS
from apps.pricing.admin import agreements, price_alarms, price_batches, price_moves, prices

__all__ = [
    "agreements",
    "price_alarms",
    "price_batches",
    "price_moves",
    "prices",
]

WORK_PARTS.add(price_alarms.build_alarms_part)
