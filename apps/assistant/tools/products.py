"""Tools that find products in the person's catalogue at his own prices: by criteria, by name, or by
a picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.core.files.storage import default_storage

from apps.catalog.indexing.text import normalise
from apps.common.models import StoredFile
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.enums import ProductSort
from apps.search.images.pictures import UNREADABLE, open_picture
from apps.search.query import CatalogQuery
from apps.search.selectors.image_search import find_similar_products
from apps.search.selectors.product_list import product_list
from apps.search.sql.lookup import list_exact_ids

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_CARDS = 8
MAX_NAMES = 30
MAX_KEYWORD_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Wish:
    """Search criteria; prices in 元, 含税, as the person pays them."""

    keyword: str = ""
    category_id: int | None = None
    brand: str = ""
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    in_stock: bool = False
    sort: ProductSort = ProductSort.DEFAULT
    count: int = MAX_CARDS


def products_find(*, actor: Account, wish: Wish) -> tuple[Offer, ...]:
    """Return at most `wish.count` products of the actor's catalogue."""
    query = CatalogQuery(
        keyword=wish.keyword[:MAX_KEYWORD_CHARACTERS],
        brands=(wish.brand,) if wish.brand else (),
        min_price=wish.min_price,
        max_price=wish.max_price,
        in_stock=wish.in_stock,
        sort=wish.sort,
        page_size=wish.count,
        with_total=False,
        with_facets=False,
    )
    return product_list(actor=actor, query=query, category_id=wish.category_id).offers


def list_matches_by_name(*, actor: Account, names: Iterable[str]) -> dict[str, list[Offer]]:
    """Return the matching products by name. A model with many colours matches several; a name that
    the actor cannot see matches none.

    A product code matches only that product. Off-sale products count only if nothing else matches.
    Two queries per name.
    """
    context = catalogue_context(actor=actor)
    matches: dict[str, list[Offer]] = {}
    for name in dict.fromkeys(names):
        typed = name[:MAX_KEYWORD_CHARACTERS]
        offers = offers_for(
            context=context, product_ids=list_exact_ids(context, typed, normalise(typed))
        ).values()
        visible = [offer for offer in offers if offer.visible]
        by_code = [offer for offer in visible if offer.product.code == typed.strip()]
        matches[name] = by_code or [offer for offer in visible if offer.is_on_sale] or visible[:1]
    return matches


def get_offers_by_id(*, actor: Account, product_ids: Iterable[int]) -> dict[int, Offer]:
    """Return by id the products that the actor can see."""
    offers = offers_for(
        context=catalogue_context(actor=actor), product_ids=list(dict.fromkeys(product_ids))
    )
    return {pk: offer for pk, offer in offers.items() if offer.visible}


def find_first_matches(*, actor: Account, names: Iterable[str]) -> tuple[list[Offer], list[str]]:
    """Return the first match of each name, each product once, and the names without a match. Only
    the first `MAX_NAMES` names count.
    """
    first_names = list(dict.fromkeys(names))[:MAX_NAMES]
    matches = list_matches_by_name(actor=actor, names=first_names)
    offers = {
        matching_offers[0].product.code: matching_offers[0]
        for matching_offers in matches.values()
        if matching_offers
    }
    return list(offers.values()), [name for name in first_names if not matches[name]]


MAX_SIMILAR = 8


@dataclass(frozen=True, slots=True)
class PictureFindings:
    """The likely categories, most likely first, and similar products. `unread` is the number of
    pictures that could not be opened.
    """

    kinds: tuple[str, ...]
    offers: tuple[Offer, ...]
    unread: int


def pictures_lookup(*, actor: Account, file_ids: Iterable[str]) -> PictureFindings:
    """Return categories and products that resemble the actor's own pictures."""
    context = catalogue_context(actor=actor)
    kinds: dict[str, None] = {}
    ids: dict[int, None] = {}
    unread = 0
    for file in StoredFile.objects.filter(owner=actor, public_id__in=list(file_ids)):
        try:
            with default_storage.open(file.path) as content:
                similar, guesses = find_similar_products(
                    context=context, image=open_picture(content.read())
                )
        except UNREADABLE:
            unread += 1
            continue
        kinds |= dict.fromkeys(guess.name for guess in guesses[:2])
        ids |= dict.fromkeys(one.product_id for one in similar[:MAX_SIMILAR])
    offers = offers_for(context=context, product_ids=list(ids)[:MAX_SIMILAR]).values()
    return PictureFindings(
        tuple(kinds), tuple(offer for offer in offers if offer.visible and offer.is_on_sale), unread
    )
