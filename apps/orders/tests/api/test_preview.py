"""Tests of the checkout preview, including the problems that the buyer can fix on the page."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.budgets.services.budget_moves import budget_reserve
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.orders.tests.factories import fill_cart, make_budget, make_rule
from apps.org.models import Account, Address, InvoiceTitle
from apps.org.tests.factories import AddressFactory

PREVIEW = "/api/Order/Preview"


def test_preview_shows_the_approval_chain_and_its_reasons(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver, from_amount="15.00")
    fill_cart(shopper, (ProductFactory(), 2))
    approval = ApiClient(shopper).post(PREVIEW).body["Approval"]
    assert (approval["Needed"], len(approval["Reasons"])) == (True, 1)
    assert [(step["Step"], step["Mode"], step["Approvers"]) for step in approval["Chain"]] == [
        (1, "any", [{"Id": str(approver.pk), "Name": "老审"}])
    ]


def test_preview_without_a_rule_reports_that_no_approval_is_needed(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 2))
    assert ApiClient(shopper).post(PREVIEW).body["Approval"] == {
        "Needed": False,
        "Reasons": [],
        "Chain": [],
    }


def test_preview_shows_the_budget_before_and_after_the_order(shopper: Account) -> None:
    budget = make_budget(shopper, "50.00")
    fill_cart(shopper, (ProductFactory(), 2))
    row = ApiClient(shopper).post(PREVIEW).body["Budget"]
    figures = {"Available": "50.00", "After": "30.00", "IsOver": False, "State": "normal"}
    named = {"Id": str(budget.pk), "Name": budget.name, "Policy": "block"}
    assert row == {**named, **figures, "Parents": []}


@pytest.mark.parametrize(
    ("amount", "state"), [("25.01", "normal"), ("25.00", "near"), ("20.00", "full")]
)
def test_preview_reports_a_budget_near_its_end(shopper: Account, amount: str, state: str) -> None:
    make_budget(shopper, amount)
    fill_cart(shopper, (ProductFactory(), 2))
    assert ApiClient(shopper).post(PREVIEW).body["Budget"]["State"] == state


def test_a_budget_that_blocks_is_a_problem_of_the_choice(shopper: Account) -> None:
    make_budget(shopper, "5.00")
    fill_cart(shopper, (ProductFactory(), 2))
    problem = ApiClient(shopper).post(PREVIEW).body["Problems"][0]
    assert (problem["CartItemId"], problem["Code"], problem["Field"]) == (
        None,
        "budget_exceeded",
        "BudgetId",
    )


def test_an_order_that_a_budget_refuses_shows_no_approval(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    budget = make_budget(shopper, "5.00")
    fill_cart(shopper, (ProductFactory(), 2))

    body = ApiClient(shopper).post(PREVIEW).body

    assert body["Approval"] == {"Needed": False, "Reasons": [], "Chain": []}
    assert [(row["IsRefusal"], row["Message"]) for row in body["Problems"]] == [
        (
            True,
            (f"预算“{budget.name}”可用 ¥5.00，本单需要 ¥20.00，请减少采购金额或联系管理员调整额度"),
        )
    ]


def test_exhausted_budget_is_reported_with_remedies(shopper: Account) -> None:
    budget = make_budget(shopper, "5.00")
    budget_reserve(actor=shopper, budget=budget, amount=Decimal("5.00"), reference="SO1")
    make_budget(shopper, "1000.00", name="企业预算")
    fill_cart(shopper, (ProductFactory(), 2))

    message = (
        ApiClient(shopper)
        .post(PREVIEW, {"BudgetId": str(budget.pk)})
        .body["Problems"][0]["Message"]
    )

    assert message == (
        f"预算“{budget.name}”已用完，本单需要 ¥20.00，请减少采购金额、更换预算或联系管理员调整额度"
    )


def test_a_problem_that_can_be_mended_leaves_the_approval(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    fill_cart(shopper, (ProductFactory(), 1))
    Address.objects.update(is_active=False)

    body = ApiClient(shopper).post(PREVIEW).body

    assert (body["Approval"]["Needed"], [row["IsRefusal"] for row in body["Problems"]]) == (
        True,
        [False],
    )


def test_preview_suggests_the_available_quantity_for_a_short_line(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(name="订书机"), 5))[0]
    Product.objects.update(stock=3)
    assert ApiClient(shopper).post(PREVIEW).body["Problems"] == [
        {
            "CartItemId": str(item.pk),
            "Code": "stock_short",
            "Message": "“订书机”库存不足，仅剩 3 支，请减少到 3 支以内或更换商品",
            "Field": "",
            "SuggestedQuantity": 3,
            "IsRefusal": False,
        }
    ]


def test_preview_lists_an_unavailable_line_with_its_reason(shopper: Account) -> None:
    good, off = ProductFactory(market_price=Decimal("10.00")), ProductFactory(name="旧款")
    lines = fill_cart(shopper, (good, 2), (off, 3))
    Product.objects.filter(pk=off.pk).update(status="off")
    body = ApiClient(shopper).post(PREVIEW).body
    assert (
        [row["ProductCode"] for row in body["Lines"]],
        body["Amounts"]["Goods"],
        body["Problems"],
    ) == ([good.code], "20.00", [])
    left = body["LeftOut"][0]
    assert (left["CartItemId"], left["Quantity"], left["Problem"]["Message"]) == (
        str(lines[1].pk),
        3,
        "已下架",
    )


def test_checkout_and_cart_agree_on_the_amount(shopper: Account) -> None:
    off = ProductFactory()
    fill_cart(shopper, (ProductFactory(), 2), (off, 3))
    Product.objects.filter(pk=off.pk).update(status="off")
    api = ApiClient(shopper)
    assert (
        api.post(PREVIEW).body["Amounts"]["Goods"]
        == api.get("/api/ShoppingCart").body["SelectedAmount"]
    )


def test_preview_of_only_unavailable_lines_reports_their_reasons_as_problems(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    fill_cart(shopper, (ProductFactory(name="旧款"), 3))
    Product.objects.update(status="off")
    body = ApiClient(shopper).post(PREVIEW).body
    assert (
        body["Lines"],
        len(body["LeftOut"]),
        body["Amounts"]["Total"],
        body["Approval"]["Needed"],
    ) == ([], 1, "0.00", False)
    assert [row["Message"] for row in body["Problems"]] == ["“旧款”已下架，请更换其他商品"]


def test_preview_keeps_an_explicitly_requested_line_with_its_problem(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 1))[0]
    Product.objects.update(status="off")
    body = ApiClient(shopper).post(PREVIEW, {"Lines": [{"CartItemId": str(item.pk)}]}).body
    assert (len(body["Lines"]), body["LeftOut"], body["Problems"][0]["Code"]) == (1, [], "off_sale")


def test_preview_names_the_address_of_the_newest_order(shopper: Account) -> None:
    first, second = (
        Address.objects.get(),
        AddressFactory(enterprise=shopper.enterprise, account=shopper),
    )
    fill_cart(shopper, (ProductFactory(), 1))
    assert ApiClient(shopper).post(PREVIEW).body["LastAddressId"] is None
    for number, address in enumerate((first, second)):
        order = ApiClient(shopper).post(
            "/api/Order", {"AddressId": str(address.pk)}, key=f"key-0000000{number}"
        )
        assert order.ok, order.message
        fill_cart(shopper, (ProductFactory(), 1))
    assert ApiClient(shopper).post(PREVIEW).body["LastAddressId"] == str(second.pk)


def test_a_moved_price_is_shown_before_submit(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(name="订书机"), 1))[0]
    Product.objects.update(market_price=Decimal("12.00"))
    body = (
        ApiClient(shopper)
        .post(PREVIEW, {"Lines": [{"CartItemId": str(item.pk), "CustomerPrice": "10.00"}]})
        .body
    )
    assert [(row["Code"], row["Message"]) for row in body["Problems"]] == [
        ("price_moved", "“订书机”价格已由 ¥10.00 变为 ¥12.00，请确认")
    ]


def test_missing_choices_are_problems_and_not_refusals(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    Address.objects.update(is_active=False)
    InvoiceTitle.objects.update(is_active=False)
    answer = ApiClient(shopper).post(PREVIEW)
    assert (answer.ok, [row["Field"] for row in answer.body["Problems"]]) == (
        True,
        ["AddressId", "InvoiceTitleId"],
    )


def test_defaults_are_shown_as_chosen(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(lead_days=4), 1))
    body = ApiClient(shopper).post(PREVIEW).body
    assert (body["Address"]["Receiver"], body["InvoiceTitle"]["Title"], body["PromisedDays"]) == (
        "王小明",
        "云帆科技有限公司",
        4,
    )
