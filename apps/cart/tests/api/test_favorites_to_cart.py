"""Tests of POST /api/Favorite/AddToCart."""

from __future__ import annotations

from typing import Any

import pytest

from apps.cart.models import CartItem
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.common.testing.client import make_key
from apps.org.models import Account
from apps.search.models import Favorite

PATH = "/api/Favorite/AddToCart"


@pytest.fixture
def client(buyer: Account) -> ApiClient:
    """The buyer's client. The favorites are a pen that is on sale and a lamp that is off sale."""
    client = ApiClient(buyer)
    for code, name in (("110001", "中性笔"), ("110002", "台灯")):
        ProductFactory(code=code, name=name, min_quantity=2, step_quantity=2)
        client.post("/api/Favorite/Add", {"TargetId": code, "Type": 1})
    Product.objects.filter(code="110002").update(status="off")
    return client


def build_wishes(**more: Any) -> dict[str, Any]:
    return {
        "Items": [
            {"ProductCode": "110001", "Quantity": 3},
            {"ProductCode": "110002", "Quantity": 2},
        ],
        **more,
    }


def list_favorite_codes() -> list[str]:
    return list(Favorite.objects.order_by("product__code").values_list("product__code", flat=True))


def test_favorites_to_cart_adds_available_products_and_reports_the_rest(
    client: ApiClient,
) -> None:
    body = client.post(PATH, build_wishes()).body

    assert list(CartItem.objects.values_list("product__code", "quantity")) == [("110001", 4)]
    assert body == {
        "Added": 1,
        "LeftOut": [
            {
                "ProductCode": "110002",
                "CustomerProductName": "台灯",
                "Brand": Product.objects.get(code="110002").brand.name,
                "Message": "已下架，请更换其他商品",
            }
        ],
    }
    assert list_favorite_codes() == ["110001", "110002"]


def test_favorites_to_cart_with_remove_keeps_only_refused_favorites(
    client: ApiClient,
) -> None:
    client.post(PATH, build_wishes(Remove=True))

    assert list_favorite_codes() == ["110002"]


def test_the_same_key_adds_once(client: ApiClient) -> None:
    key = make_key()
    for _ in range(2):
        client.post(PATH, build_wishes(), key=key)

    assert CartItem.objects.get().quantity == 4
