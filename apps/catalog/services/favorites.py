"""Keep a product as 收藏 or 浏览记录, and drop it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import FavoriteType
from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Favorite
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_BROWSED = 200


@transaction.atomic
def favorite_add(*, actor: Account, code: str, kind: FavoriteType) -> Favorite:
    """Keep the product, or move it to the top where it is kept already; the oldest of more than 200 browse records go.

    Raises:
        ProductNotFound: there is none, or the actor may not see it.
    """
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    favorite: Favorite
    favorite, _ = Favorite.objects.update_or_create(
        group_id=actor.group_id, account=actor, type=kind, product=offer.product, defaults={"at": timezone.now()}
    )
    if kind == FavoriteType.BROWSE:
        kept = Favorite.objects.filter(account=actor, type=kind).order_by("-at", "-pk")
        Favorite.objects.filter(pk__in=list(kept.values_list("pk", flat=True)[MAX_BROWSED : MAX_BROWSED + 20])).delete()
    return favorite


def favorite_remove(*, actor: Account, code: str, kind: FavoriteType) -> None:
    """Drop the product from the actor's list.

    Raises:
        ProductNotFound: it is not on it.
    """
    removed, _ = Favorite.objects.filter(account=actor, type=kind, product__code=code).delete()
    if not removed:
        raise ProductNotFound("该商品不在列表中，请刷新后重试")
