"""运费 and extra days from the freight table: for a checkout, and as an estimate for a product."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.common.compiled_queries import Parameter
from apps.common.money import ZERO
from apps.orders.models import FreightRegion
from apps.org.selectors.addresses import list_usable_addresses
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from apps.selection.selectors.sources import FreightTier

if TYPE_CHECKING:
    from apps.org.models import Account, Address

MAX_ADDRESSES = 50


@dataclass(frozen=True, slots=True)
class Freight:
    """`fee` in 元 含税. `extra_days` are added to the days of the products."""

    fee: Decimal
    extra_days: int


FREE = Freight(ZERO, 0)


def compute_freight(*, province: str, goods_amount: Decimal) -> Freight:
    """Return the freight for goods of this amount to the province. Rows without a province
    apply to all other provinces.
    """
    rows = FreightRegion.objects.filter(province__in=[province, ""], amount_from__lte=goods_amount)
    row = rows.order_by("-province", "-amount_from").first()
    return Freight(row.fee, row.extra_days) if row else FREE


def compute_freights(shipments: Sequence[tuple[str, Decimal]]) -> list[Freight]:
    """Return the freight for each (province, goods amount), in the given order."""
    if not shipments:
        return []
    provinces = {province for province, _ in shipments} | {""}
    largest_amount = max(goods for _, goods in shipments)
    rows = list(
        FreightRegion.objects.filter(
            province__in=provinces, amount_from__lte=largest_amount
        ).order_by("-province", "-amount_from")
    )

    def find_freight(province: str, goods: Decimal) -> Freight:
        """Return fee (元) and extra days for goods of `goods` 元 to the province."""
        row = next(
            (row for row in rows if row.province in (province, "") and row.amount_from <= goods),
            None,
        )
        return Freight(row.fee, row.extra_days) if row else FREE

    return [find_freight(province, goods) for province, goods in shipments]


def with_freight(
    addresses: QuerySet[Address], *, goods_amount: Decimal | Parameter
) -> QuerySet[Address]:
    """Return the addresses with the freight for goods of this amount to each of them. `freight_to`
    reads it. A checkout with one delivery therefore needs no query for its freight.
    """
    rows = FreightRegion.objects.filter(
        Q(province=OuterRef("province")) | Q(province=""), amount_from__lte=goods_amount
    ).order_by("-province", "-amount_from")
    return addresses.annotate(
        freight_fee=Subquery(rows.values("fee")[:1]),
        freight_days=Subquery(rows.values("extra_days")[:1]),
    )


def freight_to(address: Address) -> Freight:
    """Return the freight to an address of `with_freight`."""
    fee: Decimal | None = getattr(address, "freight_fee", None)
    return FREE if fee is None else Freight(fee, getattr(address, "freight_days", 0))


@dataclass(frozen=True, slots=True)
class DeliveryEstimate:
    """The delivery to one address: `days` from today, the freight of a small order in 元, and
    the amount for free freight (None: never free).
    """

    address: Address
    days: int
    arrives_on: date
    fee: Decimal
    free_from: Decimal | None


def list_delivery_estimates(*, actor: Account, code: str) -> list[DeliveryEstimate]:
    """Return the delivery to each address that the actor may use, the default address first. At
    most 50.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    offer = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    addresses = list(list_usable_addresses(actor=actor)[:MAX_ADDRESSES])
    regions = list(
        FreightRegion.objects.filter(
            province__in={"", *(address.province for address in addresses)}
        ).order_by("amount_from")
    )
    today = timezone.localdate()
    return [
        _estimate_delivery(
            address=address, regions=regions, lead_days=offer.product.lead_days, today=today
        )
        for address in addresses
    ]


def _estimate_delivery(
    address: Address, regions: Iterable[FreightRegion], lead_days: int, today: date
) -> DeliveryEstimate:
    """Return days, arrival, fee in 元 and the goods amount from which the freight is free. A row
    for the province comes before the rows for all.
    """
    rows = [row for row in regions if row.province == address.province] or [
        row for row in regions if not row.province
    ]
    first = rows[0] if rows else None
    days = lead_days + (first.extra_days if first else 0)
    fee = first.fee if first else ZERO
    free_from = next((row.amount_from for row in rows if row.fee == ZERO), None) if first else ZERO
    return DeliveryEstimate(
        address=address,
        days=days,
        arrives_on=today + timedelta(days=days),
        fee=fee,
        free_from=free_from,
    )


def list_default_freight_tiers(actor: Account) -> list[FreightTier]:
    """Return the tiers of the freight table for the actor's default address. Falls back to the
    rows without a province.
    """
    default = (
        list_usable_addresses(actor=actor)
        .order_by("-is_default", "pk")
        .values_list("province", flat=True)
        .first()
        or ""
    )
    rows = FreightRegion.objects.filter(province__in=[default, ""]).order_by(
        "province", "amount_from"
    )
    of_region = {name: [row for row in rows if row.province == name] for name in (default, "")}
    return [FreightTier(row.amount_from, row.fee) for row in of_region[default] or of_region[""]]
