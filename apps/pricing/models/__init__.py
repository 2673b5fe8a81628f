"""Price lists, assortments, agreements, price batches, price moves and price alarms."""

from apps.pricing.models.agreement import (
    Agreement,
    AgreementsVersion,
    Assortment,
    AssortmentRule,
    CustomerAgreement,
)
from apps.pricing.models.price import OwnName, PriceList, PriceListItem
from apps.pricing.models.price_change import PriceAlarm, PriceBatch, PriceBatchRow, PriceMove

__all__ = [
    "Agreement",
    "AgreementsVersion",
    "Assortment",
    "AssortmentRule",
    "CustomerAgreement",
    "OwnName",
    "PriceAlarm",
    "PriceBatch",
    "PriceBatchRow",
    "PriceList",
    "PriceListItem",
    "PriceMove",
]
