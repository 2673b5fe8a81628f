"""Add products to 收藏 or 浏览记录, and remove them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.org.locks import lock_account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code
from apps.search.enums import FavoriteType
from apps.search.errors import FavoritesFull, ProductNotInList
from apps.search.models import Favorite

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_FAVORITES = 500
MAX_BROWSED = 100
# Maximum number of surplus records to delete at once. The next call deletes the rest.
MAX_DELETED = 20


@transaction.atomic
def favorite_add(*, actor: Account, code: str, kind: FavoriteType) -> None:
    """Add the product at its current price, or move it to the top if it is already in the list.
    Only the 100 newest browse records remain.

    Raises:
        ProductNotFound: the product does not exist, or the actor cannot see it.
        FavoritesFull: the account has 500 favourites, and the product is not one of them.
    """
    offer = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    if kind == FavoriteType.FAVORITE:
        _check_limit(actor, offer)
    _upsert_favorite(actor, offer, kind)
    if kind == FavoriteType.BROWSE:
        favorites = Favorite.objects.filter(account=actor, type=kind).order_by("-at", "-pk")
        Favorite.objects.filter(
            pk__in=list(
                favorites.values_list("pk", flat=True)[MAX_BROWSED : MAX_BROWSED + MAX_DELETED]
            )
        ).delete()


def _check_limit(actor: Account, offer: Offer) -> None:
    """Lock the account, so that two tabs cannot both take the last place. The lock does not
    block orders that refer to the account.
    """
    lock_account(actor.pk)
    others = Favorite.objects.filter(account=actor, type=FavoriteType.FAVORITE).exclude(
        product_id=offer.product.pk
    )
    if others.count() >= MAX_FAVORITES:
        raise FavoritesFull


def _upsert_favorite(actor: Account, offer: Offer, kind: FavoriteType) -> None:
    """Write the row with one statement, so that two concurrent calls for the same product
    create one row without an error.
    """
    Favorite.objects.bulk_create(
        [
            Favorite(
                group_id=actor.group_id or 0,
                account=actor,
                type=kind,
                product_id=offer.product.pk,
                at=timezone.now(),
                added_price=offer.shown_price,
            )
        ],
        update_conflicts=True,
        unique_fields=["group", "account", "type", "product"],
        update_fields=["at", "added_price"],
    )


def favorite_remove(*, actor: Account, code: str, kind: FavoriteType) -> None:
    """Remove the product from the actor's list.

    Raises:
        ProductNotFound: the product is not in the list.
    """
    if not favorites_remove(actor=actor, codes=[code], kind=kind):
        raise ProductNotInList


def favorites_remove(*, actor: Account, codes: Sequence[str], kind: FavoriteType) -> int:
    """Remove products from the actor's list and return the number of removed rows. Products
    that are not in the list are not an error, because another tab may have removed them.
    """
    removed_count, _ = Favorite.objects.filter(
        account=actor, type=kind, product__code__in=list(codes)
    ).delete()
    return int(removed_count)


def favorites_clear(*, actor: Account, kind: FavoriteType) -> int:
    """Clear the actor's list and return the number of removed rows."""
    removed_count, _ = Favorite.objects.filter(account=actor, type=kind).delete()
    return int(removed_count)
