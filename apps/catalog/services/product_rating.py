"""Change the rating of products. Reviews call it in their own transaction; no other module
writes ratings.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F

from apps.catalog.models import Product


def ratings_move(*, changes: Mapping[int, tuple[int, int]]) -> None:
    """Add (reviews, stars) to products by id; both may be negative. The rows are updated in the
    order of their keys, the order in which stock is locked, to avoid deadlocks.
    """
    for product_id, (reviews, stars) in sorted(changes.items()):
        if reviews or stars:
            Product.objects.filter(pk=product_id).update(
                rating_count=F("rating_count") + reviews, rating_stars=F("rating_stars") + stars
            )
