"""Add products to the cart: by code, from an order, from 快速下单, or from the favorites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from apps.cart.errors import CartFull, CartItemNotFound, ProductNotInCatalogue
from apps.cart.locks import lock_cart
from apps.cart.models import CartItem
from apps.cart.selectors.problems import LineProblem, find_line_problem
from apps.common.quantity import MAX_QUANTITY, get_next_legal_quantity, is_legal
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import require_purchasing
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers, get_offers_by_code
from apps.search.enums import FavoriteType
from apps.search.services.favorites import favorites_remove

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_LINES = 200


class _NewLine(NamedTuple):
    """The new quantity of a line, and the price of one unit at which it is added. The tiers do not
    count: a higher quantity is no change of the price.
    """

    quantity: int
    price: Decimal


@transaction.atomic
def cart_add(*, actor: Account, quantities: Mapping[str, int]) -> int:
    """Add quantities by ProductCode to the current ones. Returns the number of products in the
    cart. All or nothing.

    Raises:
        NotInCatalogue, OffSale, QuantityIllegal, StockShort: a product cannot be bought in the
            resulting quantity.
        CartFull: the cart would have more than 200 lines.
        PurchasingRefused: the actor may only browse.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    offers = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=quantities)
    lock_cart(actor=actor)
    cart_quantities = _get_quantities_in_cart(actor)
    new_lines: dict[int, _NewLine] = {}
    for code, quantity in quantities.items():
        offer = offers.get(code)
        if offer is None:
            raise ProductNotInCatalogue(code)
        total = cart_quantities.get(offer.product.pk, 0) + quantity
        problem = find_line_problem(offer, total)
        if problem:
            raise problem.as_error(offer.name)
        new_lines[offer.product.pk] = _NewLine(total, offer.price)
    return _put_lines(actor, cart_quantities, new_lines)


@transaction.atomic
def cart_replace(*, actor: Account, item_id: int, code: str, quantity: int) -> None:
    """Remove a line and add the quantity of another product, both or neither.

    Raises:
        CartItemNotFound: the line is not in the actor's cart.
        NotInCatalogue, OffSale, QuantityIllegal, StockShort: as `cart_add`.
        PurchasingRefused: the actor may only browse.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    lock_cart(actor=actor)
    deleted, _ = CartItem.objects.filter(account=actor, pk=item_id).delete()
    if not deleted:
        raise CartItemNotFound
    cart_add(actor=actor, quantities={code: quantity})


@transaction.atomic
def cart_refill(
    *, actor: Account, quantities: Mapping[int, int]
) -> list[tuple[Offer | None, int, str]]:
    """Set quantities by product pk for the products that can be bought. An existing line is
    raised to the quantity; the two are not added.

    Returns the products that were left out: (offer or None, product pk, reason), in the given
    order.

    Raises:
        PurchasingRefused: the actor may only browse.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    offers = get_offers(context=get_catalogue_context(actor=actor), product_ids=quantities)
    lock_cart(actor=actor)
    cart_quantities = _get_quantities_in_cart(actor)
    new_lines: dict[int, _NewLine] = {}
    refusals: list[tuple[Offer | None, int, str]] = []
    for pk, quantity in quantities.items():
        offer = offers.get(pk)
        if offer is None:
            refusals.append((None, pk, "不在您的采购目录内"))
            continue
        total = _round_up_to_legal(offer, max(cart_quantities.get(pk, 0), quantity))
        if reason := _format_problem(find_line_problem(offer, total)):
            refusals.append((offer, pk, reason))
        elif len(cart_quantities.keys() | new_lines.keys() | {pk}) > MAX_LINES:
            refusals.append((offer, pk, CartFull.message))
        else:
            new_lines[pk] = _NewLine(total, offer.price)
    _put_lines(actor, cart_quantities, new_lines)
    return refusals


