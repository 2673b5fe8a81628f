"""Tests of an account that is disabled and then enabled again."""

from __future__ import annotations

from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.org.models import Account


def test_reenabled_account_keeps_its_cart(ga: Account, buyer: Account) -> None:
    CartItem.objects.create(account=buyer, product=ProductFactory(), quantity=3)
    ApiClient(ga).post(f"/api/Account/{buyer.pk}/Disable")
    ApiClient(ga).post(f"/api/Account/{buyer.pk}/Enable")

    assert ApiClient(buyer).post("/api/ShoppingCart/Count").body == 1
