"""The question a list asks of an engine, and what the engine answers: ids, a total and facets, never a name or a price."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from apps.catalog.enums import ProductFilter, ProductSort

TOTAL_CAP = 10_000
# Lower bounds in 元 of the price facet's ranges; each ends a 分 below the next.
PRICE_BOUNDS = tuple(Decimal(bound) for bound in (0, 10, 30, 50, 100, 300, 500, 1000, 3000))
MAX_ATTRIBUTE_NAMES = 12
MAX_ATTRIBUTE_VALUES = 30


@dataclass(frozen=True, slots=True)
class CategoryFilter:
    """A category of any level; the level says which column to read."""

    id: int
    level: int


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """What is asked. Values of one attribute are alternatives, different attributes must all fit; prices are the customer's own, in 元.

    `among` are the products that a picture found, the most alike first: nothing else is listed, by default in that order."""

    keyword: str = ""
    category: CategoryFilter | None = None
    brands: tuple[str, ...] = ()
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    in_stock: bool = False
    agreed_only: bool = False
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    among: tuple[int, ...] | None = None
    sort: ProductSort = ProductSort.DEFAULT
    page_index: int = 1
    page_size: int = 20
    with_total: bool = True
    with_facets: bool = True

    @property
    def offset(self) -> int:
        """How many rows stand before the page."""
        return (self.page_index - 1) * self.page_size

    @property
    def is_narrowed(self) -> bool:
        """Whether anything but the keyword leaves products out."""
        bounds = (self.category, self.min_price, self.max_price, self.among)
        return bool(self.brands or self.in_stock or self.agreed_only or self.attributes) or any(bound is not None for bound in bounds)


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """How many products a category of some level has; `parent_id` None at level 1."""

    id: int
    name: str
    level: int
    parent_id: int | None
    count: int


@dataclass(frozen=True, slots=True)
class BrandCount:
    """How many products a brand has."""

    id: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class AttributeCount:
    """How many products have each value of an attribute, the most frequent first."""

    name: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PriceCount:
    """How many products cost from `lower` to `upper`, both included; `upper` None has no end."""

    lower: Decimal
    upper: Decimal | None
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts to narrow the list by; each ignores its own filter."""

    categories: tuple[CategoryCount, ...]
    brands: tuple[BrandCount, ...]
    attributes: tuple[AttributeCount, ...]
    prices: tuple[PriceCount, ...]
    # How many of what is found are in stock, and have a price of the customer's own.
    in_stock: int = 0
    agreed: int = 0


@dataclass(frozen=True, slots=True)
class CatalogPage:
    """The answer: product ids in order; `total` None where it was not asked for, at most TOTAL_CAP.

    `understood` is what was searched for where it is not what was typed; `sounds` are its parts where it was found by them.
    """

    ids: tuple[int, ...]
    total: int | None = None
    total_is_capped: bool = False
    facets: Facets | None = None
    understood: str = ""
    sounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many products there are without one of the filters; `name` is the attribute's where the filter is one."""

    filter: ProductFilter
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class NearWord:
    """A keyword that does find something, near to one that finds nothing."""

    keyword: str
    count: int


@dataclass(frozen=True, slots=True)
class WayOut:
    """What leads out of an empty answer: filters to drop, the most products first, and near words; counts go up to TOTAL_CAP."""

    dropped: tuple[Dropped, ...] = ()
    near_words: tuple[NearWord, ...] = ()
