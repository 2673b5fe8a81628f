"""The query of a list, the engine's answer (ids, a total and facets, without names or prices), and
the engine in use: `sql`, unless CATALOGUE_ENGINE names another class with the same interface.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from apps.common.sql import Fragment
from apps.pricing.selectors.context import CatalogueContext
from apps.search.enums import (
    SORTS_BY_BASE_UNIT_PRICE,
    SORTS_BY_PRICE,
    ProductFilter,
    ProductSort,
)

TOTAL_CAP = 10_000
# Lower bounds of the price facet's ranges, in 元. Each range ends 1 分 below the next.
PRICE_BOUNDS = tuple(Decimal(bound) for bound in (0, 10, 30, 50, 100, 300, 500, 1000, 3000))
MAX_ATTRIBUTE_NAMES = 12
MAX_ATTRIBUTE_VALUES = 30


@dataclass(frozen=True, slots=True)
class CategoryFilter:
    """A category of any level. The level determines the column."""

    id: int
    level: int


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """A query of the catalogue. Values of one attribute are combined with OR, different
    attributes with AND. Prices are the customer's own, in 元 含税. The bounds of the price per base
    unit (折合单价) have at most four decimals and apply to the shown price.

    `typed` is the whole text that the buyer typed, for codes and exact names; empty means the
    keyword. A product that has all words of one text of `excluded` is left out.

    `device_ids`: only products that fit one of these devices.

    `by_family` groups the products of a family to one card. Totals and facets then count cards.

    `image_product_ids` are the products of an image search, the most similar first. The list
    then contains only these products, by default in this order.
    """

    keyword: str = ""
    typed: str = ""
    device_ids: tuple[int, ...] = ()
    excluded: tuple[str, ...] = ()
    category: CategoryFilter | None = None
    brands: tuple[str, ...] = ()
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    base_unit: str = ""
    min_base_unit_price: Decimal | None = None
    max_base_unit_price: Decimal | None = None
    in_stock: bool = False
    agreed_only: bool = False
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    image_product_ids: tuple[int, ...] | None = None
    sort: ProductSort = ProductSort.DEFAULT
    page_index: int = 1
    page_size: int = 20
    with_total: bool = True
    with_facets: bool = True
    by_family: bool = False

    @property
    def offset(self) -> int:
        """Number of rows before the page."""
        return (self.page_index - 1) * self.page_size

    @property
    def is_narrowed(self) -> bool:
        """Whether the query has a filter besides the keyword."""
        bounds = (self.category, self.min_price, self.max_price, self.image_product_ids)
        lists = (self.brands, self.in_stock, self.agreed_only, self.attributes, self.excluded)
        return (
            any(lists)
            or bool(self.device_ids)
            or any(bound is not None for bound in bounds)
            or bool(self.base_unit)
            or self.has_base_unit_price_range
        )

    @property
    def has_base_unit_price_range(self) -> bool:
        """Whether the query limits the price per base unit (折合单价)."""
        return self.min_base_unit_price is not None or self.max_base_unit_price is not None


def without_prices(query: CatalogQuery) -> CatalogQuery:
    """Return the query without its filters and its order by price, for a viewer who sees none: a
    range or an order would reveal prices.
    """
    by_price = query.sort in SORTS_BY_PRICE | SORTS_BY_BASE_UNIT_PRICE
    return replace(
        query,
        min_price=None,
        max_price=None,
        min_base_unit_price=None,
        max_base_unit_price=None,
        agreed_only=False,
        sort=ProductSort.DEFAULT if by_price else query.sort,
    )


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """Number of products of a category. `parent_id` is None at level 1."""

    id: int
    name: str
    level: int
    parent_id: int | None
    count: int


@dataclass(frozen=True, slots=True)
class BrandCount:
    """Number of products of a brand."""

    id: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class AttributeCount:
    """Number of products for each value of an attribute, the most frequent first."""

    name: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PriceCount:
    """Number of products with a price from `lower` to `upper`, both included. `upper` None
    means no upper bound.
    """

    lower: Decimal
    upper: Decimal | None
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts for the filters of a list. Each facet ignores its own filter."""

    categories: tuple[CategoryCount, ...]
    brands: tuple[BrandCount, ...]
    attributes: tuple[AttributeCount, ...]
    prices: tuple[PriceCount, ...]
    # Number of products found that are in stock, and that have an agreed price of the customer.
    in_stock: int = 0
    agreed: int = 0


@dataclass(frozen=True, slots=True)
class CatalogPage:
    """The answer: product ids in order. `total` is None if the query did not ask for it, and at
    most TOTAL_CAP.

    `understood` is the keyword that the engine used instead of the typed one. `sounds` are the
    pinyin parts, if the engine searched by sound. `relaxed` are the words that the engine left
    out because no product has them all. `referenced` are products that the typed text names by a
    part number or name of another brand.

    `matching` is the condition on product `p` that the members of a family must meet to be found,
    over `price_joins`. None: all members meet it.
    """

    ids: tuple[int, ...]
    total: int | None = None
    total_is_capped: bool = False
    facets: Facets | None = None
    understood: str = ""
    sounds: tuple[str, ...] = ()
    relaxed: tuple[str, ...] = ()
    referenced: tuple[int, ...] = ()
    matching: Fragment | None = None


@dataclass(frozen=True, slots=True)
class RemovableFilter:
    """Number of products without one of the filters. `name` is the attribute's name for an
    attribute filter.
    """

    filter: ProductFilter
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class NearWord:
    """A keyword with results that is similar to one without results."""

    keyword: str
    count: int


@dataclass(frozen=True, slots=True)
class NoResultHints:
    """Suggestions for an empty result: filters to remove, the most products first, and similar
    keywords. Counts are at most TOTAL_CAP.
    """

    removable_filters: tuple[RemovableFilter, ...] = ()
    near_words: tuple[NearWord, ...] = ()


SQL_ENGINE = "apps.search.sql.engine.SqlEngine"


class CatalogEngine(Protocol):
    """Finds the products of a customer's query."""

    def get_page(self, *, context: CatalogueContext, query: CatalogQuery) -> CatalogPage:
        """Return the page's product ids, and the total and facets if the query asks for them."""
        ...

    def get_no_result_hints(
        self, *, context: CatalogueContext, query: CatalogQuery
    ) -> NoResultHints:
        """Return suggestions for a query without results."""
        ...


def get_catalogue_engine() -> CatalogEngine:
    """Return the engine that CATALOGUE_ENGINE names."""
    return _load_engine(getattr(settings, "CATALOGUE_ENGINE", SQL_ENGINE))


@lru_cache
def _load_engine(path: str) -> CatalogEngine:
    engine: CatalogEngine = import_string(path)()
    return engine
