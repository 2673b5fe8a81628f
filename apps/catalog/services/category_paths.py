"""Keep `l1`, `l2`, `l3` of products in step with the category tree."""

from __future__ import annotations

from collections.abc import Iterable

from apps.catalog.models import Category, Product
from apps.catalog.services.product_index import products_reindexed


def category_paths_refresh(*, category_ids: Iterable[int]) -> int:
    """Write the paths and the index of every product below the categories anew; return how many products those are."""
    below = set(category_ids)
    for _ in range(2):
        below |= set(Category.objects.filter(parent__in=below).values_list("pk", flat=True))
    products = Product.objects.filter(category__in=below).order_by("pk")
    products_reindexed(product_ids=products.values_list("pk", flat=True))
    return products.count()
