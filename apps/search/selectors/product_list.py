"""The product list: the engine finds the products and their order, the offers add names and
prices.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from apps.catalog.indexing.text import first_spoken_words
from apps.catalog.models import Category
from apps.common.model_rows import model_rows
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.engine import catalogue_engine
from apps.search.query import CatalogPage, CatalogQuery, CategoryFilter, Facets
from apps.search.selectors.way_out import NoResult, no_result

if TYPE_CHECKING:
    from apps.org.models import Account

KEPT_PATHS = 4096
NO_FACETS = Facets((), (), (), ())


@dataclass(frozen=True, slots=True)
class ProductList:
    """A page of offers. `path` leads to the filtered category, from level 1 down. `understood`
    is the keyword that the engine used instead of the typed one.

    `no_result` contains suggestions for an empty first page. It is set only if the query asks for
    the total and has a keyword or filters.
    """

    context: CatalogueContext
    query: CatalogQuery
    page: CatalogPage
    offers: tuple[Offer, ...]
    path: tuple[Category, ...]
    understood: str = ""
    no_result: NoResult | None = None


def product_list(
    *, actor: Account | None, query: CatalogQuery, category_id: int | None = None
) -> ProductList:
    """Return a page of the actor's catalogue. The page is empty if the category does not exist.

    Rows cost three queries, one more with the total, four more with facets. Caches (such as the
    lexicon) add one query each when they are cold.
    """
    return product_list_of(
        context=catalogue_context(actor=actor), query=query, category_id=category_id
    )


def product_list_of(
    *, context: CatalogueContext, query: CatalogQuery, category_id: int | None = None
) -> ProductList:
    """Return the same page for a context that the caller has already loaded, with one query
    less.
    """
    path: tuple[Category, ...] = ()
    if category_id is not None:
        path = category_path(category_id, token=context.agreements_token)
        if not path:
            return ProductList(context, query, _nothing(query), (), ())
        query = replace(query, category=CategoryFilter(path[-1].pk, path[-1].level))
    page = catalogue_engine().page(context=context, query=query)
    # A product can leave the catalogue between the engine's query and this one. The current state
    # is shown.
    offers = tuple(
        offer
        for offer in offers_for(context=context, product_ids=page.ids).values()
        if offer.visible and offer.is_on_sale
    )
    understood = (
        _heard(offers[0].product.name, page.sounds)
        if page.sounds and offers
        else page.understood
        if offers
        else ""
    )
    is_empty = not page.ids and query.page_index == 1 and query.with_total
    instead = no_result(context=context, query=query, path=path) if is_empty else None
    return ProductList(context, query, page, offers, path, understood, instead)


def _heard(name: str, sounds: tuple[str, ...]) -> str:
    """Return the words of a product name whose pinyin starts with the sounds, separated by
    blanks.
    """
    return " ".join(first_spoken_words(name, sound) or sound for sound in sounds)


PATH = """
SELECT {select} FROM catalog_category c3
LEFT JOIN catalog_category c2 ON c2.id = c3.parent_id LEFT JOIN catalog_category c1
    ON c1.id = c2.parent_id
WHERE c3.id = %s
"""


def category_path(category_id: int, *, token: str) -> tuple[Category, ...]:
    """Return the category and its ancestors, from level 1 down. Empty if the category does not
    exist.

    One query, or none if this process has cached it under the same token. Every change of a
    category changes the token.
    """
    return _path(category_id, token) if token else _path.__wrapped__(category_id, token)


@lru_cache(maxsize=KEPT_PATHS)
def _path(category_id: int, _token: str) -> tuple[Category, ...]:
    readers = [model_rows(Category, alias) for alias in ("c1", "c2", "c3")]
    with connection.cursor() as cursor:
        cursor.execute(
            PATH.format(select=", ".join(reader.select for reader in readers)), [category_id]
        )
        values = cursor.fetchone() or ()
    width = readers[0].width
    own = [values[start : start + width] for start in range(0, len(values), width)]
    return tuple(
        reader.hydrate(part)
        for reader, part in zip(readers, own, strict=False)
        if part[0] is not None
    )


def _nothing(query: CatalogQuery) -> CatalogPage:
    return CatalogPage(
        ids=(),
        total=0 if query.with_total else None,
        facets=NO_FACETS if query.with_facets else None,
    )
