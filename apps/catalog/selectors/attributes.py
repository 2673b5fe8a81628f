"""The attributes (属性) that the products of a category usually have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from apps.catalog.models import Category, Product

# Read this many of the newest products of a category.
MAX_PRODUCTS = 200
MAX_NAMES = 12
MAX_VALUES = 20
MAX_OFFERED_NAMES = 40


@dataclass(frozen=True, slots=True)
class UsualAttribute:
    """An attribute of a category, and values that its products have, the most frequent first."""

    name: str
    values: tuple[str, ...]


def list_usual_attributes(*, category_id: int) -> list[UsualAttribute]:
    """Return the attributes that at least a fifth of the category's newest products have, the most
    frequent first. One query.
    """
    rows = list(
        Product.objects.filter(l3=category_id)
        .order_by("-pk")
        .values_list("attributes", flat=True)[:MAX_PRODUCTS]
    )
    names = Counter(name for row in rows for name in row)
    attributes = []
    for name, number in names.most_common(MAX_NAMES):
        if number * 5 >= len(rows):
            values = Counter(str(row[name]) for row in rows if name in row)
            attributes.append(
                UsualAttribute(name, tuple(value for value, _ in values.most_common(MAX_VALUES)))
            )
    return attributes


def list_attribute_names(*, category_id: int) -> list[str]:
    """Return the names of attributes to offer for a product of the third-level category: those of
    the newest products below its second level, the most frequent first. One query.
    """
    second_level = Category.objects.filter(pk=category_id).order_by().values("parent")
    rows = (
        Product.objects.filter(l2__in=second_level)
        .order_by("-pk")
        .values_list("attributes", flat=True)[:MAX_PRODUCTS]
    )
    names = Counter(name for row in rows for name in row)
    return [name for name, _ in names.most_common(MAX_OFFERED_NAMES)]
