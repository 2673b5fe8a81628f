"""Keep a product as 收藏 or 浏览记录, and drop it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import FavoriteType
from apps.catalog.errors import FavoritesFull, ProductNotFound
from apps.catalog.models import Favorite
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import Offer, offers_by_code
from apps.org.locks import lock_account

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_FAVORITES = 500
MAX_BROWSED = 100
# Of more than this many too many the rest goes with the next look.
MOST_DROPPED = 20


@transaction.atomic
def favorite_add(*, actor: Account, code: str, kind: FavoriteType) -> None:
    """Keep the product at today's price, or move it to the top where it is kept already; of the browse records the 100 newest stay.

    Raises:
        ProductNotFound: there is none, or the actor may not see it.
        FavoritesFull: there are 500 favourites, and it is none of them.
    """
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    if kind == FavoriteType.FAVORITE:
        _make_sure_of_room(actor, offer)
    _keep(actor, offer, kind)
    if kind == FavoriteType.BROWSE:
        kept = Favorite.objects.filter(account=actor, type=kind).order_by("-at", "-pk")
        Favorite.objects.filter(pk__in=list(kept.values_list("pk", flat=True)[MAX_BROWSED : MAX_BROWSED + MOST_DROPPED])).delete()


def _make_sure_of_room(actor: Account, offer: Offer) -> None:
    """Lock the account first, so that two tabs do not both take the last place; orders that refer to it are not held up."""
    lock_account(actor.pk)
    others = Favorite.objects.filter(account=actor, type=FavoriteType.FAVORITE).exclude(product_id=offer.product.pk)
    if others.count() >= MAX_FAVORITES:
        raise FavoritesFull


def _keep(actor: Account, offer: Offer, kind: FavoriteType) -> None:
    """Write the row in one statement, so that the same product added twice at once is one row and no error."""
    Favorite.objects.bulk_create(
        [
            Favorite(  # type: ignore[misc]
                group_id=actor.group_id or 0,
                account=actor,
                type=kind,
                product_id=offer.product.pk,
                at=timezone.now(),
                added_price=offer.price,
            )
        ],
        update_conflicts=True,
        unique_fields=["group", "account", "type", "product"],
        update_fields=["at", "added_price"],
    )


def favorite_remove(*, actor: Account, code: str, kind: FavoriteType) -> None:
    """Drop the product from the actor's list.

    Raises:
        ProductNotFound: it is not on it.
    """
    if not favorites_remove(actor=actor, codes=[code], kind=kind):
        raise ProductNotFound("该商品不在列表中，请刷新后重试")


def favorites_remove(*, actor: Account, codes: Sequence[str], kind: FavoriteType) -> int:
    """Drop products from the actor's list and return how many were on it; what is gone already is no error, two tabs may do the same."""
    removed, _ = Favorite.objects.filter(account=actor, type=kind, product__code__in=list(codes)).delete()
    return int(removed)


def favorites_clear(*, actor: Account, kind: FavoriteType) -> int:
    """Empty the actor's list and return how many there were."""
    removed, _ = Favorite.objects.filter(account=actor, type=kind).delete()
    return int(removed)
