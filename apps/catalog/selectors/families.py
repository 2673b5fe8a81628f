"""Members of product families (商品族)."""

from __future__ import annotations

from collections.abc import Iterable

from apps.catalog.models import FamilyMember, Product

# (axis, value) pairs in the order of the axes.
MemberValues = tuple[tuple[str, str], ...]


def get_member_values(products: Iterable[Product]) -> dict[int, MemberValues]:
    """Return, by product pk, the values of the products that are members of an active family. One
    query, none if no product is one.
    """
    ids = sorted({product.pk for product in products if product.family_id is not None})
    if not ids:
        return {}
    rows = FamilyMember.objects.filter(product__in=ids).values_list(
        "product_id", "family__axes", "values"
    )
    return {pk: tuple(zip(axes, values, strict=False)) for pk, axes, values in rows}
