"""仅浏览（不显示价格）: no endpoint that shows products sends a price.

The product costs 8765.43 元, 4321.09 元 by agreement. No answer may contain these digits.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.assistant.tests.sse import ask
from apps.catalog.tests.factories import (
    AgreementFactory,
    AssortmentFactory,
    PriceListFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import Answer, ApiClient
from apps.orders.tests.factories import fill_cart, place_order
from apps.org.enums import PurchasingRight
from apps.org.models import Account
from apps.search.enums import FavoriteType
from apps.search.models import Favorite

DIGITS = ("8765", "8,765", "4321", "4,321")
NO_PRICES = "您的账号不显示商品价格，不能使用此功能；如需使用，请联系集团管理员调整角色的采购权限"
READS: list[tuple[str, str, dict[str, Any]]] = [
    ("get", "/api/Product", {"Keyword": "签字笔"}),
    ("get", "/api/Product", {"Sort": "price"}),
    ("get", "/api/Product", {"MinPrice": "4000", "MaxPrice": "9000"}),
    ("get", "/api/Product/800001", {}),
    ("get", "/api/Product/Shortages", {"Item": ["800001:1"]}),
    ("get", "/api/Product/Compare", {"Code": ["800001", "800002"]}),
    ("get", "/api/Product/800001/Purchases", {}),
    ("get", "/api/Product/800001/Delivery", {}),
    ("get", "/api/Product/Rank", {}),
    ("post", "/api/Product/Rank/Export", {}),
    ("post", "/api/Product/Search", {"Key": "签字"}),
    ("get", "/api/Search/Suggest", {"Key": "签字"}),
    ("get", "/api/Favorite", {"Type": 1}),
    ("get", "/api/ShoppingCart", {}),
    ("post", "/api/ShoppingCart/YouLike/订单/6", {}),
    ("post", "/api/Product/QuickOrder", {"Text": "800001 2"}),
    ("get", "/api/Workbench", {}),
    ("get", "/api/Product", {"Sort": "baseUnitPrice"}),
]
# Endpoints that consist of prices refuse the person.
REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("post", "/api/Product/Select", {"Text": "签字笔 2"}),
    (
        "post",
        "/api/Product/Select",
        {"Scenario": {"Code": "meeting", "HeadCount": 5, "Budget": "500.00"}},
    ),
    (
        "post",
        "/api/Product/Select/Export",
        {"Lines": [{"Text": "签字笔", "ProductCode": "800001", "Quantity": 2}]},
    ),
    ("get", "/api/ProductInquiry", {}),
    ("post", "/api/ProductInquiry", {"Lines": [{"Name": "签字笔", "Quantity": 1, "Unit": "支"}]}),
]


@pytest.fixture
def looker(shopper: Account) -> Account:
    """A person who has bought, saved and put into the cart what he may now only look at."""
    sold: dict[str, Any] = {
        "market_price": Decimal("8765.43"),
        "base_unit": "支",
        "contents": 1,
    }
    agreed = ProductFactory(code="800001", name="签字笔蓝", **sold)
    plain = ProductFactory(code="800002", name="签字笔黑", **sold)
    assortment, prices = AssortmentFactory(), PriceListFactory()
    include_in_assortment(assortment)
    PriceListItemFactory(price_list=prices, product=agreed, price=Decimal("4321.09"))
    create_customer_agreement(
        shopper.group, AgreementFactory(assortment=assortment, price_list=prices)
    )
    place_order(shopper, (plain, 1))
    fill_cart(shopper, (agreed, 1))
    for product in (agreed, plain):
        Favorite.objects.create(
            account=shopper,
            type=FavoriteType.FAVORITE,
            product=product,
            at=shopper.created_at,
            added_price=Decimal("8765.43"),
        )
    shopper.roles.update(purchasing=PurchasingRight.BROWSE_UNPRICED, menu_codes=[])
    account: Account = Account.objects.get(pk=shopper.pk)
    return account


def call(account: Account, method: str, path: str, body: dict[str, Any]) -> Answer:
    answer: Answer = getattr(ApiClient(account), method)(path, body)
    return answer


@pytest.mark.parametrize(("method", "path", "body"), READS)
def test_no_answer_contains_a_price(
    looker: Account, method: str, path: str, body: dict[str, Any]
) -> None:
    answer = call(looker, method, path, body)

    assert answer.ok
    text = answer.response.content.decode("utf-8", "replace")
    assert [digits for digits in DIGITS if digits in text] == []


@pytest.mark.parametrize(("method", "path", "body"), READS[:5])
def test_same_answer_contains_prices_for_an_account_with_the_price_right(
    looker: Account, method: str, path: str, body: dict[str, Any]
) -> None:
    looker.roles.update(purchasing=PurchasingRight.BROWSE)

    text = call(looker, method, path, body).response.content.decode("utf-8", "replace")

    assert any(digits in text for digits in DIGITS)


@pytest.mark.parametrize(("method", "path", "body"), REFUSED)
def test_a_feature_that_consists_of_prices_is_refused(
    looker: Account, method: str, path: str, body: dict[str, Any]
) -> None:
    answer = call(looker, method, path, body)

    assert (answer.code, answer.message) == ("purchasing_refused", NO_PRICES)


def test_a_list_has_null_for_a_hidden_price_and_no_price_facet(looker: Account) -> None:
    body = ApiClient(looker).get("/api/Product", {"Keyword": "签字笔", "Sort": "price"}).body

    assert {(row["CustomerPrice"], row["MallPrice"]) for row in body["Items"]} == {(None, None)}
    assert body["Facets"]["Prices"] == []


def test_price_filter_has_no_effect_without_the_price_right(looker: Account) -> None:
    body = ApiClient(looker).get("/api/Product", {"MaxPrice": "1", "MaxBaseUnitPrice": "1"}).body
    answer = ApiClient(looker).get("/api/Product", {"Keyword": "1元以内的签字笔"}).body
    plain = ApiClient(looker).get("/api/Product", {"Keyword": "签字笔"}).body

    assert body["Total"] == 2
    assert answer["Total"] == plain["Total"] > 0
    assert [part["Label"] for part in answer["Phrase"]] == ["您的角色不显示价格，未按价格筛选"]
    assert "Relaxed" not in answer


def test_assistant_answers_without_prices_without_the_price_right(looker: Account) -> None:
    for text in ("签字笔多少钱", "800001多少钱", "对比800001和800002", "我的购物车"):
        answer = ask(looker, text)
        assert [digits for digits in DIGITS if digits in str(answer)] == [], text


def test_a_product_saved_without_a_price_has_no_price_change_later(looker: Account) -> None:
    ApiClient(looker).post("/api/Favorite/Add", {"TargetId": "800001", "Type": 1})
    looker.roles.update(purchasing=PurchasingRight.BROWSE)

    rows = ApiClient(looker).get("/api/Favorite", {"Type": 1}).body["Items"]

    assert [row["PriceChange"] for row in rows if row["ProductCode"] == "800001"] == [None]
