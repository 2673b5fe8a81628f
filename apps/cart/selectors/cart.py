"""The current cart. Every read prices all lines again and reports the lines that can no longer
be bought.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.cart.models import CartItem
from apps.cart.selectors.problems import UNIT_CHANGED, LineProblem, find_line_problem
from apps.common.money import ZERO, round_yuan
from apps.common.quantity import get_next_legal_quantity
from apps.common.sql import Fragment, all_of, in_list
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, build_offers, get_offers
from apps.pricing.sql.products import fetch_product_rows

if TYPE_CHECKING:
    from apps.catalog.models import Product
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class NextTier:
    """The next lower price of a line: from `quantity` units on, which is `more` than now, a unit
    costs `price`. `saving` is what they cost less than at the present price. 元, 含税.
    """

    quantity: int
    more: int
    price: Decimal
    saving: Decimal


@dataclass(frozen=True, slots=True)
class HeldPrice:
    """The price of a unit (元, 含税) that a quotation holds for a quantity, and its tiers as in
    `Offer.build_tiers_snapshot`. The unit, the pack and the contents are those of the price.
    """

    price: Decimal
    tiers: dict[str, Any] | None
    unit: str
    pack: str
    contents: int | None

    def is_for(self, product: Product) -> bool:
        """Return whether the product is still sold in the quoted unit, pack and contents. Contents
        that were unknown when the price was quoted are not compared.
        """
        return (
            self.unit == product.unit
            and self.pack == product.pack
            and self.contents in (None, product.contents)
        )


@dataclass(frozen=True, slots=True)
class CartLine:
    """One product in the cart at its current price. Prices in 元, 含税.

    `is_for_colleagues`: the line holds pieces of colleagues' requisitions. Only set by a caller of
    `list_cart_lines` that asks for it. `held_price` is the price of a quotation; it counts while it
    is below the present one.
    """

    item_id: int
    offer: Offer
    quantity: int
    is_selected: bool
    problem: LineProblem | None
    added_price: Decimal | None = None
    is_for_colleagues: bool = False
    held_price: HeldPrice | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the line can be bought now."""
        return self.problem is None

    @property
    def price(self) -> Decimal | None:
        """The customer's price for the quantity. None if the customer may no longer see the product
        or its price.
        """
        if not self.offer.visible or not self.offer.is_priced:
            return None
        price = self.offer.get_price_for(self.quantity)
        return price if self.held_price is None else min(price, self.held_price.price)

    @property
    def tiers_snapshot(self) -> dict[str, Any] | None:
        """Return the tiers under which the line is priced. None without tiers."""
        held_price = self.held_price
        if held_price is not None and held_price.price < self.offer.get_price_for(self.quantity):
            return held_price.tiers
        return self.offer.build_tiers_snapshot(self.quantity)

    @property
    def single_price(self) -> Decimal | None:
        """The customer's price of a quantity below the first tier. None as `price`."""
        return self.offer.shown_price if self.offer.visible else None

    @property
    def amount(self) -> Decimal | None:
        """Price × quantity, or None without a price."""
        return None if self.price is None else self.price * self.quantity

    @property
    def next_tier(self) -> NextTier | None:
        """The next tier with a lower price that can be bought: a legal quantity within the stock.
        None without one, and for a line that cannot be bought now.
        """
        price, product = self.price, self.offer.product
        if price is None or not self.offer.tiers or self.problem is not None:
            return None
        for tier in self.offer.tiers:
            if tier.quantity <= self.quantity or tier.price >= price:
                continue
            legal = get_next_legal_quantity(
                tier.quantity, minimum=product.min_quantity, step=product.step_quantity
            )
            if not tier.quantity <= legal <= self.offer.available:
                return None
            lower = self.offer.get_price_for(legal)
            return NextTier(legal, legal - self.quantity, lower, (price - lower) * legal)
        return None


@dataclass(frozen=True, slots=True)
class BasketLine:
    """A product with its quantity outside the cart, such as a line of a recurring order. `line_id`
    is its key in problems, as `CartLine.item_id` is.
    """

    line_id: int
    product_id: int
    quantity: int
    held_price: HeldPrice | None = None


