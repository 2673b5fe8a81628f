"""Tests of /api/Order: list, detail, actions, tenant isolation, query counts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.api.idempotency import MISSING
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.orders.api.serializers import OrderLineSerializer
from apps.orders.models import Order
from apps.orders.tests.factories import fill_cart, make_budget, make_rule, place_order
from apps.org.menus import MenuCode
from apps.org.models import Account


def list_numbers(answer: Any) -> list[str]:
    return [row["OrderNo"] for row in answer.body["Items"]]


def test_the_list_counts_its_tabs_under_the_same_filter(
    shopper: Account, shipped_order: Order
) -> None:
    place_order(shopper, payment_kind="online")
    body = ApiClient(shopper).get("/api/Order", {"Status": "pending_receipt"}).body
    counts = {tab["Name"]: tab["Count"] for tab in body["Tabs"] if tab["Count"]}
    assert counts == {"全部": 2, "待支付": 1, "待确认": 1, "待收货": 1}
    assert [row["Status"] for row in body["Items"]] == ["pending_receipt"]


@pytest.mark.parametrize("field", ["Keyword", "PurchaseOrderNo"])
def test_the_list_is_filtered_by_text(shopper: Account, field: str) -> None:
    place_order(shopper)
    wanted = place_order(shopper, (ProductFactory(name="碎纸机"), 1), purchase_order_no="碎纸机")
    assert list_numbers(ApiClient(shopper).get("/api/Order", {field: "碎纸机"})) == [
        wanted.order_no
    ]


def test_the_list_is_filtered_by_days_both_included(shopper: Account, placed_order: Order) -> None:
    today = timezone.localdate()
    api = ApiClient(shopper)
    assert list_numbers(api.get("/api/Order", {"From": str(today), "To": str(today)})) == [
        placed_order.order_no
    ]
    assert list_numbers(api.get("/api/Order", {"From": str(today + timedelta(days=1))})) == []


def test_a_backwards_period_is_refused(shopper: Account) -> None:
    answer = ApiClient(shopper).get("/api/Order", {"From": "2026-02-01", "To": "2026-01-01"})
    assert (answer.code, answer.errors) == ("validation", {"To": ["结束日期不能早于开始日期"]})


def test_a_purchaser_sees_his_own_orders_only(placed_order: Order, limited: Account) -> None:
    assert list_numbers(ApiClient(limited).get("/api/Order")) == []


def test_a_department_head_sees_his_departments_orders(
    placed_order: Order, approver: Account
) -> None:
    assert list_numbers(ApiClient(approver).get("/api/Order")) == [placed_order.order_no]


def test_approver_outside_the_data_scope_may_open_the_order_of_his_task(
    shopper: Account, limited: Account
) -> None:
    limited.roles.update(menu_codes=[MenuCode.ORDER_LIST, MenuCode.ORDER_APPROVAL])
    make_rule(shopper, limited)
    order = place_order(shopper)
    api = ApiClient(limited)
    assert (list_numbers(api.get("/api/Order")), api.get(f"/api/Order/{order.order_no}").ok) == (
        [],
        True,
    )


def test_missing_order_and_order_of_another_group_give_the_same_404(
    placed_order: Order, other_ga: Account
) -> None:
    for order_no in (placed_order.order_no, "SO26010100000000"):
        answer = ApiClient(other_ga).get(f"/api/Order/{order_no}")
        assert (answer.status, answer.code, answer.message, answer.body) == (
            404,
            "not_found",
            "订单不存在，或您无权查看",
            None,
        )


def test_a_row_has_the_keys_of_the_contract(shopper: Account, placed_order: Order) -> None:
    row = ApiClient(shopper).get("/api/Order").body["Items"][0]
    contract = {
        "OrderNo",
        "Status",
        "StatusText",
        "ApprovalStatus",
        "InvoiceStatus",
        "SettlementStatus",
        "AfterSalesStatus",
        "Amounts",
    }
    assert contract | {"CreatedAt", "Requester", "Lines", "AllowedActions"} <= row.keys()
    line = {
        "Id",
        "ProductCode",
        "Name",
        "Quantity",
        "ShippedQuantity",
        "ReceivedQuantity",
        "ReturningQuantity",
        "InvoicedQuantity",
    }
    assert line | {"UnitPrice", "Amount", "TaxRate", "Tax"} <= row["Lines"][0].keys()
    assert row["Amounts"] == {"Goods": "20.00", "Freight": "0.00", "Tax": "2.30", "Total": "20.00"}


def test_the_lines_written_out_have_the_keys_of_their_schema(
    shopper: Account, placed_order: Order
) -> None:
    line = ApiClient(shopper).get("/api/Order").body["Items"][0]["Lines"][0]
    assert list(line) == list(OrderLineSerializer().fields)


@pytest.mark.parametrize(
    ("fixture", "actions"),
    [
        ("order_in_approval", ["withdraw", "cancel", "reorder"]),
        ("placed_order", ["cancel", "apply_cancel", "reorder"]),
        ("confirmed_order", ["apply_cancel", "reorder"]),
        ("shipped_order", ["receive", "reorder"]),
    ],
)
def test_allowed_actions_follow_the_state(
    request: pytest.FixtureRequest, shopper: Account, fixture: str, actions: list[str]
) -> None:
    order = request.getfixturevalue(fixture)
    assert ApiClient(shopper).get(f"/api/Order/{order.order_no}").body["AllowedActions"] == actions


def test_approver_without_an_open_task_may_only_reorder(
    placed_order: Order, approver: Account
) -> None:
    assert ApiClient(approver).get(f"/api/Order/{placed_order.order_no}").body[
        "AllowedActions"
    ] == ["reorder"]


def test_order_detail_shows_shipments_and_a_timeline_with_actors(
    shipped_order: Order, shopper: Account
) -> None:
    body = ApiClient(shopper).get(f"/api/Order/{shipped_order.order_no}").body
    assert [(row["TrackingNo"], row["Lines"][0]["Quantity"]) for row in body["Shipments"]] == [
        ("SF0001", 2)
    ]
    assert [(row["By"], row["Event"], row["From"], row["To"]) for row in body["Timeline"]] == [
        ("小采", "提交订单", "", "待确认"),
        ("平台客服", "确认订单", "待确认", "待发货"),
        ("平台客服", "发货", "待发货", "待收货"),
    ]


def test_cancelling_needs_a_reason(placed_order: Order, shopper: Account) -> None:
    answer = ApiClient(shopper).post(f"/api/Order/{placed_order.order_no}/Cancel", {"Reason": " "})
    assert (answer.code, answer.errors) == ("validation", {"Reason": ["请填写取消原因"]})


def test_a_double_click_on_cancel_answers_the_same_twice(
    placed_order: Order, shopper: Account
) -> None:
    api, key = ApiClient(shopper), make_key()
    bodies = [
        api.post(f"/api/Order/{placed_order.order_no}/Cancel", {"Reason": "买错了"}, key=key).body
        for _ in range(2)
    ]
    assert bodies[0] == bodies[1]


def test_idempotency_key_with_another_body_is_refused(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    api, key = ApiClient(shopper), make_key()
    assert api.post("/api/Order", {}, key=key).ok
    assert api.post("/api/Order", {"Remark": "加急"}, key=key).code == "idempotency_mismatch"


def test_an_order_without_a_key_is_refused(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    answer = ApiClient(shopper).post("/api/Order", {})
    assert (answer.code, answer.errors) == ("validation", {"Idempotency-Key": [MISSING]})
    assert not Order.objects.exists()


def test_a_parcel_names_its_goods_as_the_order_does(shipped_order: Order, shopper: Account) -> None:
    shipped_order.lines.update(customer_name="办公笔")
    body = ApiClient(shopper).get(f"/api/Order/{shipped_order.order_no}").body
    assert (body["Shipments"][0]["Lines"][0]["Name"], body["Lines"][0]["Name"]) == (
        "办公笔",
        "办公笔",
    )


def test_unpaid_order_shows_its_payment_deadline(shopper: Account) -> None:
    order = place_order(shopper, payment_kind="online")
    due = datetime.fromisoformat(
        ApiClient(shopper).get(f"/api/Order/{order.order_no}").body["PayBy"]
    )
    assert due == order.payments.get().created_at + timedelta(hours=24)


@pytest.mark.parametrize(("kind", "awaits"), [("online", True), ("credit", False)])
def test_order_awaits_payment_only_with_online_payment(
    shopper: Account, kind: str, awaits: bool
) -> None:
    place_order(shopper, payment_kind=kind)
    assert ApiClient(shopper).get("/api/Order").body["Items"][0]["AwaitsPayment"] is awaits


@pytest.mark.parametrize("price", ["1_0", "+2", "1E+5", "１０"])
def test_preview_refuses_a_malformed_customer_price(shopper: Account, price: str) -> None:
    item = fill_cart(shopper, (ProductFactory(), 1))[0]
    answer = ApiClient(shopper).post(
        "/api/Order/Preview", {"Lines": [{"CartItemId": str(item.pk), "CustomerPrice": price}]}
    )
    assert answer.code == "validation"


@pytest.mark.parametrize("quantity", ["1_0", "+1", "-1"])
def test_receive_refuses_a_malformed_quantity(
    shipped_order: Order, shopper: Account, quantity: str
) -> None:
    lines = [{"Id": str(shipped_order.lines.get().pk), "Quantity": quantity}]
    answer = ApiClient(shopper).post(
        f"/api/Order/{shipped_order.order_no}/Receive", {"Lines": lines}
    )
    assert (answer.code, list(answer.errors)) == ("validation", ["Lines.0.Quantity"])


def test_disabled_account_cannot_submit_an_order(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    api = ApiClient(shopper)
    Account.objects.filter(pk=shopper.pk).update(is_active=False)
    assert (api.post("/api/Order", {}, key=make_key()).status, Order.objects.count()) == (401, 0)


def test_an_account_without_the_menu_may_order_but_not_list(shopper: Account) -> None:
    shopper.roles.update(menu_codes=[])
    fill_cart(shopper, (ProductFactory(), 1))
    api = ApiClient(shopper)
    assert (api.post("/api/Order", {}, key=make_key()).ok, api.get("/api/Order").status) == (
        True,
        403,
    )


BAD: list[tuple[dict[str, Any], str]] = [
    ({"PaymentKind": "gold"}, "PaymentKind"),
    ({"DeliveryWish": 5}, "DeliveryWish"),
    ({"InvoiceKind": None}, "InvoiceKind"),
    ({"AddressId": "x"}, "AddressId"),
    ({"AddressId": "9" * 19}, "AddressId"),
    ({"BudgetId": -1}, "BudgetId"),
    ({"Remark": "长" * 301}, "Remark"),
    ({"Total": "0.01"}, "Total"),
    ({"Lines": []}, "Lines.non_field_errors"),
    ({"Lines": "all"}, "Lines.non_field_errors"),
    ({"Lines": [{"CustomerPrice": "1.00"}]}, "Lines.0.CartItemId"),
    ({"Lines": [{"CartItemId": "1", "CustomerPrice": "-1.00"}]}, "Lines.0.CustomerPrice"),
    ({"Lines": [{"CartItemId": "1", "CustomerPrice": "1.001"}]}, "Lines.0.CustomerPrice"),
    ({"Lines": [{"CartItemId": "1", "CustomerPrice": "NaN"}]}, "Lines.0.CustomerPrice"),
    ({"Lines": [{"CartItemId": "1"}, {"CartItemId": "1"}]}, "Lines"),
]


@pytest.mark.parametrize("path", ["/api/Order", "/api/Order/Preview"])
@pytest.mark.parametrize(("body", "field"), BAD, ids=lambda value: str(value)[:50])
def test_invalid_body_reports_its_field_and_creates_no_order(
    shopper: Account, path: str, body: dict[str, Any], field: str
) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    answer = ApiClient(shopper).post(path, body, key=make_key())
    assert (answer.status, answer.code, list(answer.errors)) == (200, "validation", [field])
    assert not Order.objects.exists()


@pytest.mark.parametrize(
    "query",
    [
        {"Status": "lost"},
        {"From": "昨天"},
        {"Requester": "x"},
        {"PageSize": "7"},
        {"PageIndex": "0"},
    ],
)
def test_a_bad_filter_is_refused(shopper: Account, query: dict[str, str]) -> None:
    answer = ApiClient(shopper).get("/api/Order", query)
    assert (answer.status, answer.code, list(answer.errors)) == (200, "validation", list(query))


@pytest.mark.parametrize("orders", [1, 10])
def test_the_list_costs_five_queries_however_long(shopper: Account, orders: int) -> None:
    for _ in range(orders):
        place_order(shopper)
    api = ApiClient(shopper)
    with assert_queries(5):
        assert len(api.get("/api/Order").body["Items"]) == orders


def test_order_detail_takes_eleven_queries_for_an_approver(
    shipped_order: Order, shopper: Account
) -> None:
    api = ApiClient(shopper)
    with assert_queries(11):
        assert api.get(f"/api/Order/{shipped_order.order_no}").ok


def test_a_submit_of_ten_lines_with_budget_and_approval_costs_31_queries(
    shopper: Account, approver: Account
) -> None:
    make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    fill_cart(shopper, *[(ProductFactory(), 1) for _ in range(10)])
    api = ApiClient(shopper)
    assert api.post("/api/Order/Preview", {}).ok
    with assert_queries(31):
        assert api.post("/api/Order", {}, key="key-00000001").body["OrderNo"]


def test_the_preview_costs_eleven_queries_with_the_bearers(
    shopper: Account, approver: Account
) -> None:
    make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    fill_cart(shopper, *[(ProductFactory(), 1) for _ in range(10)])
    api = ApiClient(shopper)
    with assert_queries(11):
        assert api.post("/api/Order/Preview", {}).body["Approval"]["Needed"] is True
