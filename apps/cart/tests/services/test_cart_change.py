"""Changes of cart lines: only of the actor's own lines, and only to legal quantities."""

from __future__ import annotations

import pytest

from apps.cart.models import CartItem
from apps.cart.services.cart_change import cart_change, cart_remove
from apps.catalog.errors import QuantityIllegal
from apps.catalog.tests.factories import ProductFactory
from apps.orders.tests.factories import fill_cart
from apps.org.models import Account


def test_lines_of_a_colleague_are_not_removed(shopper: Account, approver: Account) -> None:
    (own,), (other,) = (
        fill_cart(account, (ProductFactory(), 1)) for account in (shopper, approver)
    )

    assert cart_remove(actor=shopper, item_ids=[own.pk, other.pk]) == 1
    assert list(CartItem.objects.all()) == [other]


def test_quantity_against_the_minimum_is_refused_and_not_stored(shopper: Account) -> None:
    (item,) = fill_cart(shopper, (ProductFactory(min_quantity=10, step_quantity=5), 10))

    with pytest.raises(QuantityIllegal):
        cart_change(actor=shopper, item_id=item.pk, quantity=9)

    assert CartItem.objects.get().quantity == 10
