"""Tools that find products in the person's catalogue at his own prices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.indexing.text import normalise
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.enums import ProductSort
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import product_list
from apps.search.sql.lookup import list_exact_ids

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_CARDS = 8
MOST_NAMES = 30
LONGEST_KEYWORD = 60


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
    count: int = MOST_CARDS


def products_find(*, actor: Account, wish: Wish) -> tuple[Offer, ...]:
    """Return at most `wish.count` products of the actor's catalogue."""
    query = CatalogQuery(
        keyword=wish.keyword[:LONGEST_KEYWORD],
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


def product_by_name(*, actor: Account, name: str) -> Offer | None:
    """Return the first product that matches a code, material code, model or whole name, or None if
    the actor can see none.
    """
    return next(iter(products_by_name(actor=actor, names=[name])[name]), None)


def products_by_name(*, actor: Account, names: Iterable[str]) -> dict[str, list[Offer]]:
    """Return the matching products by name. A model with many colours matches several; a name that
    the actor cannot see matches none.

    A product code matches only that product. Off-sale products count only if nothing else matches.
    Two queries per name.
    """
    context = catalogue_context(actor=actor)
    found: dict[str, list[Offer]] = {}
    for name in dict.fromkeys(names):
        typed = name[:LONGEST_KEYWORD]
        offers = offers_for(
            context=context, product_ids=list_exact_ids(context, typed, normalise(typed))
        ).values()
        seen = [offer for offer in offers if offer.visible]
        by_code = [offer for offer in seen if offer.product.code == typed.strip()]
        found[name] = by_code or [offer for offer in seen if offer.is_on_sale] or seen[:1]
    return found


def products_of(*, actor: Account, product_ids: Iterable[int]) -> dict[int, Offer]:
    """Return by id the products that the actor can see."""
    offers = offers_for(
        context=catalogue_context(actor=actor), product_ids=list(dict.fromkeys(product_ids))
    )
    return {pk: offer for pk, offer in offers.items() if offer.visible}


def products_by_names(*, actor: Account, names: Iterable[str]) -> tuple[list[Offer], list[str]]:
    """Return the products for the first `MOST_NAMES` names, each once, and the names without a
    match.
    """
    found: dict[str, Offer] = {}
    missing: list[str] = []
    for name in list(dict.fromkeys(names))[:MOST_NAMES]:
        offer = product_by_name(actor=actor, name=name)
        if offer is None:
            missing.append(name)
        else:
            found[offer.product.code] = offer
    return list(found.values()), missing
