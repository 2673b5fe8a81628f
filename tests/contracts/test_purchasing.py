"""采购权限: every endpoint that leads to an order, and its answer for each purchasing right.

A new endpoint that fills a cart, requests goods or orders them belongs into `ROUTES`.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from drf_spectacular.generators import EndpointEnumerator

from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import Answer, ApiClient
from apps.common.testing.client import make_key
from apps.identity.selectors import find_account_of_bearer
from apps.identity.tokens import read_access_token
from apps.orders.models import Order
from apps.orders.tests.factories import fill_cart, place_order
from apps.org.enums import PurchasingRight
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.requisitions.models import Requisition
from apps.requisitions.services.requisitions import requisition_submit
from tests.contracts.objects import OBJECTS

REQUEST_INSTEAD = "您的角色仅可提交采购申请，不能下单，请改为提交采购申请，由采购人员下单"
BROWSE_ONLY = (
    "您的账号仅可浏览商品，不能加入购物车、提交采购申请或下单；"
    "如需采购，请联系集团管理员为您的角色开通采购权限"
)
# Endpoint → whether a person with 仅申请 may call it.
ROUTES: dict[str, bool] = {
    "POST /api/ShoppingCart/AddToCart": True,
    "POST /api/ShoppingCart/{item}/Replace": True,
    "POST /api/Product/QuickOrder/AddToCart": True,
    "POST /api/Favorite/AddToCart": True,
    "POST /api/QuickList/{pk}/AddToCart": True,
    "POST /api/ProductInquiry/{inquiry}/Adopt": True,
    "POST /api/Assistant/Proposal/{proposal}/Accept": True,
    "POST /api/Order/{order}/Reorder": True,
    "POST /api/Order/BatchReorder": True,
    "POST /api/Requisition": True,
    "POST /api/Requisition/Gather": False,
    "POST /api/Order/Preview": False,
    "POST /api/Order": False,
}
# By the name of a route, so that a new one of these kinds fails here until it has a row.
LEADS_TO_AN_ORDER = re.compile(r"/(AddToCart|Replace|Adopt|Accept|\w*Reorder|Gather|Preview)$")
# Previews of other documents.
OTHER_PREVIEWS = {"POST /api/CancelOrder/Preview", "POST /api/InvoiceApplication/Preview"}
BROWSING = (PurchasingRight.BROWSE, PurchasingRight.BROWSE_UNPRICED)


@pytest.fixture
def bodies(shopper: Account) -> dict[str, Any]:
    """A valid body for each endpoint. Everything exists before the right changes."""
    colleague = AccountFactory(department=shopper.department, roles=[])
    shopper.roles.update(data_scope="department")
    fill_cart(colleague, (ProductFactory(), 2))
    line = requisition_submit(actor=colleague).lines.get()
    order = place_order(shopper)
    fill_cart(shopper, (ProductFactory(code="700001"), 2))
    added = {"Items": [{"ProductCode": "700001", "Quantity": 2}]}
    return {
        "POST /api/ShoppingCart/AddToCart": added,
        "POST /api/ShoppingCart/{item}/Replace": {"ProductCode": "700001", "Quantity": 2},
        "POST /api/Product/QuickOrder/AddToCart": added,
        "POST /api/Favorite/AddToCart": {**added, "Type": 1},
        "POST /api/QuickList/{pk}/AddToCart": {},
        "POST /api/ProductInquiry/{inquiry}/Adopt": {},
        "POST /api/Assistant/Proposal/{proposal}/Accept": {},
        "POST /api/Order/{order}/Reorder": {},
        "POST /api/Order/BatchReorder": {"OrderNos": [order.order_no]},
        "POST /api/Requisition": {},
        "POST /api/Requisition/Gather": {"Lines": [{"Id": str(line.pk), "Quantity": 1}]},
        "POST /api/Order/Preview": {},
        "POST /api/Order": {},
    }


@pytest.fixture
def addresses(shopper: Account, bodies: dict[str, Any]) -> dict[str, str]:
    """The key of each object in an address."""
    order: str = bodies["POST /api/Order/BatchReorder"]["OrderNos"][0]
    return {
        "item": str(CartItem.objects.get(account=shopper).pk),
        "pk": OBJECTS["quick_list"](shopper),
        "inquiry": OBJECTS["inquiry"](shopper),
        "proposal": OBJECTS["proposal"](shopper),
        "order": order,
    }


def call(shopper: Account, route: str, bodies: dict[str, Any], addresses: dict[str, str]) -> Answer:
    path = route.removeprefix("POST ").format(**addresses)
    return ApiClient(shopper).post(path, bodies[route], key=make_key())


def test_these_are_all_of_them() -> None:
    routes = {
        f"{method} {path}"
        for path, _, method, callback in EndpointEnumerator().get_api_endpoints()
        if hasattr(callback, "actions") and LEADS_TO_AN_ORDER.search(path)
    }
    named = {re.sub(r"\{(\w+?)(_\w+)?\}", r"{\1}", route) for route in routes}

    assert named - ROUTES.keys() == OTHER_PREVIEWS


def count_written() -> tuple[dict[str, int], int, int]:
    """Return the cart lines, and the numbers of orders and requisitions."""
    lines = dict(CartItem.objects.values_list("product__code", "quantity"))
    return lines, Order.objects.count(), Requisition.objects.count()


@pytest.mark.parametrize("right", BROWSING)
@pytest.mark.parametrize("route", ROUTES)
def test_browse_right_is_refused_on_every_purchasing_route(
    shopper: Account,
    bodies: dict[str, Any],
    addresses: dict[str, str],
    route: str,
    right: PurchasingRight,
) -> None:
    shopper.roles.update(purchasing=right)
    before = count_written()

    answer = call(shopper, route, bodies, addresses)

    assert (answer.status, answer.code, answer.message, answer.body) == (
        200,
        "purchasing_refused",
        BROWSE_ONLY,
        {"Purchasing": right.value},
    )
    assert count_written() == before


@pytest.mark.parametrize("route", [route for route, may in ROUTES.items() if not may])
def test_request_right_is_refused_on_ordering_routes_with_a_hint(
    shopper: Account, bodies: dict[str, Any], addresses: dict[str, str], route: str
) -> None:
    shopper.roles.update(purchasing=PurchasingRight.REQUEST)
    before = count_written()

    answer = call(shopper, route, bodies, addresses)

    assert (answer.code, answer.message, answer.body) == (
        "purchasing_refused",
        REQUEST_INSTEAD,
        {"Purchasing": "request"},
    )
    assert count_written() == before


@pytest.mark.parametrize("route", [route for route, may in ROUTES.items() if may])
def test_request_right_may_fill_the_cart_and_submit_requisitions(
    shopper: Account, bodies: dict[str, Any], addresses: dict[str, str], route: str
) -> None:
    shopper.roles.update(purchasing=PurchasingRight.REQUEST)

    assert call(shopper, route, bodies, addresses).code != "purchasing_refused"


@pytest.mark.parametrize("route", ROUTES)
def test_order_right_is_refused_on_no_purchasing_route(
    shopper: Account, bodies: dict[str, Any], addresses: dict[str, str], route: str
) -> None:
    assert call(shopper, route, bodies, addresses).code != "purchasing_refused"


def test_the_widest_right_of_several_roles_counts(
    shopper: Account, bodies: dict[str, Any], addresses: dict[str, str]
) -> None:
    shopper.roles.update(purchasing=PurchasingRight.BROWSE_UNPRICED)
    shopper.roles.add(
        RoleFactory(group=shopper.group, menu_codes=[], purchasing=PurchasingRight.ORDER)
    )

    assert call(shopper, "POST /api/Order", bodies, addresses).ok


def test_an_account_without_a_role_may_request_and_not_order(
    shopper: Account, bodies: dict[str, Any], addresses: dict[str, str]
) -> None:
    shopper.roles.clear()

    assert call(shopper, "POST /api/Order", bodies, addresses).message == REQUEST_INSTEAD
    assert call(shopper, "POST /api/Requisition", bodies, addresses).ok


def test_a_bearer_carries_the_right_without_another_query(
    shopper: Account, django_assert_num_queries: Any
) -> None:
    shopper.roles.update(purchasing=PurchasingRight.BROWSE)
    bearer = read_access_token(ApiClient(shopper).bearer)
    assert bearer is not None

    with django_assert_num_queries(1):
        account = find_account_of_bearer(bearer)
        assert account is not None
        assert account.purchasing == PurchasingRight.BROWSE


def test_the_next_request_follows_a_changed_role(
    shopper: Account, bodies: dict[str, Any], addresses: dict[str, str]
) -> None:
    client = ApiClient(shopper)
    assert client.post("/api/Order/Preview", {}).ok

    shopper.roles.update(purchasing=PurchasingRight.REQUEST)

    assert client.post("/api/Order/Preview", {}).code == "purchasing_refused"
