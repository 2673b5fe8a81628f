"""Change, select and remove cart lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.cart.errors import CartItemNotFound
from apps.cart.models import CartItem
from apps.cart.selectors.problems import find_line_problem
from apps.catalog.errors import QuantityIllegal
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def cart_change(
    *, actor: Account, item_id: int, quantity: int | None = None, is_selected: bool | None = None
) -> None:
    """Set the quantity of a line, its selection, or both. None leaves a value unchanged.

    A quantity above the stock is accepted; the line then shows the problem. A quantity against
    minimum or step is refused.

    Raises:
        CartItemNotFound: the line is not in the actor's cart.
        QuantityIllegal: the quantity is below the minimum, or not a whole number of steps above it.
    """
    item = CartItem.objects.select_for_update().filter(account=actor, pk=item_id).first()
    if item is None:
        raise CartItemNotFound
    changes: dict[str, Any] = {"updated_at": timezone.now()}
    if quantity is not None:
        offer = get_offers(
            context=get_catalogue_context(actor=actor), product_ids=[item.product_id]
        )[item.product_id]
        problem = find_line_problem(offer, quantity)
        if problem and problem.code == QuantityIllegal.code:
            raise problem.as_error(offer.name)
        changes["quantity"] = quantity
    if is_selected is not None:
        changes["is_selected"] = is_selected
    CartItem.objects.filter(pk=item.pk).update(**changes)


def cart_select(*, actor: Account, is_selected: bool, item_ids: Sequence[int] | None = None) -> int:
    """Select or unselect lines, or all lines without ids. Return the number of lines."""
    items = CartItem.objects.filter(account=actor)
    if item_ids is not None:
        items = items.filter(pk__in=list(item_ids))
    changed_count: int = items.update(is_selected=is_selected)
    return changed_count


def cart_remove(*, actor: Account, item_ids: Sequence[int]) -> int:
    """Remove lines and return their number. A missing line is not an error, because two tabs may
    remove the same line.
    """
    deleted, _ = CartItem.objects.filter(account=actor, pk__in=list(item_ids)).delete()
    return int(deleted)


def cart_clear(*, actor: Account) -> int:
    """Empty the cart and return the number of removed lines."""
    deleted, _ = CartItem.objects.filter(account=actor).delete()
    return int(deleted)
