"""送达: the delivery time and freight of a product to each address of the actor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.common.money import ZERO
from apps.orders.models import FreightRegion
from apps.org.selectors.addresses import list_usable_addresses
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account, Address

MOST_ADDRESSES = 50


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery to one address: `days` from today, the freight of a small order in 元, and
    the amount for free freight (None: never free).
    """

    address: Address
    days: int
    arrives_on: date
    fee: Decimal
    free_from: Decimal | None


def deliveries(*, actor: Account, code: str) -> list[Delivery]:
    """Return the delivery to each address that the actor may use, the default address first. At
    most 50. Five queries.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    addresses = list(list_usable_addresses(actor=actor)[:MOST_ADDRESSES])
    regions = list(
        FreightRegion.objects.filter(
            province__in={"", *(address.province for address in addresses)}
        ).order_by("amount_from")
    )
    today = timezone.localdate()
    return [_delivery(address, regions, offer.product.lead_days, today) for address in addresses]


def _delivery(
    address: Address, regions: Iterable[FreightRegion], lead_days: int, today: date
) -> Delivery:
    rows = [row for row in regions if row.province == address.province] or [
        row for row in regions if not row.province
    ]
    first = rows[0] if rows else None
    days = lead_days + (first.extra_days if first else 0)
    fee = first.fee if first else ZERO
    free_from = next((row.amount_from for row in rows if row.fee == ZERO), None) if first else ZERO
    return Delivery(address, days, today + timedelta(days=days), fee, free_from)
