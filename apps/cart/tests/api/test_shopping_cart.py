"""Tests of /api/ShoppingCart against the specification, and of the requests that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from apps.cart.api.serializers import CartLineSerializer
from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_add
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import tenant_scope
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account

CART, ADD = "/api/ShoppingCart", "/api/ShoppingCart/AddToCart"


@pytest.fixture
def item(buyer: Account) -> CartItem:
    """Two pieces at 10.00 元 in the buyer's cart."""
    cart_add(actor=buyer, quantities={ProductFactory(code="700001", name="订书机").code: 2})
    cart_item: CartItem = CartItem.objects.get()
    return cart_item


def test_adding_to_the_cart_answers_with_the_specified_message(buyer: Account) -> None:
    product = ProductFactory()
    answer = ApiClient(buyer).post(ADD, {"Items": [{"ProductCode": product.code, "Quantity": 1}]})
    assert (answer.ok, answer.message) == (True, "添加购物车成功")


def test_the_count_is_a_number(buyer: Account, item: CartItem) -> None:
    assert ApiClient(buyer).post("/api/ShoppingCart/Count").body == 1


def test_a_line_has_the_keys_of_the_contract(buyer: Account, item: CartItem) -> None:
    body = ApiClient(buyer).get("/api/ShoppingCart").body
    assert body["Lines"] == [
        {
            "Id": str(item.pk),
            "ProductCode": "700001",
            "CustomerProductName": "订书机",
            "CustomerCode": "",
            "ImageUrl": "",
            "Brand": body["Lines"][0]["Brand"],
            "Unit": "支",
            "BaseUnit": "",
            "Contents": None,
            "BaseUnitPrice": None,
            "Quantity": 2,
            "MinQuantity": 1,
            "StepQuantity": 1,
            "CustomerPrice": "10.00",
            "MallPrice": "10.00",
            "SinglePrice": "10.00",
            "AddedPrice": "10.00",
            "Tiers": [],
            "NextTier": None,
            "Amount": "20.00",
            "Stock": 100,
            "Selected": True,
            "Valid": True,
            "Problem": None,
        }
    ]
    assert list(body["Lines"][0]) == list(CartLineSerializer().fields), (
        "the line written out and its schema"
    )
    assert (body["Count"], body["SelectedCount"], body["SelectedAmount"]) == (1, 1, "20.00")


@pytest.mark.parametrize("quantity", ["1_0", "+2", "1E+5", "2.0", " 3"])
def test_malformed_cart_quantity_is_refused(buyer: Account, item: CartItem, quantity: str) -> None:
    assert ApiClient(buyer).patch(
        f"/api/ShoppingCart/{item.pk}", {"Quantity": quantity}
    ).errors == {"Quantity": ["请输入整数数量"]}


def test_a_patch_sets_the_quantity(buyer: Account, item: CartItem) -> None:
    body = ApiClient(buyer).patch(f"/api/ShoppingCart/{item.pk}", {"Quantity": 5}).body
    assert body["Lines"][0]["Amount"] == "50.00"


def test_cart_quantity_above_the_stock_is_stored_with_a_problem(
    buyer: Account, item: CartItem
) -> None:
    line = (
        ApiClient(buyer).patch(f"/api/ShoppingCart/{item.pk}", {"Quantity": 101}).body["Lines"][0]
    )
    assert (line["Quantity"], line["Valid"], line["Problem"]["Code"]) == (101, False, "stock_short")


def test_unselecting_takes_the_line_out_of_the_sum(buyer: Account, item: CartItem) -> None:
    body = (
        ApiClient(buyer)
        .post("/api/ShoppingCart/Select", {"Ids": [str(item.pk)], "Selected": False})
        .body
    )
    assert (body["Lines"][0]["Selected"], body["SelectedAmount"]) == (False, "0.00")


def test_removing_twice_is_no_error(buyer: Account, item: CartItem) -> None:
    api = ApiClient(buyer)
    for _ in range(2):
        assert api.post("/api/ShoppingCart/Remove", {"Ids": [str(item.pk)]}).body["Lines"] == []


