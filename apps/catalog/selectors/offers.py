"""What products are to a customer: may he see them, at what price, under which name. The only place that prices a product."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product
from apps.catalog.search.sql.fragment import in_list
from apps.catalog.search.sql.rows import product_rows
from apps.catalog.selectors.context import CatalogueContext, PriceSource


@dataclass(frozen=True, slots=True)
class Offer:
    """A product as one customer meets it. Prices are 元, 含税."""

    product: Product
    visible: bool
    price: Decimal
    market_price: Decimal
    customer_name: str
    customer_code: str
    price_source: PriceSource | None

    @property
    def name(self) -> str:
        """The customer's own name for it, else the product's."""
        return self.customer_name or self.product.name

    @property
    def is_on_sale(self) -> bool:
        """Whether it is 在售."""
        return bool(self.product.status == ProductStatus.ON_SALE)

    @property
    def available(self) -> int:
        """Pieces that can still be ordered."""
        return self.product.available


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """What the customer's price lists say about a product; None and empty where they say nothing."""

    price: Decimal | None = None
    source: PriceSource | None = None
    name: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class ListWords:
    """What one price list says about a product: a price (元, 含税) or None, and what the customer calls it there."""

    source: PriceSource
    price: Decimal | None
    name: str
    code: str


NO_TERMS = OwnTerms()


def offers_for(*, context: CatalogueContext, product_ids: Iterable[int]) -> dict[int, Offer]:
    """Return the offers by product pk, in the order asked, for products that exist, to be seen or not. One query."""
    ids = list(dict.fromkeys(product_ids))
    found = {product.pk: product for product in product_rows(context, in_list("p.id", ids))} if ids else {}
    return priced(context=context, products=[found[pk] for pk in ids if pk in found])


def offers_by_code(*, context: CatalogueContext, codes: Iterable[str]) -> dict[str, Offer]:
    """Return the offers by ProductCode, for codes that exist. One query."""
    wanted = list(dict.fromkeys(codes))
    products = product_rows(context, in_list("p.code", wanted)) if wanted else []
    return {offer.product.code: offer for offer in priced(context=context, products=products).values()}


def priced(*, context: CatalogueContext, products: list[Any]) -> dict[int, Offer]:
    """Return the offers of products that `product_rows` read in the same context, by pk in their order. No query."""
    return {product.pk: _offer(product, _own_terms(context, product)) for product in products}


def _offer(product: Any, own: OwnTerms) -> Offer:
    return Offer(
        product=product,
        visible=product.is_visible,
        price=product.market_price if own.price is None else own.price,
        market_price=product.market_price,
        customer_name=own.name,
        customer_code=own.code,
        price_source=own.source,
    )


def list_words(context: CatalogueContext, product: Any) -> list[ListWords]:
    """Return what each of the customer's lists that hold says about a product of `product_rows`, the one that is asked first first."""
    found = []
    for source, (price, name, code, until) in zip(context.sources, product.list_terms, strict=True):
        if price is not None or name or code:
            found.append(ListWords(replace(source, valid_to=until) if until else source, price, name, code))
    return found


def deciding(words: list[ListWords]) -> ListWords | None:
    """Return the list that decides the price: the first with one; None where the market price holds."""
    return next((said for said in words if said.price is not None), None)


def _own_terms(context: CatalogueContext, product: Any) -> OwnTerms:
    """Resolve by priority: the group's own words first; then the first list with a price decides it, the first with a name the name."""
    name, code = product.own_words
    words = list_words(context, product)
    if not words:
        return OwnTerms(name=name, code=code) if name or code else NO_TERMS
    winner = deciding(words)
    return OwnTerms(
        price=winner.price if winner else None,
        source=winner.source if winner else None,
        name=name or next((said.name for said in words if said.name), ""),
        code=code or next((said.code for said in words if said.code), ""),
    )
