"""Save a category or a brand from the back office. Its products are indexed again if the name
or the path changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import transaction

from apps.catalog.enums import ChangeKind
from apps.catalog.locks import lock_category_tree, lock_product_words
from apps.catalog.models import Brand, Category, Product
from apps.catalog.services.category_paths import category_paths_refresh
from apps.catalog.services.changes import change_record
from apps.catalog.services.product_index import products_reindexed

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)


@transaction.atomic
def category_save(*, actor: Account | None, category: Category) -> Category:
    """Save a category and return it. Its level follows from its parent. Products below a moved
    or renamed category are indexed again.
    """
    lock_category_tree()
    category.level = category.parent.level + 1 if category.parent else 1
    before = (
        Category.objects.filter(pk=category.pk).values("name", "parent_id").first()
        if category.pk
        else None
    )
    category.save()
    if before is not None and before != {"name": category.name, "parent_id": category.parent_id}:
        category_paths_refresh(category_ids=[category.pk])
    change_record(ChangeKind.CATEGORY, category.code)
    log.info("category_saved", key=category.code, actor=actor.pk if actor else None)
    return category


@transaction.atomic
def brand_save(*, actor: Account | None, brand: Brand) -> Brand:
    """Save a brand and return it. The products of a renamed brand are indexed again."""
    lock_product_words()
    before = (
        Brand.objects.filter(pk=brand.pk).values("name", "english_name").first()
        if brand.pk
        else None
    )
    brand.save()
    if before is not None and before != {"name": brand.name, "english_name": brand.english_name}:
        products_reindexed(
            product_ids=Product.objects.filter(brand=brand)
            .order_by("pk")
            .values_list("pk", flat=True)
        )
    change_record(ChangeKind.PRODUCT, f"brand:{brand.code}")
    log.info("brand_saved", key=brand.code, actor=actor.pk if actor else None)
    return brand
