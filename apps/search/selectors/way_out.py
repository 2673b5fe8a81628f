"""Suggestions for an empty result in the words of the screen: filters to remove, and similar
keywords.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q

from apps.catalog.models import Brand, Category
from apps.pricing.selectors.context import CatalogueContext
from apps.search.engine import catalogue_engine
from apps.search.enums import ProductFilter
from apps.search.query import CatalogQuery, Dropped, NearWord

MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class DroppedFilter:
    """A filter to remove, with its label on the screen and the number of products without it."""

    filter: ProductFilter
    name: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class NoResult:
    """Suggestions for an empty list."""

    dropped: tuple[DroppedFilter, ...]
    near_words: tuple[NearWord, ...]


def no_result(
    *, context: CatalogueContext, query: CatalogQuery, path: tuple[Category, ...]
) -> NoResult:
    """Return suggestions for an empty result. The labels cost one query if the query filters by
    brand.
    """
    found = catalogue_engine().way_out(context=context, query=query)
    dropped = tuple(
        DroppedFilter(drop.filter, drop.name, _label(drop, query, path), drop.count)
        for drop in found.dropped
    )
    return NoResult(dropped, found.near_words)


def _label(drop: Dropped, query: CatalogQuery, path: tuple[Category, ...]) -> str:
    """Return the filter with its values in Chinese: 品牌：墨岚、卓砚."""
    match drop.filter:
        case ProductFilter.CATEGORY:
            return f"分类：{path[-1].name}" if path else ProductFilter.CATEGORY.label
        case ProductFilter.BRAND:
            return f"品牌：{'、'.join(_brand_names(query.brands))}"
        case ProductFilter.PRICE:
            return f"价格：{_range(query.min_price, query.max_price)}"
        case ProductFilter.ATTRIBUTE:
            return f"{drop.name}：{'、'.join(dict(query.attributes)[drop.name])}"
        case ProductFilter.KEYWORD:
            return f"关键词：{query.keyword}"
        case _:
            return str(drop.filter.label)


def _brand_names(brands: tuple[str, ...]) -> list[str]:
    ids = [
        int(brand)
        for brand in brands
        if brand.isascii() and brand.isdigit() and len(brand) <= MOST_DIGITS
    ]
    return list(
        Brand.objects.filter(Q(pk__in=ids) | Q(name__in=brands)).values_list("name", flat=True)
    ) or list(brands)


def _range(lower: Decimal | None, upper: Decimal | None) -> str:
    if lower is None:
        return f"{upper} 元以下"
    return f"{lower} 元以上" if upper is None else f"{lower}–{upper} 元"
