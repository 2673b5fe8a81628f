"""Data for one-click selection: the purchases of a year, and the freight to the default
address.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Q
from django.utils import timezone

from apps.orders.models import FreightRegion, OrderLine
from apps.org.selectors.addresses import list_usable_addresses
from apps.selection.selectors.selection_sources import MOST_BOUGHT, Bought, FreightTier

if TYPE_CHECKING:
    from apps.org.models import Account

HISTORY = timedelta(days=365)


def bought_in_a_year(actor: Account) -> dict[int, Bought]:
    """Return by product pk the number of orders of the actor and of the enterprise. Only the
    most ordered products. One query.
    """
    of_house = Q(order__enterprise_id=actor.enterprise_id) | Q(order__requester=actor)
    lines = OrderLine.objects.filter(
        of_house, order__submitted_at__gte=timezone.now() - HISTORY
    ).order_by()
    own = Count("order", filter=Q(order__requester=actor))
    ranked = (
        lines.values_list("product_id")
        .annotate(own=own, house=Count("order"))
        .order_by("-own", "-house", "product_id")
    )
    return {pk: Bought(own, house) for pk, own, house in ranked[:MOST_BOUGHT]}


def freight_of_default_address(actor: Account) -> list[FreightTier]:
    """Return the tiers of the freight table for the actor's default address. Falls back to the
    rows without a province. Three queries.
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
