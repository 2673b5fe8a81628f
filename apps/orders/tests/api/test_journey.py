"""The main path of the product in one test: cart, preview, submit, approval, confirmation,
shipment, receipt.
"""

from __future__ import annotations

from decimal import Decimal

from apps.approvals.models import Approval
from apps.approvals.services.approval_decide import approval_approve
from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.common.testing.client import make_key
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import make_budget, make_rule
from apps.org.models import Account


def test_the_whole_journey_moves_state_stock_and_budget_together(
    shopper: Account, approver: Account, staff: Account
) -> None:
    product = ProductFactory(stock=20)
    budget = make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    api = ApiClient(shopper)

    added = api.post(
        "/api/ShoppingCart/AddToCart", {"Items": [{"ProductCode": product.code, "Quantity": 3}]}
    )
    assert (added.ok, added.message, added.body) == (True, "添加购物车成功", 1)
    preview = api.post("/api/Order/Preview", {"BudgetId": str(budget.pk)}).body
    assert [line["Brand"] for line in preview["Lines"]] == [product.brand.name]
    assert preview["Amounts"] == {
        "Goods": "30.00",
        "Freight": "0.00",
        "Tax": "3.45",
        "Total": "30.00",
    }
    assert preview["Approval"]["Chain"][0]["Approvers"] == [
        {"Id": str(approver.pk), "Name": "老审"}
    ]
    assert (preview["Budget"]["Available"], preview["Budget"]["After"], preview["Problems"]) == (
        "1000.00",
        "970.00",
        [],
    )

    body = {
        "BudgetId": str(budget.pk),
        "Lines": [
            {"CartItemId": line["CartItemId"], "CustomerPrice": "10.00"}
            for line in preview["Lines"]
        ],
    }
    submitted = api.post("/api/Order", body, key=make_key())
    assert (submitted.ok, submitted.body["Status"]) == (True, "pending_approval"), submitted
    assert api.post("/api/ShoppingCart/Count").body == 0

    approval_approve(
        actor=approver, approval_id=Approval.objects.get(subject_no=submitted.body["OrderNo"]).pk
    )
    order = Order.objects.get(order_no=submitted.body["OrderNo"])
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    received = api.post(f"/api/Order/{order.order_no}/Receive", {})

    assert received.body["StatusText"] == "已完成"
    (parcel,) = api.get(f"/api/Order/{order.order_no}").body["Shipments"]
    assert [line["Brand"] for line in parcel["Lines"]] == [product.brand.name]
    assert [row["Event"] for row in received.body["Timeline"]] == [
        "提交订单",
        "审批同意",
        "审批通过",
        "确认订单",
        "发货",
        "订单完成",
    ]
    after = Budget.objects.get(pk=budget.pk)
    assert (after.reserved, after.consumed) == (Decimal("0.00"), Decimal("30.00"))
    left = Product.objects.get(pk=product.pk)
    assert (left.stock, left.reserved) == (17, 0)
