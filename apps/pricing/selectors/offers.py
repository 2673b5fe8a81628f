"""Visibility, price and name of products for a customer. No other module prices a product."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product
from apps.common.sql import in_list, is_one_of
from apps.pricing.models.tiers import PriceTier, get_price_at
from apps.pricing.selectors.base_unit_prices import compute_shown_base_unit_price
from apps.pricing.selectors.context import CatalogueContext, PriceSource
from apps.pricing.sql.products import fetch_product_rows


@dataclass(frozen=True, slots=True)
class Offer:
    """A product for one customer. Prices are 元, 含税. If `is_priced` is false, the viewer's role
    shows no prices, and they are 0.00.

    `price` is that of a quantity below the first of the `tiers`; `get_price_for` gives the others.
    """

    product: Product
    visible: bool
    price: Decimal
    market_price: Decimal
    customer_name: str
    customer_code: str
    price_source: PriceSource | None
    is_priced: bool
    tiers: tuple[PriceTier, ...]

    def get_price_for(self, quantity: int) -> Decimal:
        """Return the price of a unit if `quantity` units are bought."""
        price = (
            get_price_at(quantity, price=self.price, tiers=self.tiers) if self.tiers else self.price
        )
        return self.price if price is None else price

    def build_tiers_snapshot(self, quantity: int) -> dict[str, Any] | None:
        """Return the tiers under which a line is priced, for a document. None without tiers.

        "Quantity" is the quantity that decides the price: the whole quantity of the product in the
        checkout, also if it goes to several addresses. "Steps" holds [first quantity, price of a
        unit].
        """
        if not self.tiers:
            return None
        steps = [[1, str(self.price)], *([tier.quantity, str(tier.price)] for tier in self.tiers)]
        return {"Quantity": quantity, "Steps": steps}

    @property
    def shown_tiers(self) -> tuple[PriceTier, ...]:
        """Return the tiers that change a price: those above the minimum quantity."""
        return tuple(tier for tier in self.tiers if tier.quantity > self.product.min_quantity)

    @property
    def shown_price(self) -> Decimal | None:
        """Return the customer's price, None if the viewer's role shows no prices."""
        return self.price if self.is_priced else None

    @property
    def shown_market_price(self) -> Decimal | None:
        """Return the market price, None if the viewer's role shows no prices."""
        return self.market_price if self.is_priced else None

    @property
    def base_unit_price(self) -> Decimal | None:
        """Return the shown price per base unit. None without contents, or if the viewer's role
        shows no prices.
        """
        if not self.is_priced:
            return None
        return compute_shown_base_unit_price(price=self.price, product=self.product)

    @property
    def name(self) -> str:
        """Return the customer's name of the product, otherwise the product's name."""
        return self.customer_name or self.product.name

    @property
    def is_on_sale(self) -> bool:
        """Return whether the product is 在售."""
        return bool(self.product.status == ProductStatus.ON_SALE)

    @property
    def available(self) -> int:
        """Return the number of pieces that can still be ordered."""
        return self.product.available


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """The customer's resolved terms for a product: price, name and code. None or empty if there
    are none.
    """

    price: Decimal | None = None
    source: PriceSource | None = None
    name: str = ""
    code: str = ""
    tiers: tuple[PriceTier, ...] = ()


@dataclass(frozen=True, slots=True)
class ListRow:
    """The row of one price list for a product: a price (元, 含税) with its tiers, or None, and the
    customer's name and code on that list.
    """

    source: PriceSource
    price: Decimal | None
    name: str
    code: str
    tiers: tuple[PriceTier, ...]


NO_TERMS = OwnTerms()


def get_offers(*, context: CatalogueContext, product_ids: Iterable[int]) -> dict[int, Offer]:
    """Return the offers by product id in the order of `product_ids`. Includes invisible
    products; unknown ids are missing. One query.
    """
    ids = list(dict.fromkeys(product_ids))
    products = fetch_product_rows(context, in_list("p.id", ids)) if ids else []
    by_id = {product.pk: product for product in products}
    return build_offers(context=context, products=[by_id[pk] for pk in ids if pk in by_id])


def get_offers_by_code(*, context: CatalogueContext, codes: Iterable[str]) -> dict[str, Offer]:
    """Return the offers by product code. Unknown codes are missing. One query."""
    distinct = list(dict.fromkeys(codes))
    products = fetch_product_rows(context, is_one_of("p.code", distinct)) if distinct else []
    return {
        offer.product.code: offer
        for offer in build_offers(context=context, products=products).values()
    }


def build_offers(*, context: CatalogueContext, products: list[Any]) -> dict[int, Offer]:
    """Return the offers by product id in the order of `products`. `fetch_product_rows` must have
    read them in the same context. No query.
    """
    is_priced = not context.hides_prices
    return {
        product.pk: _build_offer(product, _resolve_own_terms(context, product), is_priced=is_priced)
        for product in products
    }


def _build_offer(product: Any, own_terms: OwnTerms, *, is_priced: bool) -> Offer:
    """Return the offer of a product with the customer's own terms. Without own price, the market
    price applies.
    """
    return Offer(
        product=product,
        visible=product.is_visible,
        price=product.market_price if own_terms.price is None else own_terms.price,
        market_price=product.market_price,
        customer_name=own_terms.name,
        customer_code=own_terms.code,
        price_source=own_terms.source,
        is_priced=is_priced,
        tiers=own_terms.tiers,
    )


def list_rows(context: CatalogueContext, product: Any) -> list[ListRow]:
    """Return the rows of the customer's valid price lists for a product of `fetch_product_rows`, by
    priority.
    """
    rows = []
    for source, (price, name, code, until, tiers) in zip(
        context.sources, product.row_terms, strict=True
    ):
        if price is not None or name or code:
            dated = replace(source, valid_to=until) if until else source
            rows.append(ListRow(dated, price, name, code, tiers))
    return rows


def find_deciding_row(rows: list[ListRow]) -> ListRow | None:
    """Return the first row with a price, which decides. None if the market price applies."""
    return next((row for row in rows if row.price is not None), None)


def _resolve_own_terms(context: CatalogueContext, product: Any) -> OwnTerms:
    """Resolve price, name and code by priority. The first list with a price decides the price and
    its tiers, also if a later list would cost less at a large quantity.
    The group's own name and code take precedence, then the first list with a name or code.
    """
    name, code = product.own_terms
    rows = list_rows(context, product)
    if not rows:
        return OwnTerms(name=name, code=code) if name or code else NO_TERMS
    winner = find_deciding_row(rows)
    return OwnTerms(
        price=winner.price if winner else None,
        source=winner.source if winner else None,
        name=name or next((row.name for row in rows if row.name), ""),
        code=code or next((row.code for row in rows if row.code), ""),
        tiers=winner.tiers if winner else (),
    )
