"""同事买过 and 常一起买: the purchase history of a product within the company."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Product
from apps.orders.enums import OrderStatus
from apps.orders.models import OrderLine
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, offers_by_code, offers_for

if TYPE_CHECKING:
    from apps.org.models import Account

PERIOD = timedelta(days=365)
MOST_BUYERS = 5
MOST_ORDERS = 200
MOST_TOGETHER = 6
SPARE = 3
# One shared order is no pattern.
OFTEN = 2
CAME_TO_NOTHING = (OrderStatus.REJECTED, OrderStatus.WITHDRAWN, OrderStatus.CANCELLED)


@dataclass(frozen=True, slots=True)
class Buyer:
    """A colleague with the number of orders, the quantity and the last date within a year."""

    name: str
    department: str
    is_self: bool
    times: int
    quantity: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class ProductHistory:
    """The purchases of a year within the actor's data scope. `times` counts orders. `together`
    are products that the enterprise often orders with it.
    """

    times: int
    people: int
    quantity: int
    last_at: datetime | None
    buyers: tuple[Buyer, ...]
    together: tuple[Offer, ...]


def product_history(*, actor: Account, code: str) -> ProductHistory:
    """Return the buyers of the product in the actor's data scope, and the products that the
    enterprise orders with it. At most seven queries.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    context = catalogue_context(actor=actor)
    offer = offers_by_code(context=context, codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    since = timezone.now() - PERIOD
    lines = OrderLine.objects.filter(
        product_id=offer.product.pk, quantity__gt=0, order__submitted_at__gte=since
    )
    lines = lines.exclude(order__status__in=CAME_TO_NOTHING)
    seen = lines.filter(
        scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, prefix="order__", account="requester")
    ).order_by()
    told = seen.aggregate(
        times=Count("order", distinct=True),
        people=Count("order__requester", distinct=True),
        quantity=Sum("quantity"),
        last_at=Max("order__submitted_at"),
    )
    return ProductHistory(
        times=told["times"],
        people=told["people"],
        quantity=told["quantity"] or 0,
        last_at=told["last_at"],
        buyers=_buyers(actor, seen) if told["times"] else (),
        together=_together(actor, context, lines, offer.product),
    )


def _buyers(actor: Account, seen: QuerySet[OrderLine]) -> tuple[Buyer, ...]:
    rows = (
        seen.values(
            person=F("order__requester"),
            nickname=F("order__requester__nickname"),
            department=F("order__requester__department__name"),
        )
        .annotate(
            times=Count("order", distinct=True),
            total=Sum("quantity"),
            last_at=Max("order__submitted_at"),
        )
        .order_by("-last_at", "person")[:MOST_BUYERS]
    )
    return tuple(
        Buyer(
            row["nickname"],
            row["department"] or "",
            row["person"] == actor.pk,
            row["times"],
            row["total"],
            row["last_at"],
        )
        for row in rows
    )


def _together(
    actor: Account, context: CatalogueContext, lines: QuerySet[OrderLine], product: Product
) -> tuple[Offer, ...]:
    """Return the available products that the enterprise's last orders contain beside this
    product.
    """
    of_house = Q(order__enterprise_id=actor.enterprise_id) | Q(order__requester=actor)
    orders = list(
        lines.filter(of_house)
        .order_by("-order__submitted_at")
        .values_list("order_id", flat=True)[:MOST_ORDERS]
    )
    if not orders:
        return ()
    counted = (
        OrderLine.objects.filter(order_id__in=orders)
        .exclude(product_id=product.pk)
        .order_by()
        .values("product_id")
        .annotate(times=Count("order", distinct=True))
        .filter(times__gte=OFTEN)
        .order_by("-times", "product_id")
    )
    offers = offers_for(
        context=context, product_ids=[row["product_id"] for row in counted[: MOST_TOGETHER * SPARE]]
    )
    buyable = [
        offer
        for offer in offers.values()
        if offer.visible and offer.is_on_sale and offer.available >= offer.product.min_quantity
    ]
    return tuple(buyable[:MOST_TOGETHER])