@dataclass(frozen=True, slots=True)
class CartView:
    """All lines, the newest first."""

    lines: list[CartLine]

    @property
    def chosen(self) -> list[CartLine]:
        """The selected lines that can be bought."""
        return [line for line in self.lines if line.is_selected and line.is_valid]

    @property
    def chosen_amount(self) -> Decimal:
        """The amount of the chosen lines in 元, 含税, before freight."""
        return sum((line.amount or ZERO for line in self.chosen), ZERO)


def get_cart(*, actor: Account, context: CatalogueContext | None = None) -> CartView:
    """Return the actor's whole cart. Two queries for any number of lines."""
    return CartView(_fetch_lines(actor, context or get_catalogue_context(actor=actor)))


def list_cart_lines(
    *, actor: Account, item_ids: Sequence[int] | None = None, for_colleagues: str = "FALSE"
) -> list[CartLine]:
    """Return the lines of the actor's cart with these ids, or the selected lines without ids.
    Two queries.

    `for_colleagues` is the SQL condition on a cart line `ci` that gives `is_for_colleagues`. The
    apps above know it, because the cart knows no requisitions.
    """
    selection = Fragment("ci.is_selected") if item_ids is None else in_list("ci.id", item_ids)
    return _fetch_lines(
        actor, get_catalogue_context(actor=actor), selection, for_colleagues=for_colleagues
    )


def list_basket_lines(*, actor: Account, basket: Sequence[BasketLine]) -> list[CartLine]:
    """Return the lines of a basket as if they were in the actor's cart, in the order of `basket`.
    The cart is not read. Two queries.
    """
    offers = get_offers(
        context=get_catalogue_context(actor=actor), product_ids=[line.product_id for line in basket]
    )
    return [_build_basket_line(line, offers[line.product_id]) for line in basket]


def _build_basket_line(line: BasketLine, offer: Offer) -> CartLine:
    """Return the line with its held price, or with a problem if the price is for another unit."""
    held_price = line.held_price
    is_other_unit = held_price is not None and not held_price.is_for(offer.product)
    return CartLine(
        item_id=line.line_id,
        offer=offer,
        quantity=line.quantity,
        is_selected=True,
        problem=UNIT_CHANGED if is_other_unit else find_line_problem(offer, line.quantity),
        held_price=None if is_other_unit else held_price,
    )


def count_cart_lines(*, actor: Account) -> int:
    """Return the number of different products in the cart. One query."""
    count: int = CartItem.objects.filter(account=actor).count()
    return count


def _fetch_lines(
    actor: Account,
    context: CatalogueContext,
    *conditions: Fragment,
    for_colleagues: str = "FALSE",
) -> list[CartLine]:
    """Return the actor's cart lines that meet the conditions, with current price, stock and
    problems.
    """
    mine = Fragment("ci.group_id = %s AND ci.account_id = %s", [actor.group_id, actor.pk])
    rows = fetch_product_rows(
        context,
        all_of([mine, *conditions]),
        joins=Fragment("JOIN cart_cartitem ci ON ci.product_id = p.id"),
        extra_columns={
            "item_id": "ci.id",
            "item_quantity": "ci.quantity",
            "item_is_selected": "ci.is_selected",
            "item_added": "ci.added_price",
            "item_for_colleagues": for_colleagues,
        },
    )
    products = sorted(rows, key=lambda product: -product.item_id)
    offers = build_offers(context=context, products=products)
    return [
        CartLine(
            item_id=product.item_id,
            offer=offers[product.pk],
            quantity=product.item_quantity,
            is_selected=bool(product.item_is_selected),
            problem=find_line_problem(offers[product.pk], product.item_quantity),
            is_for_colleagues=bool(product.item_for_colleagues),
            added_price=None
            if product.item_added is None
            else round_yuan(Decimal(product.item_added) / 100),
        )
        for product in products
    ]
