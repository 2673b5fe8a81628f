"""Where a category may stand, and what follows from its going there."""

from __future__ import annotations

from dataclasses import dataclass

from apps.catalog.enums import RuleKind
from apps.catalog.models import AssortmentRule, Category, Product
from apps.catalog.models.taxonomy import LEVELS


def place_refusal(*, category: Category, parent: Category | None) -> str:
    """Return why a category, new or old, may not stand below `parent` (None: at the first level); empty where it may.

    The tree has three levels and products stand in the third, so what has something below it keeps its level.
    """
    if parent is not None and parent.level >= LEVELS:
        return "类目最多三级，请选择一级或二级类目作为上级"
    if not category.pk:
        return ""
    if parent is not None and category.pk in (parent.pk, parent.parent_id):
        return "上级不能是该类目自己或它的下级"
    level = parent.level + 1 if parent else 1
    if level != category.level and (category.children.exists() or Product.objects.filter(l3=category).exists()):
        return "该类目下已有类目或商品，只能移动到同级的上级之下"
    return ""


@dataclass(frozen=True, slots=True)
class Consequence:
    """So many products get another path, and so many rules of assortments name a category that is above them only before or after."""

    products: int
    rules: int


def move_consequence(*, category: Category, parent: Category | None) -> Consequence:
    """Return what follows from hanging a category below `parent`; nothing where it hangs there already."""
    if category.parent_id == (parent.pk if parent else None):
        return Consequence(0, 0)
    products = Product.objects.filter(**{f"l{category.level}": category}).count()
    above = {each.pk for each in (*_upwards(category.parent), *_upwards(parent))}
    shared = {each.pk for each in _upwards(category.parent)} & {each.pk for each in _upwards(parent)}
    rules = AssortmentRule.objects.filter(kind=RuleKind.CATEGORY, category__in=above - shared).count() if products else 0
    return Consequence(products, rules)


def _upwards(category: Category | None) -> list[Category]:
    found = []
    while category is not None:
        found.append(category)
        category = category.parent
    return found
