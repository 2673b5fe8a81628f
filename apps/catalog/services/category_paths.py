"""Keep `l1`, `l2` and `l3` of products in step with the category tree."""

from __future__ import annotations

from collections.abc import Iterable

from apps.catalog.models import Category, Product
from apps.catalog.services.product_index import products_reindexed


def products_below(*, category_ids: Iterable[int]) -> list[int]:
    """Return the ids of the products in the categories and their descendants."""
    below = set(category_ids)
    for _ in range(2):
        below |= set(Category.objects.filter(parent__in=below).values_list("pk", flat=True))
    return list(
        Product.objects.filter(category__in=below).order_by("pk").values_list("pk", flat=True)
    )


def category_paths_refresh(*, category_ids: Iterable[int]) -> int:
    """Rewrite the path and the index of every product below the categories. Return the number
    of products.
    """
    products = products_below(category_ids=category_ids)
    products_reindexed(product_ids=products)
    return len(products)