def test_repeated_idempotency_key_replaces_a_line_once(buyer: Account, item: CartItem) -> None:
    body = {"ProductCode": ProductFactory(code="700002", stock=5).code, "Quantity": 3}
    api, path = ApiClient(buyer), f"{CART}/{item.pk}/Replace"

    answers = [api.post(path, body, key="key-00000001").body["Lines"] for _ in range(2)]

    assert [[(line["ProductCode"], line["Quantity"]) for line in lines] for lines in answers] == [
        [("700002", 3)],
        [("700002", 3)],
    ]
    assert api.post(path, body, key="key-00000002").status == 404


def test_a_line_stays_if_its_replacement_cannot_be_bought(buyer: Account, item: CartItem) -> None:
    body = {"ProductCode": ProductFactory(stock=5).code, "Quantity": 6}

    assert ApiClient(buyer).post(f"{CART}/{item.pk}/Replace", body).code == "stock_short"
    assert CartItem.objects.get() == item


def test_clearing_empties_the_cart(buyer: Account, item: CartItem) -> None:
    assert ApiClient(buyer).post("/api/ShoppingCart/Clear").body["Count"] == 0


@pytest.mark.parametrize("path", ["", "/Count", "/AddToCart", "/Remove", "/Select", "/Clear"])
def test_cart_requires_a_login(db: None, path: str) -> None:
    api = ApiClient()
    answer = api.get("/api/ShoppingCart") if not path else api.post(f"/api/ShoppingCart{path}")
    assert (answer.status, answer.message) == (401, "未登录或登录已过期，请重新登录")


def test_cart_line_of_another_account_answers_as_a_missing_one(
    approver: Account, item: CartItem
) -> None:
    api = ApiClient(approver)
    foreign = api.patch(f"/api/ShoppingCart/{item.pk}", {"Quantity": 5})
    missing = api.patch("/api/ShoppingCart/999999", {"Quantity": 5})
    assert (
        (foreign.status, foreign.message)
        == (missing.status, missing.message)
        == (404, "购物车中没有该商品，请刷新后重试")
    )


def test_account_of_another_group_cannot_see_or_remove_a_cart_line(
    other_ga: Account, item: CartItem
) -> None:
    api = ApiClient(other_ga)
    assert api.get("/api/ShoppingCart").body["Lines"] == []
    api.post("/api/ShoppingCart/Remove", {"Ids": [str(item.pk)]})
    with tenant_scope(group_id=item.group_id):
        assert CartItem.objects.count() == 1


BAD: list[tuple[Any, str]] = [
    ({}, "Items"),
    ({"Items": []}, "Items.non_field_errors"),
    ({"Items": "700001"}, "Items.non_field_errors"),
    ({"Items": [{"ProductCode": "700001"}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "A1", "Quantity": 1}]}, "Items.0.ProductCode"),
    ({"Items": [{"ProductCode": "７０", "Quantity": 1}]}, "Items.0.ProductCode"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 0}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": -1}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 1000000}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 10**15}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 1.5}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": True}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": None}]}, "Items.0.Quantity"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 1, "Price": "0.01"}]}, "Items.0.Price"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 1}] * 201}, "Items.non_field_errors"),
    ({"Items": [{"ProductCode": "700001", "Quantity": 1}], "Account": 1}, "Account"),
]


@pytest.mark.parametrize(("body", "field"), BAD, ids=lambda value: str(value)[:60])
def test_invalid_cart_body_reports_its_field_and_adds_nothing(
    buyer: Account, body: Any, field: str
) -> None:
    answer = ApiClient(buyer).post(ADD, body)
    assert (answer.status, answer.code, list(answer.errors)) == (200, "validation", [field])
    assert not CartItem.objects.exists()


def test_adding_costs_six_queries_and_two_more_with_a_key(buyer: Account) -> None:
    item, api = {"ProductCode": ProductFactory().code, "Quantity": 1}, ApiClient(buyer)
    api.get(CART)
    with assert_queries(6):
        assert api.post(ADD, {"Items": [item]}).ok
    with assert_queries(8):
        assert api.post(ADD, {"Items": [item]}, key="key-00000001").ok


@pytest.mark.parametrize("length", [1, 100])
def test_cart_page_takes_three_queries_for_any_number_of_lines(buyer: Account, length: int) -> None:
    first, api = ProductFactory(), ApiClient(buyer)
    rows = [
        first,
        *(ProductFactory(brand=first.brand, category=first.category) for _ in range(length - 1)),
    ]
    api.post(ADD, {"Items": [{"ProductCode": row.code, "Quantity": 1} for row in rows]})
    with assert_queries(3):
        assert api.get(CART).body["Count"] == length
