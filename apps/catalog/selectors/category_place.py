"""The rules for the place of a category, and the consequences of a move."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from apps.catalog.models import Category, Product
from apps.catalog.models.taxonomy import LEVELS


def place_refusal(*, category: Category, parent: Category | None) -> str:
    """Return why a new or existing category may not become a child of `parent` (None: first
    level). Empty if it may.

    The tree has three levels, and products belong to the third. So a category with children or
    products cannot change its level.
    """
    if parent is not None and parent.level >= LEVELS:
        return "类目最多三级，请选择一级或二级类目作为上级"
    if not category.pk:
        return ""
    if parent is not None and category.pk in (parent.pk, parent.parent_id):
        return "上级不能是该类目自己或它的下级"
    level = parent.level + 1 if parent else 1
    if level != category.level and (
        category.children.exists() or Product.objects.filter(l3=category).exists()
    ):
        return "该类目下已有类目或商品，只能移动到同级的上级之下"
    return ""


@dataclass(frozen=True, slots=True)
class Consequence:
    """The number of products whose path changes, and the number of assortment rules on
    categories that are above these products only before or only after the move.
    """

    products: int
    rules: int


def move_consequence(*, category: Category, parent: Category | None) -> Consequence:
    """Return the consequences of a move below `parent`. Zero if `parent` is already the parent."""
    if category.parent_id == (parent.pk if parent else None):
        return Consequence(0, 0)
    products = Product.objects.filter(**{f"l{category.level}": category}).count()
    above = {each.pk for each in (*_upwards(category.parent), *_upwards(parent))}
    shared = {each.pk for each in _upwards(category.parent)} & {
        each.pk for each in _upwards(parent)
    }
    rules = (
        Category.objects.filter(pk__in=above - shared).aggregate(rules=Count("assortment_rules"))[
            "rules"
        ]
        if products
        else 0
    )
    return Consequence(products, rules)


def _upwards(category: Category | None) -> list[Category]:
    found = []
    while category is not None:
        found.append(category)
        category = category.parent
    return found
