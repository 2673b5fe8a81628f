"""Purchase history: 同事买过, 常一起买, 常购, 猜你喜欢, and the purchases that the search and the
selection use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Product
from apps.inquiries.selectors import LastPrice
from apps.orders.enums import ENDED_UNSHIPPED, PURCHASED
from apps.orders.models import Order, OrderLine
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers, get_offers_by_code
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import product_list
from apps.search.selectors.suggestions import HotPeriod
from apps.selection.selectors.sources import MAX_PRODUCTS_BOUGHT, Purchases

if TYPE_CHECKING:
    from apps.org.models import Account

HISTORY = timedelta(days=365)
MAX_CATEGORIES = 50
MAX_BUYERS = 5
MAX_ORDERS = 200
MAX_TOGETHER = 6
TOGETHER_SPARE = 3
# One shared order is not a pattern.
MIN_SHARED_ORDERS = 2

FREQUENT_SPARE = 4
MAX_RECENT_ORDERS = 300
MAX_RECENT_LINES = 300


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


@dataclass(frozen=True, slots=True)
class PurchaseHabits:
    """What the actor and the enterprise order. `products` as `list_frequently_bought` returns them.
    `categories` are first-level ids, by their share of the newest order lines, largest first.
    """

    products: list[Offer]
    categories: list[int]


def get_product_history(*, actor: Account, code: str) -> ProductHistory:
    """Return the buyers of the product in the actor's data scope, and the products that the
    enterprise orders with it.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    context = get_catalogue_context(actor=actor)
    offer = get_offers_by_code(context=context, codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    since = timezone.now() - HISTORY
    lines = OrderLine.objects.filter(
        product_id=offer.product.pk, quantity__gt=0, order__submitted_at__gte=since
    )
    lines = lines.exclude(order__status__in=ENDED_UNSHIPPED)
    visible_lines = lines.filter(
        scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, prefix="order__", account="requester")
    ).order_by()
    totals = visible_lines.aggregate(
        times=Count("order", distinct=True),
        people=Count("order__requester", distinct=True),
        quantity=Sum("quantity"),
        last_at=Max("order__submitted_at"),
    )
    return ProductHistory(
        times=totals["times"],
        people=totals["people"],
        quantity=totals["quantity"] or 0,
        last_at=totals["last_at"],
        buyers=_list_buyers(actor, visible_lines) if totals["times"] else (),
        together=_list_bought_together(
            actor=actor, context=context, lines=lines, product=offer.product
        ),
    )


def _list_buyers(actor: Account, visible_lines: QuerySet[OrderLine]) -> tuple[Buyer, ...]:
    """Return who bought the product, the most recent first, at most MAX_BUYERS."""
    rows = (
        visible_lines.values(
            person=F("order__requester"),
            nickname=F("order__requester__nickname"),
            department=F("order__requester__department__name"),
        )
        .annotate(
            times=Count("order", distinct=True),
            total=Sum("quantity"),
            last_at=Max("order__submitted_at"),
        )
        .order_by("-last_at", "person")[:MAX_BUYERS]
    )
    return tuple(
        Buyer(
            name=row["nickname"],
            department=row["department"] or "",
            is_self=row["person"] == actor.pk,
            times=row["times"],
            quantity=row["total"],
            last_at=row["last_at"],
        )
        for row in rows
    )


def _list_bought_together(
    actor: Account, context: CatalogueContext, lines: QuerySet[OrderLine], product: Product
) -> tuple[Offer, ...]:
    """Return the products that the enterprise's last orders of this product also contain and that
    the actor can buy now, the most frequent first. `lines` are the order lines of this product.
    """
    of_enterprise_or_actor = Q(order__enterprise_id=actor.enterprise_id) | Q(order__requester=actor)
    orders = list(
        lines.filter(of_enterprise_or_actor)
        .order_by("-order__submitted_at")
        .values_list("order_id", flat=True)[:MAX_ORDERS]
    )
    if not orders:
        return ()
    order_counts = (
        OrderLine.objects.filter(order_id__in=orders)
        .exclude(product_id=product.pk)
        .order_by()
        .values("product_id")
        .annotate(times=Count("order", distinct=True))
        .filter(times__gte=MIN_SHARED_ORDERS)
        .order_by("-times", "product_id")
    )
    offers = get_offers(
        context=context,
        product_ids=[row["product_id"] for row in order_counts[: MAX_TOGETHER * TOGETHER_SPARE]],
    )
    buyable = [
        offer
        for offer in offers.values()
        if offer.visible and offer.is_on_sale and offer.available >= offer.product.min_quantity
    ]
    return tuple(buyable[:MAX_TOGETHER])


def count_yearly_purchases(actor: Account) -> dict[int, Purchases]:
    """Return by product pk the number of orders of the actor and of the enterprise. Only the
    most ordered products.
    """
    of_enterprise_or_actor = Q(order__enterprise_id=actor.enterprise_id) | Q(order__requester=actor)
    lines = OrderLine.objects.filter(
        of_enterprise_or_actor, order__submitted_at__gte=timezone.now() - HISTORY
    ).order_by()
    own_orders = Count("order", filter=Q(order__requester=actor))
    products_by_orders = (
        lines.values_list("product_id")
        .annotate(own=own_orders, all_orders=Count("order"))
        .order_by("-own", "-all_orders", "product_id")
    )
    return {
        pk: Purchases(own_count, all_count)
        for pk, own_count, all_count in products_by_orders[:MAX_PRODUCTS_BOUGHT]
    }


