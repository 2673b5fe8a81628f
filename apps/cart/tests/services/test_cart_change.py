"""Changes of cart lines reach only the actor's own lines."""

from __future__ import annotations

from apps.cart.models import CartItem
from apps.cart.services.cart_change import cart_remove
from apps.catalog.tests.factories import ProductFactory
from apps.orders.tests.factories import fill_cart
from apps.org.models import Account


def test_lines_of_a_colleague_are_not_removed(shopper: Account, approver: Account) -> None:
    (own,), (other,) = (
        fill_cart(account, (ProductFactory(), 1)) for account in (shopper, approver)
    )

    assert cart_remove(actor=shopper, item_ids=[own.pk, other.pk]) == 1
    assert list(CartItem.objects.all()) == [other]