@transaction.atomic
def cart_fill(
    *, actor: Account, quantities: Mapping[str, int], at_most: Mapping[str, Decimal] | None = None
) -> tuple[int, list[tuple[str, Offer | None, str]]]:
    """Add quantities by ProductCode to the current ones, for the products that can be bought
    and while the cart has room.

    `at_most` is the highest accepted price (元, 含税) by ProductCode; a product with a higher price
    is left out. Returns the number of added products, and the products that were left out: (code,
    offer or None, reason), in the given order. Four queries.

    Raises:
        PurchasingRefused: the actor may only browse.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    offers = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=quantities)
    lock_cart(actor=actor)
    cart_quantities = _get_quantities_in_cart(actor)
    new_lines: dict[int, _NewLine] = {}
    refusals: list[tuple[str, Offer | None, str]] = []
    for code, quantity in quantities.items():
        offer = offers.get(code)
        if offer is None or not offer.visible:
            refusals.append((code, None, "不在您的采购目录内，请更换商品或联系客服"))
            continue
        total = _round_up_to_legal(offer, cart_quantities.get(offer.product.pk, 0) + quantity)
        reason = _find_price_limit_refusal(
            offer, total, (at_most or {}).get(code)
        ) or _format_problem(find_line_problem(offer, total))
        if reason:
            refusals.append((code, offer, reason))
        elif len(cart_quantities.keys() | new_lines.keys() | {offer.product.pk}) > MAX_LINES:
            refusals.append((code, offer, CartFull.message))
        else:
            new_lines[offer.product.pk] = _NewLine(total, offer.price)
    _put_lines(actor, cart_quantities, new_lines)
    return len(new_lines), refusals


def _round_up_to_legal(offer: Offer, quantity: int) -> int:
    """Return the quantity rounded up to a legal one. A quantity above the maximum is unchanged,
    so that the check refuses it.
    """
    bounds = {"minimum": offer.product.min_quantity, "step": offer.product.step_quantity}
    return (
        quantity
        if quantity > MAX_QUANTITY or is_legal(quantity, **bounds)
        else get_next_legal_quantity(quantity, **bounds)
    )


def _format_problem(problem: LineProblem | None) -> str:
    return f"{problem.message}，{problem.suggestion}" if problem else ""


def _find_price_limit_refusal(offer: Offer, quantity: int, limit: Decimal | None) -> str:
    """Return in Chinese why the price is above the limit in 元. "" if it is not."""
    price = offer.get_price_for(quantity)
    if limit is None or price <= limit:
        return ""
    return f"现价 ¥{price:,.2f} 高于报价 ¥{limit:,.2f}，请重新询价"


def _get_quantities_in_cart(actor: Account) -> dict[int, int]:
    return dict(
        CartItem.objects.filter(account=actor).order_by().values_list("product_id", "quantity")
    )


def _put_lines(
    actor: Account, cart_quantities: Mapping[int, int], new_lines: Mapping[int, _NewLine]
) -> int:
    """Write the quantities in one statement. An existing line becomes selected and gets the
    current price as its added price. Returns the number of products in the cart.
    """
    count = len(cart_quantities.keys() | new_lines.keys())
    if count > MAX_LINES:
        raise CartFull
    _upsert_lines(actor, new_lines.items())
    return count


def _upsert_lines(actor: Account, new_lines: Iterable[tuple[int, _NewLine]]) -> None:
    """Insert the lines, or replace quantity and price of those that exist. `new_lines` are pairs of
    product id and line.
    """
    common_values: dict[str, Any] = {
        "group_id": actor.group_id,
        "account": actor,
        "is_selected": True,
        "updated_at": timezone.now(),
    }
    CartItem.objects.bulk_create(
        [
            CartItem(
                product_id=pk,
                quantity=new_line.quantity,
                added_price=new_line.price,
                **common_values,
            )
            for pk, new_line in new_lines
        ],
        update_conflicts=True,
        unique_fields=["group", "account", "product"],
        update_fields=["quantity", "is_selected", "added_price", "updated_at"],
    )


@transaction.atomic
def favorites_to_cart(
    *, actor: Account, quantities: Mapping[str, int], kind: FavoriteType, is_removing: bool
) -> tuple[int, list[tuple[str, Offer | None, str]]]:
    """Add quantities by ProductCode for the products that can be bought. With `is_removing`, the
    added products are removed from the list.

    Returns the number of added products, and the products that were left out: (code, offer or None,
    reason), in the given order.
    """
    added_count, refusals = cart_fill(actor=actor, quantities=quantities)
    if is_removing and added_count:
        left_out = {code for code, _, _ in refusals}
        favorites_remove(
            actor=actor, codes=[code for code in quantities if code not in left_out], kind=kind
        )
    return added_count, refusals
