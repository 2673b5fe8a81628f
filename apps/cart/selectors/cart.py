"""The cart as it stands now: every look prices all its lines again and says which can no longer be bought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.cart.models import CartItem
from apps.cart.selectors.problems import LineProblem, line_problem
from apps.catalog.search.sql.fragment import Fragment, all_of, in_list
from apps.catalog.search.sql.rows import product_rows
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.offers import Offer, priced
from apps.common.money import ZERO, yuan

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class CartLine:
    """One product in the cart at today's price; prices in 元, 含税."""

    item_id: int
    offer: Offer
    quantity: int
    is_selected: bool
    problem: LineProblem | None
    added_price: Decimal | None = None
    is_for_colleagues: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether it can be bought as it stands."""
        return self.problem is None

    @property
    def price(self) -> Decimal | None:
        """The customer's price, None where he may no longer see the product."""
        return self.offer.price if self.offer.visible else None

    @property
    def amount(self) -> Decimal | None:
        """Price × quantity, None where there is no price."""
        return None if self.price is None else self.price * self.quantity


@dataclass(frozen=True, slots=True)
class CartView:
    """All lines, the newest first."""

    lines: list[CartLine]

    @property
    def chosen(self) -> list[CartLine]:
        """The lines that are selected and can be bought."""
        return [line for line in self.lines if line.is_selected and line.is_valid]

    @property
    def chosen_amount(self) -> Decimal:
        """What the chosen lines cost in 元, 含税, before freight."""
        return sum((line.amount or ZERO for line in self.chosen), ZERO)


def cart_view(*, actor: Account, context: CatalogueContext | None = None) -> CartView:
    """Return the actor's whole cart; two queries, whatever its length."""
    return CartView(_lines(actor, context or catalogue_context(actor=actor)))


def cart_lines(*, actor: Account, item_ids: Sequence[int] | None = None) -> list[CartLine]:
    """Return the lines of the ids that are in the actor's cart, the selected ones when left out; two queries."""
    wanted = Fragment("ci.is_selected") if item_ids is None else in_list("ci.id", item_ids)
    return _lines(actor, catalogue_context(actor=actor), wanted)


def cart_count(*, actor: Account) -> int:
    """Return how many different products are in the cart; one query."""
    count: int = CartItem.objects.filter(account=actor).count()
    return count


def _lines(actor: Account, context: CatalogueContext, *wanted: Fragment) -> list[CartLine]:
    mine = Fragment("ci.group_id = %s AND ci.account_id = %s", [actor.group_id, actor.pk])
    rows = product_rows(
        context,
        all_of([mine, *wanted]),
        joins=Fragment("JOIN cart_cartitem ci ON ci.product_id = p.id"),
        beside={
            "item_id": "ci.id",
            "item_quantity": "ci.quantity",
            "item_is_selected": "ci.is_selected",
            "item_added": "ci.added_price",
            "item_asked": "EXISTS(SELECT 1 FROM cart_requisitionline rl WHERE rl.cart_item_id = ci.id)",
        },
    )
    products = sorted(rows, key=lambda product: -product.item_id)
    offers = priced(context=context, products=products)
    return [
        CartLine(
            item_id=product.item_id,
            offer=offers[product.pk],
            quantity=product.item_quantity,
            is_selected=bool(product.item_is_selected),
            problem=line_problem(offers[product.pk], product.item_quantity),
            is_for_colleagues=bool(product.item_asked),
            added_price=None if product.item_added is None else yuan(Decimal(product.item_added) / 100),
        )
        for product in products
    ]
