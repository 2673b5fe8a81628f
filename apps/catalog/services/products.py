"""Save products from the back office, put them on or off sale, and change their rating."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.catalog.enums import ChangeKind, ProductStatus
from apps.catalog.errors import StockBelowReserved
from apps.catalog.locks import hold_category_tree, lock_families_of
from apps.catalog.models import Product
from apps.catalog.services.changes import changes_record
from apps.catalog.services.families import members_refit
from apps.catalog.services.product_files import main_pictures_follow_up
from apps.catalog.services.product_hooks import MarketPriceChange, market_price_hooks_run
from apps.catalog.services.product_index import (
    dictionary_load,
    products_index,
    suggest_terms_write,
)
from apps.catalog.services.stock import StockCount, stock_count_record
from apps.common.audit import acts_log

if TYPE_CHECKING:
    from apps.org.models import Account

# Fields that orders, reviews and families change meanwhile, and the old market price.
CONCURRENT_FIELDS = (
    "stock",
    "reserved",
    "sales_count",
    "rating_count",
    "rating_stars",
    "family_id",
    "market_price",
)


@transaction.atomic
def product_save(*, actor: Account, product: Product, stock_was: int | None = None) -> Product:
    """Save a new or changed product and return it. The next request shows the change.

    `stock_was` is the stock that the user saw before editing it, None if the user did not edit it.
    The service applies only the difference, because orders change the stock meanwhile.

    Raises:
        StockBelowReserved: the new stock is below the reserved quantity.
    """
    hold_category_tree()
    is_new = product.pk is None
    if not is_new:
        lock_families_of(product_ids=[product.pk])
    before, price_was = (0, None) if is_new else _load_current_stock(product, stock_was)
    dictionary_load()
    products_index(products=[product])
    product.save()
    if not is_new:
        members_refit(products=[product])
    market_price_hooks_run([MarketPriceChange(product.pk, price_was, product.market_price)])
    suggest_terms_write(product_ids=[product.pk])
    if before != product.stock:
        stock_count_record(
            [StockCount(product.pk, before, product.stock)], reference=f"后台 {actor.username}"[:40]
        )
    main_pictures_follow_up(products=[product])
    changes_record(ChangeKind.PRODUCT, [product.code])
    return product


def _load_current_stock(product: Product, stock_was: int | None) -> tuple[int, Decimal]:
    """Lock the row and copy its current stock, reservation, rating and family to the product. Add
    the user's stock difference. Return the stock and the market price before the change.
    """
    current_values = (
        Product.objects.select_for_update(no_key=True).values(*CONCURRENT_FIELDS).get(pk=product.pk)
    )
    stock_difference = 0 if stock_was is None else product.stock - stock_was
    product.stock, product.reserved = (
        max(0, current_values["stock"] + stock_difference),
        current_values["reserved"],
    )
    product.sales_count, product.family_id = (
        current_values["sales_count"],
        current_values["family_id"],
    )
    product.rating_count, product.rating_stars = (
        current_values["rating_count"],
        current_values["rating_stars"],
    )
    if product.stock < product.reserved:
        raise StockBelowReserved(product.reserved)
    return int(current_values["stock"]), current_values["market_price"]


@transaction.atomic
def products_set_status(
    *, actor: Account, product_ids: Iterable[int], status: ProductStatus
) -> int:
    """Put products on or off sale (上架/下架) and return how many changed. Each change has a log
    entry.
    """
    rows = Product.objects.filter(pk__in=list(product_ids)).exclude(status=status)
    changed_products = list(
        rows.select_for_update(no_key=True).order_by("pk").only("code", "name", "status")
    )
    Product.objects.filter(pk__in=[product.pk for product in changed_products]).update(
        status=status, updated_at=timezone.now()
    )
    changes_record(ChangeKind.PRODUCT, [product.code for product in changed_products])
    acts_log(
        staff=actor,
        acts=[
            (product, {"status": (product.status, status.value)}) for product in changed_products
        ],
    )
    return len(changed_products)


def ratings_move(*, changes: Mapping[int, tuple[int, int]]) -> None:
    """Add (reviews, stars) to products by id; both may be negative. The rows are updated in the
    order of their keys, the order in which stock is locked, to avoid deadlocks.
    """
    for product_id, (reviews, stars) in sorted(changes.items()):
        if reviews or stars:
            Product.objects.filter(pk=product_id).update(
                rating_count=F("rating_count") + reviews, rating_stars=F("rating_stars") + stars
            )
