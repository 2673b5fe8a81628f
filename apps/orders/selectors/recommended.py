"""猜你喜欢 and 常购 from the order history, at the customer's own price (spec section 2: a
frequently-bought list of 6).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q
from django.utils import timezone

from apps.orders.models import Order, OrderLine
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import product_list

if TYPE_CHECKING:
    from apps.org.models import Account

HISTORY = timedelta(days=365)
SPARE = 4
LATELY = 300


def frequently_bought(*, actor: Account, count: int) -> list[Offer]:
    """Return up to `count` available products: those that the actor ordered most often in a
    year, then those of the enterprise.

    Four queries; five with agreements. Only the newest orders count, so the cost does not grow with
    the history.
    """
    own = Count("order", filter=Q(order__requester=actor))
    ranked = (
        OrderLine.objects.filter(order__in=_lately(actor))
        .order_by()
        .values("product_id")
        .annotate(own=own, times=Count("order"), last=Max("order__submitted_at"))
        .order_by("-own", "-times", "-last", "product_id")
    )
    ids = [row["product_id"] for row in ranked[: count * SPARE]]
    offers = offers_for(context=catalogue_context(actor=actor), product_ids=ids)
    return [offer for offer in offers.values() if _can_buy(offer)][:count]


def _lately(actor: Account) -> list[int]:
    """Return the newest orders of a year, the actor's own first, then those of the enterprise.
    Two queries, because each uses its own index.
    """
    orders = (
        Order.objects.filter(submitted_at__gte=timezone.now() - HISTORY)
        .order_by("-submitted_at", "-pk")
        .values_list("pk", flat=True)
    )
    own = list(orders.filter(requester=actor)[:LATELY])
    return own + list(
        orders.filter(enterprise=actor.enterprise_id).exclude(requester=actor)[: LATELY - len(own)]
    )


def you_like(*, actor: Account, count: int) -> list[Offer]:
    """Return `count` products, or fewer if the catalogue has fewer: the frequently bought ones,
    then the best sellers of the actor's catalogue.
    """
    found = frequently_bought(actor=actor, count=count)
    if len(found) < count:
        have = {offer.product.pk for offer in found}
        best = product_list(
            actor=actor, query=CatalogQuery(page_size=20, with_total=False, with_facets=False)
        ).offers
        found += [offer for offer in best if offer.product.pk not in have and _can_buy(offer)][
            : count - len(found)
        ]
    return found


def _can_buy(offer: Offer) -> bool:
    return offer.visible and offer.is_on_sale and offer.available >= offer.product.min_quantity
