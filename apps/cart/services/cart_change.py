"""Change, select and remove what is in the cart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.cart.errors import CartItemNotFound
from apps.cart.models import CartItem
from apps.cart.selectors.problems import line_problem
from apps.catalog.errors import QuantityIllegal
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import offers_for

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def cart_change(*, actor: Account, item_id: int, quantity: int | None = None, is_selected: bool | None = None) -> None:
    """Set the quantity of a line, or whether it is selected, or both.

    A quantity beyond the stock is kept, the line says so; one against minimum and step is refused.

    Raises:
        CartItemNotFound: it is not in the actor's cart.
        QuantityIllegal: below the minimum, or no whole step above it.
    """
    item = CartItem.objects.select_for_update().filter(account=actor, pk=item_id).first()
    if item is None:
        raise CartItemNotFound
    changes: dict[str, Any] = {"updated_at": timezone.now()}
    if quantity is not None:
        offer = offers_for(context=catalogue_context(actor=actor), product_ids=[item.product_id])[item.product_id]
        problem = line_problem(offer, quantity)
        if problem and problem.code == QuantityIllegal.code:
            raise problem.as_error(offer.name)
        changes["quantity"] = quantity
    if is_selected is not None:
        changes["is_selected"] = is_selected
    CartItem.objects.filter(pk=item.pk).update(**changes)


def cart_select(*, actor: Account, is_selected: bool, item_ids: Sequence[int] | None = None) -> int:
    """Select or unselect lines, all of them when no ids are given; return how many there are."""
    items = CartItem.objects.filter(account=actor)
    wanted = items if item_ids is None else items.filter(pk__in=list(item_ids))
    changed: int = wanted.update(is_selected=is_selected)
    return changed


def cart_remove(*, actor: Account, item_ids: Sequence[int]) -> int:
    """Remove lines and return how many there were; what is gone already is no error, since two tabs may do the same."""
    deleted, _ = CartItem.objects.filter(account=actor, pk__in=list(item_ids)).delete()
    return int(deleted)


def cart_clear(*, actor: Account) -> int:
    """Empty the cart and return how many lines it had."""
    deleted, _ = CartItem.objects.filter(account=actor).delete()
    return int(deleted)
