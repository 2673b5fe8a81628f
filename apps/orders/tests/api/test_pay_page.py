"""Tests of the demo gateway's page: success, failure, abandoned payment, CSRF, CSP, and the
notification URL.
"""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import Settings

from apps.common.tenancy import no_scope
from apps.common.testing import ApiClient
from apps.orders.gateways import DemoGateway
from apps.orders.models import Order, Payment
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def path(shopper: Account) -> str:
    """The URL of the payment page for 20.00 元."""
    order = place_order(shopper, payment_kind="online")
    return str(ApiClient(shopper).post(f"/api/Order/{order.order_no}/Pay").body["PayUrl"])


def choose(path: str, result: str) -> tuple[int, str]:
    client = Client(enforce_csrf_checks=True)
    with no_scope():
        page = client.get(path)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.content.decode())
        assert token is not None
        answer = client.post(path, {"result": result, "csrfmiddlewaretoken": token[1]})
    return answer.status_code, answer.headers.get("Location", "")


def test_successful_payment_settles_the_order_and_redirects_to_it(path: str) -> None:
    order = Order.objects.get()
    assert choose(path, "success") == (302, f"/userCenter/order/detail?OrderNo={order.order_no}")
    assert Order.objects.get().settlement_status == "done"


def test_failed_payment_leaves_the_order_unpaid(path: str) -> None:
    assert choose(path, "failure")[0] == 302
    assert (Payment.objects.get().status, Order.objects.get().settlement_status) == (
        "failed",
        "none",
    )


def test_failed_payment_appears_in_the_order_timeline(path: str, shopper: Account) -> None:
    choose(path, "failure")
    event = (
        ApiClient(shopper).get(f"/api/Order/{Order.objects.get().order_no}").body["Timeline"][-1]
    )
    assert (event["Event"], event["Note"]) == ("支付失败", "支付未成功，可重新支付")


def test_opening_the_pay_page_leaves_the_payment_pending(path: str) -> None:
    with no_scope():
        page = Client().get(path)
    assert (page.status_code, "20.00" in page.content.decode()) == (200, True)
    assert Payment.objects.get().status == "pending"


def test_the_page_keeps_the_strict_policy(path: str) -> None:
    with no_scope():
        page = Client().get(path)
    policy, body = page.headers["Content-Security-Policy"], page.content.decode()
    assert "script-src 'self'" in policy
    assert "<script" not in body
    assert "style=" not in body.replace("<style nonce", "")


def test_a_post_without_the_token_is_refused(path: str) -> None:
    with no_scope():
        assert Client(enforce_csrf_checks=True).post(path, {"result": "success"}).status_code == 403
    assert Payment.objects.get().status == "pending"


def test_unknown_payment_result_is_refused(path: str) -> None:
    assert choose(path, "free") == (400, "")


def test_an_unknown_payment_has_no_page(db: None) -> None:
    assert Client().get("/pay/demo/PAY1").status_code == 404


def test_pay_page_is_not_found_outside_demo_mode(path: str, settings: Settings) -> None:
    settings.DEMO_MODE = False
    with no_scope():
        assert Client().get(path).status_code == 404


@pytest.mark.parametrize(
    ("amount", "status", "paid"), [("20.00", 200, "done"), ("0.01", 400, "none")]
)
def test_a_gateway_notifies_and_the_amount_is_checked_here(
    path: str, amount: str, status: int, paid: str
) -> None:
    fields = DemoGateway().build_notification(
        payment_no=path.rpartition("/")[2], amount=Decimal(amount), is_success=True
    )
    with no_scope():
        assert (
            Client(enforce_csrf_checks=True).post("/pay/notify/demo", fields).status_code == status
        )
    assert Order.objects.get().settlement_status == paid


def test_a_notification_without_fields_is_refused(path: str) -> None:
    with no_scope():
        assert Client().post("/pay/notify/demo", {}).status_code == 400