def list_ordered_categories(period: HotPeriod) -> list[tuple[str, int]]:
    """Return (third-level category, number of orders with it) of the group, most ordered first."""
    lines = OrderLine.objects.filter(
        group_id=period.group_id,
        order__submitted_at__gte=period.begin,
        order__submitted_at__lte=period.end,
    )
    order_counts = (
        lines.order_by()
        .values_list("product__l3__name")
        .annotate(orders=Count("order", distinct=True))
    )
    return list(order_counts.order_by("-orders", "product__l3__name")[:MAX_CATEGORIES])


def list_frequently_bought(*, actor: Account, count: int) -> list[Offer]:
    """Return up to `count` available products: those that the actor ordered most often in a
    year, then those of the enterprise. Only the newest orders count, so the cost does not grow with
    the history.
    """
    return get_purchase_habits(actor=actor, count=count).products


def get_purchase_habits(*, actor: Account, count: int) -> PurchaseHabits:
    """Return up to `count` products of `list_frequently_bought`, and the categories of the same
    orders.
    """
    own_orders = Count("order", filter=Q(order__requester=actor))
    products_by_orders = list(
        OrderLine.objects.filter(order__in=_list_recent_order_ids(actor))
        .order_by()
        .values("product_id", "product__l1")
        .annotate(own=own_orders, times=Count("order"), last=Max("order__submitted_at"))
        .order_by("-own", "-times", "-last", "product_id")
    )
    ids = [row["product_id"] for row in products_by_orders[: count * FREQUENT_SPARE]]
    offers = get_offers(context=get_catalogue_context(actor=actor), product_ids=ids)
    times_by_category: Counter[int] = Counter()
    for row in products_by_orders:
        times_by_category[row["product__l1"]] += row["times"]
    return PurchaseHabits(
        products=[offer for offer in offers.values() if _can_buy(offer)][:count],
        categories=[category_id for category_id, _ in times_by_category.most_common()],
    )


def _list_recent_order_ids(actor: Account) -> list[int]:
    """Return the newest orders of a year, the actor's own first, then those of the enterprise.
    Two queries, because each uses its own index.
    """
    orders = (
        Order.objects.filter(submitted_at__gte=timezone.now() - HISTORY)
        .order_by("-submitted_at", "-pk")
        .values_list("pk", flat=True)
    )
    own_order_ids = list(orders.filter(requester=actor)[:MAX_RECENT_ORDERS])
    return own_order_ids + list(
        orders.filter(enterprise=actor.enterprise_id).exclude(requester=actor)[
            : MAX_RECENT_ORDERS - len(own_order_ids)
        ]
    )


def list_you_like(*, actor: Account, count: int) -> list[Offer]:
    """Return `count` products, or fewer if the catalogue has fewer: the frequently bought ones,
    then the best sellers of the actor's catalogue.
    """
    products = list_frequently_bought(actor=actor, count=count)
    if len(products) < count:
        shown_ids = {offer.product.pk for offer in products}
        best = product_list(
            actor=actor, query=CatalogQuery(page_size=20, with_total=False, with_facets=False)
        ).offers
        products += [
            offer for offer in best if offer.product.pk not in shown_ids and _can_buy(offer)
        ][: count - len(products)]
    return products


def _can_buy(offer: Offer) -> bool:
    return offer.visible and offer.is_on_sale and offer.available >= offer.product.min_quantity


def list_lines_bought_before(
    *, actor: Account, category_id: int | None = None, words: Sequence[str] = ()
) -> list[OrderLine]:
    """Return the newest own order line of the category whose names contain all the words.
    Without category and words, return all lines of the last order.

    Empty if there is none. One query over the newest MAX_RECENT_LINES lines.
    """
    lines = OrderLine.objects.filter(
        order__requester=actor, order__status__in=PURCHASED, quantity__gt=0
    ).select_related("order", "product")
    newest = list(lines.order_by("-order__submitted_at", "order_id", "no")[:MAX_RECENT_LINES])
    if category_id is None and not words:
        return [line for line in newest if line.order_id == newest[0].order_id]
    fitting = [line for line in newest if _is_match(line, category_id, words)]
    return fitting[:1]


def _is_match(line: OrderLine, category_id: int | None, words: Sequence[str]) -> bool:
    """Return whether the line is in the category, and its names contain all words."""
    names = f"{line.name} {line.customer_name} {line.brand} {line.model_code}".lower()
    return category_id in (None, line.product.l3_id) and all(
        word.lower() in names for word in words
    )


def find_last_price(group_id: int, product_id: int) -> LastPrice | None:
    """Return the price and the day of the group's newest order of a product. Orders that ended
    unshipped do not count.
    """
    line = (
        OrderLine.objects.filter(
            group_id=group_id, product_id=product_id, is_ended=False, quantity__gt=0
        )
        .order_by("-ordered_at")
        .values_list("unit_price_incl_tax", "ordered_at")
        .first()
    )
    return LastPrice(line[0], timezone.localdate(line[1])) if line else None
