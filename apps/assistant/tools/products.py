"""Find products, look one up, set several side by side: the catalogue as the person sees it, at his own prices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.enums import ProductSort
from apps.catalog.search.query import CatalogQuery
from apps.catalog.search.sql.exact import exact_ids
from apps.catalog.search.text import normalised
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import Offer, offers_for
from apps.catalog.selectors.product_list import product_list

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_CARDS = 8
MOST_NAMES = 30
LONGEST_KEYWORD = 60


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for; prices in 元 as the person pays them."""

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


def product_named(*, actor: Account, name: str) -> Offer | None:
    """Return the product that a code, material code, model or whole name means to the actor; None where he may see none."""
    return next(iter(products_meant(actor=actor, names=[name])[name]), None)


def products_meant(*, actor: Account, names: Iterable[str]) -> dict[str, list[Offer]]:
    """Return what each name may mean to the actor: several where a model comes in many colours, nothing where he may see none.

    A product code means that product alone; what is off sale is meant where nothing else is. Two queries for each name.
    """
    context = catalogue_context(actor=actor)
    found: dict[str, list[Offer]] = {}
    for name in dict.fromkeys(names):
        typed = name[:LONGEST_KEYWORD]
        offers = offers_for(context=context, product_ids=exact_ids(context, typed, normalised(typed))).values()
        seen = [offer for offer in offers if offer.visible]
        by_code = [offer for offer in seen if offer.product.code == typed.strip()]
        found[name] = by_code or [offer for offer in seen if offer.is_on_sale] or seen[:1]
    return found


def products_of(*, actor: Account, product_ids: Iterable[int]) -> dict[int, Offer]:
    """Return by its id each of the products that the actor may see, whatever it is called today."""
    offers = offers_for(context=catalogue_context(actor=actor), product_ids=list(dict.fromkeys(product_ids)))
    return {pk: offer for pk, offer in offers.items() if offer.visible}


def products_named(*, actor: Account, names: Iterable[str]) -> tuple[list[Offer], list[str]]:
    """Return the products that the first `MOST_NAMES` names mean to the actor, each once, and which of those names mean none."""
    found: dict[str, Offer] = {}
    missing: list[str] = []
    for name in list(dict.fromkeys(names))[:MOST_NAMES]:
        offer = product_named(actor=actor, name=name)
        if offer is None:
            missing.append(name)
        else:
            found[offer.product.code] = offer
    return list(found.values()), missing
