"""The only place where a product's rating moves: in the transaction of the review that moves it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F

from apps.catalog.models import Product


def ratings_move(*, changes: Mapping[int, tuple[int, int]]) -> None:
    """Add (reviews, stars) to products by pk, either may be negative; in the order of their keys, as stock is locked."""
    for product_id, (reviews, stars) in sorted(changes.items()):
        if reviews or stars:
            Product.objects.filter(pk=product_id).update(rating_count=F("rating_count") + reviews, rating_stars=F("rating_stars") + stars)
