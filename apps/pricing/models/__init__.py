"""Price lists, assortments, agreements, price batches, price moves and price alarms."""

from apps.pricing.models.agreement import Agreement, Assortment, AssortmentRule, CustomerAgreement
from apps.pricing.models.own import OwnName
from apps.pricing.models.price import PriceList, PriceListItem
from apps.pricing.models.price_alarm import PriceAlarm
from apps.pricing.models.price_batch import PriceBatch, PriceBatchRow
from apps.pricing.models.price_move import PriceMove
from apps.pricing.models.version import AgreementsVersion

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
