"""The list screen: the engine says which products and in which order, the offers say what they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from apps.catalog.models import Category
from apps.catalog.search.engine import catalogue_engine
from apps.catalog.search.query import CatalogPage, CatalogQuery, CategoryFilter, Facets
from apps.catalog.search.text import heard
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.offers import Offer, offers_for
from apps.catalog.selectors.way_out import NoResult, no_result
from apps.common.model_rows import model_rows

if TYPE_CHECKING:
    from apps.org.models import Account

KEPT_PATHS = 4096
NO_FACETS = Facets((), (), (), ())


@dataclass(frozen=True, slots=True)
class ProductList:
    """A page of offers; `path` leads to the category filtered by, from level 1 down; `understood` is what was searched for instead.

    `no_result` says what to do instead where a first page, asked for with its total, has nothing for a keyword or under filters.
    """

    context: CatalogueContext
    query: CatalogQuery
    page: CatalogPage
    offers: tuple[Offer, ...]
    path: tuple[Category, ...]
    understood: str = ""
    no_result: NoResult | None = None


def product_list(*, actor: Account | None, query: CatalogQuery, category_id: int | None = None) -> ProductList:
    """Return the page of the actor's catalogue; empty for a category that does not exist.

    Rows cost three queries, one more with the total, four with facets; what is kept until it changes, one more each at the first look.
    """
    return product_list_of(context=catalogue_context(actor=actor), query=query, category_id=category_id)


def product_list_of(*, context: CatalogueContext, query: CatalogQuery, category_id: int | None = None) -> ProductList:
    """Return the same page of a catalogue that has been read already, at one query less."""
    path: tuple[Category, ...] = ()
    if category_id is not None:
        path = category_path(category_id, token=context.agreements_token)
        if not path:
            return ProductList(context, query, _nothing(query), (), ())
        query = replace(query, category=CategoryFilter(path[-1].pk, path[-1].level))
    page = catalogue_engine().page(context=context, query=query)
    # Between the engine's answer and this one a product may have left the catalogue: what is shown is what holds now.
    offers = tuple(offer for offer in offers_for(context=context, product_ids=page.ids).values() if offer.visible and offer.is_on_sale)
    understood = _heard(offers[0].product.name, page.sounds) if page.sounds and offers else page.understood if offers else ""
    is_empty = not page.ids and query.page_index == 1 and query.with_total
    instead = no_result(context=context, query=query, path=path) if is_empty else None
    return ProductList(context, query, page, offers, path, understood, instead)


def _heard(name: str, sounds: tuple[str, ...]) -> str:
    """Return the words of a name that the sounds are the beginnings of, with blanks between them."""
    return " ".join(heard(name, sound) or sound for sound in sounds)


PATH = """
SELECT {select} FROM catalog_category c3
LEFT JOIN catalog_category c2 ON c2.id = c3.parent_id LEFT JOIN catalog_category c1 ON c1.id = c2.parent_id
WHERE c3.id = %s
"""


def category_path(category_id: int, *, token: str) -> tuple[Category, ...]:
    """Return the category and those above it, from level 1 down; empty where it does not exist.

    One query, none where this process has read it under the same token, which moves with every change of a category.
    """
    return _path(category_id, token) if token else _path.__wrapped__(category_id, token)


@lru_cache(maxsize=KEPT_PATHS)
def _path(category_id: int, _token: str) -> tuple[Category, ...]:
    readers = [model_rows(Category, alias) for alias in ("c1", "c2", "c3")]
    with connection.cursor() as cursor:
        cursor.execute(PATH.format(select=", ".join(reader.select for reader in readers)), [category_id])
        values = cursor.fetchone() or ()
    width = readers[0].width
    own = [values[start : start + width] for start in range(0, len(values), width)]
    return tuple(reader.made(part) for reader, part in zip(readers, own, strict=False) if part[0] is not None)


def _nothing(query: CatalogQuery) -> CatalogPage:
    return CatalogPage(ids=(), total=0 if query.with_total else None, facets=NO_FACETS if query.with_facets else None)
