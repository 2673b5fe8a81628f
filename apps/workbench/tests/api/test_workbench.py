"""Tests of the workbench endpoint, its shortcuts, and the product recommendations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from urllib.parse import quote

import pytest
from django.db.models import F
from django.utils import timezone

from apps.approvals.enums import ApproverKind
from apps.approvals.models import ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.budgets.models import Budget
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.tests.factories import make_budget as make_owned_budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order
from apps.orders.selectors.access import list_orders_in_scope
from apps.orders.tests.factories import make_budget, place_order
from apps.org.enums import DataScope, PurchasingRight
from apps.org.models import Account, Department, Group
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.workbench.selectors import OrderFigures, get_order_figures
from demo.load.clock import clock_at

YOU_LIKE = f"/api/ShoppingCart/YouLike/{quote('订单')}/6"


def test_workbench_counts_open_tasks_of_the_account(shopper: Account, shipped_order: Order) -> None:
    place_order(shopper, payment_kind="online")
    counts = ApiClient(shopper).get("/api/Workbench").body["Counts"]
    assert counts == {
        "PendingApproval": 0,
        "LateApproval": 0,
        "LateApprovals": None,
        "PeopleWithoutRole": None,
        "RulesWithDisabled": None,
        "PartlyShipped": 0,
        "PendingReceipt": 1,
        "PendingPayment": 1,
        "PendingShipment": 0,
        "OwnInApproval": 0,
        "ToReview": 0,
        "QuotedInquiries": 0,
        "TransfersToDecide": None,
        "ReturnsToSend": 0,
        "ReturnsToConfirm": 0,
        "RequisitionsToOrder": 0,
        "OrdersToInvoice": 0,
    }


def test_each_count_is_that_of_the_list_it_leads_to(shopper: Account, shipped_order: Order) -> None:
    another = place_order(shopper)
    Order.objects.filter(pk=another.pk).update(status="partly_shipped")
    client = ApiClient(shopper)
    counts = client.get("/api/Workbench").body["Counts"]
    lists = {"PartlyShipped": "partly_shipped", "PendingReceipt": "pending_receipt"}
    results = {
        key: client.get("/api/Order", {"Status": status, "Requester": str(shopper.pk)}).body[
            "Total"
        ]
        for key, status in lists.items()
    }
    assert (
        {key: counts[key] for key in lists} == results == {"PartlyShipped": 1, "PendingReceipt": 1}
    )


def test_workbench_review_count_equals_the_order_list(shopper: Account, ga: Account) -> None:
    now = timezone.now()
    soon, passed = now + timedelta(days=30), now - timedelta(days=1)
    long_ago = now - timedelta(days=500)
    written: list[tuple[Account, dict[str, object]]] = [
        (shopper, {"status": "completed", "review_until": soon}),
        (shopper, {"status": "completed", "review_until": soon, "submitted_at": long_ago}),
        (shopper, {"status": "partly_shipped", "review_until": soon}),
        (shopper, {"status": "cancelled", "review_until": soon}),
        (shopper, {"status": "completed", "review_until": passed}),
        (shopper, {"status": "completed", "review_until": None}),
        (ga, {"status": "completed", "review_until": soon}),
    ]
    for requester, values in written:
        Order.objects.filter(pk=place_order(requester).pk).update(**values)

    client = ApiClient(shopper)
    count = client.get("/api/Workbench").body["Counts"]["ToReview"]
    shortcuts = client.get("/api/Order", {"Status": "to_review", "Requester": str(shopper.pk)}).body

    tab = {row["Name"]: row["Count"] for row in shortcuts["Tabs"]}["待评价"]
    assert (count, shortcuts["Total"], tab) == (4, 4, 4)


def test_workbench_counts_pending_approvals_of_the_approver(
    order_in_approval: Order, approver: Account
) -> None:
    assert ApiClient(approver).get("/api/Workbench").body["Counts"]["PendingApproval"] == 1


def test_workbench_counts_late_approvals_for_the_approver_and_the_rule_keeper(
    order_in_approval: Order, approver: Account, ga: Account
) -> None:
    seen = [("LateApproval", approver), ("LateApprovals", ga)]
    assert [ApiClient(who).get("/api/Workbench").body["Counts"][key] for key, who in seen] == [0, 0]
    ApprovalTask.objects.update(arrived_at=datetime(2026, 1, 5, tzinfo=UTC))
    assert [ApiClient(who).get("/api/Workbench").body["Counts"][key] for key, who in seen] == [1, 1]
    assert ApiClient(ga).get("/api/Workbench").body["Counts"]["LateApproval"] == 0, (
        "it waits for another"
    )


def test_workbench_counts_accounts_without_a_role_and_rules_with_disabled_approvers(
    ga: Account, approver: Account, buyer: Account
) -> None:
    create_rule(
        group_id=ga.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    client = ApiClient(ga)
    before = client.get("/api/Workbench").body["Counts"]
    buyer.roles.clear()
    Account.objects.filter(pk=approver.pk).update(is_active=False)
    after = client.get("/api/Workbench").body["Counts"]

    assert after["PeopleWithoutRole"] - before["PeopleWithoutRole"] == 1
    assert (before["RulesWithDisabled"], after["RulesWithDisabled"]) == (0, 1)
    assert client.get("/api/Account", {"RoleId": "0"}).body["Total"] == after["PeopleWithoutRole"]


def test_workbench_shows_budgets_recent_orders_and_frequent_products(shopper: Account) -> None:
    make_budget(shopper, "100.00")
    order = place_order(shopper)
    body = ApiClient(shopper).get("/api/Workbench").body
    assert [(row["Available"], row["State"], row["IsUsable"]) for row in body["Budgets"]] == [
        ("80.00", "normal", True)
    ]
    assert body["BudgetTotals"] == {"Count": 1, "Near": 0, "Full": 0}
    line = order.lines.get()
    assert [
        (row["OrderNo"], row["FirstName"], row["FirstBrand"], row["LineCount"])
        for row in body["RecentOrders"]
    ] == [(order.order_no, line.name, line.brand, 1)]
    assert [row["ProductCode"] for row in body["FrequentlyBought"]] == [line.product_code]
    assert body["PurchasedCategories"] == [str(line.product.l1_id)]


def test_the_categories_of_the_own_orders_come_in_the_order_of_their_share(
    shopper: Account,
) -> None:
    pen, lamp = ProductFactory(stock=9), ProductFactory(stock=9)
    place_order(shopper, (lamp, 5))
    for _ in range(2):
        place_order(shopper, (pen, 1))
    body = ApiClient(shopper).get("/api/Workbench").body
    assert body["PurchasedCategories"] == [str(pen.l1_id), str(lamp.l1_id)]


def get_states(account: Account) -> dict[str, int]:
    return {
        row["Status"]: row["Count"]
        for row in ApiClient(account).get("/api/Workbench").body["States"]
        if row["Count"]
    }


def in_view(account: Account) -> OrderFigures:
    """Return the data that the endpoint reads. This skips the HTTP session, which expires when
    a test moves the clock by a day.
    """
    return get_order_figures(actor=account, orders=list_orders_in_scope(actor=account))


def spent(account: Account) -> list[tuple[str, str, int]]:
    """Return the months with purchases, as (month, amount in 元, number of orders)."""
    months = in_view(account).months
    assert len(months) == 12
    return [(str(row.month), str(row.amount), row.orders) for row in months if row.orders]


def test_orders_are_counted_by_state_over_the_data_scope(
    shopper: Account, approver: Account, shipped_order: Order
) -> None:
    place_order(shopper, payment_kind="online")
    seen = {"pending_receipt": 1, "unpaid": 1, "pending_confirm": 1}

    assert (get_states(shopper), get_states(approver)) == (seen, seen)
    counts = ApiClient(approver).get("/api/Workbench").body["Counts"]
    assert (counts["PendingReceipt"], counts["PendingPayment"]) == (0, 0), "to do is his own work"


def test_workbench_of_an_own_scope_account_counts_only_its_orders(
    shopper: Account, placed_order: Order, department: Department
) -> None:
    role = RoleFactory(group=department.group, code="other", data_scope=DataScope.OWN)
    colleague = AccountFactory(department=department, username="colleague", roles=[role])

    assert (get_states(shopper), get_states(colleague)) == ({"pending_confirm": 1}, {})
    months = ApiClient(shopper).get("/api/Workbench").body["Spend"]["Months"]
    assert [(row["Amount"], row["Orders"]) for row in months] == [("0.00", 0)] * 11 + [("20.00", 1)]
    assert (len(spent(shopper)), spent(colleague)) == (1, [])


def test_workbench_spend_counts_orders_by_month_in_shanghai_time(shopper: Account) -> None:
    at = {
        "2027-12-31 15:59:59": "2027-12-01",
        "2027-12-31 16:00:00": "2028-01-01",
        "2028-02-29 15:59:59": "2028-02-01",
    }
    for moment in at:
        order = place_order(shopper)
        Order.objects.filter(pk=order.pk).update(
            submitted_at=datetime.fromisoformat(f"{moment}+00:00")
        )
    for status in ("pending_approval", "rejected", "withdrawn", "cancelled"):
        order = place_order(shopper)
        Order.objects.filter(pk=order.pk).update(
            status=status, submitted_at=datetime(2028, 2, 1, 12, tzinfo=UTC)
        )

    with clock_at(datetime(2028, 2, 29, 12, tzinfo=UTC)):
        assert spent(shopper) == [(month, "20.00", 1) for month in at.values()]


@pytest.mark.parametrize(
    ("today", "before", "before_to"),
    [
        (datetime(2028, 3, 31, 12, tzinfo=UTC), "40.00", "2028-02-29"),
        (datetime(2028, 3, 10, 12, tzinfo=UTC), "20.00", "2028-02-10"),
        (datetime(2028, 3, 9, 12, tzinfo=UTC), "0.00", "2028-02-09"),
    ],
)
def test_a_month_is_compared_with_the_same_days_of_the_one_before(
    shopper: Account, today: datetime, before: str, before_to: str
) -> None:
    for day in (10, 29):
        order = place_order(shopper)
        Order.objects.filter(pk=order.pk).update(
            submitted_at=datetime(2028, 2, day, 12, tzinfo=UTC)
        )

    with clock_at(today):
        view = in_view(shopper)
    assert (str(view.before), str(view.before_to)) == (before, before_to)


def test_workbench_omits_sections_without_their_menu_code(
    shopper: Account, placed_order: Order, department: Department
) -> None:
    role = RoleFactory(
        group=department.group,
        code="bare",
        menu_codes=["management.account"],
        data_scope=DataScope.GROUP,
    )
    clerk = AccountFactory(department=department, username="clerk", roles=[role])
    api = ApiClient(clerk)

    with assert_queries(12):
        body = api.get("/api/Workbench").body

    counts = body["Counts"]
    assert [key for key, value in counts.items() if value is not None] == [
        "PeopleWithoutRole",
        "QuotedInquiries",
    ]
    assert (body["States"], body["Spend"], body["RecentOrders"], body["BudgetTotals"]) == (
        None,
        None,
        None,
        None,
    )


def test_without_the_budget_code_only_those_he_orders_on_are_shown(
    shopper: Account, department: Department
) -> None:
    make_budget(shopper, "100.00")
    other = AccountFactory(department=department, username="other")
    budget_of(other, "50.00")
    role = RoleFactory(
        group=department.group, code="bare", menu_codes=["order.list"], data_scope=DataScope.GROUP
    )
    clerk = AccountFactory(department=department, username="clerk", roles=[role])

    assert [row["Amount"] for row in ApiClient(clerk).get("/api/Workbench").body["Budgets"]] == [
        "100.00"
    ]


@pytest.mark.parametrize(("scope", "first"), [(DataScope.DEPARTMENT, 0), (DataScope.ENTERPRISE, 3)])
def test_usable_budgets_come_first_unless_the_account_oversees_more(
    ga: Account, department: Department, scope: DataScope, first: int
) -> None:
    role = RoleFactory(group=department.group, code="head", data_scope=scope)
    head = AccountFactory(department=department, username="head", roles=[role])
    make_budget(head, "1000.00")
    for name, used in (("half", "50.00"), ("near", "80.00"), ("full", "100.00")):
        budget = budget_of(AccountFactory(department=department, username=name), "100.00")
        budget_reserve(actor=ga, budget=budget, amount=Decimal(used), reference=name)

    body = ApiClient(head).get("/api/Workbench").body
    expected = [(False, "100.00", "full"), (False, "80.00", "near"), (False, "50.00", "normal")]
    expected.insert(first, (True, "0.00", "normal"))
    assert [(row["IsUsable"], row["Reserved"], row["State"]) for row in body["Budgets"]] == expected
    assert body["BudgetTotals"] == {"Count": 4, "Near": 1, "Full": 1}


def budget_of(account: Account, amount: str) -> Budget:
    assert account.enterprise is not None
    return make_owned_budget(enterprise=account.enterprise, account=account, amount=amount)


@pytest.mark.parametrize(("who", "expected"), [("shopper", 19), ("approver", 19), ("ga", 22)])
def test_workbench_takes_a_fixed_number_of_queries(
    request: pytest.FixtureRequest, shopper: Account, who: str, expected: int
) -> None:
    account = request.getfixturevalue(who)
    for _ in range(3):
        make_budget(shopper, "100.00")
        place_order(shopper)
    api = ApiClient(account)
    with assert_queries(expected):
        assert api.get("/api/Workbench").ok


def list_shortcuts(account: Account) -> list[str]:
    return list(ApiClient(account).get("/api/Workbench").body["Shortcuts"]["Chosen"])


def test_arranged_shortcuts_keep_their_order_and_reset_to_the_default(
    buyer: Account, approver: Account
) -> None:
    offered = list_shortcuts(buyer)
    assert offered[:2] == ["approvals", "orders"]
    api = ApiClient(buyer)

    answer = api.post("/api/Workbench/Shortcuts", {"Codes": ["budgets", "select"]}).body
    assert (answer["Chosen"], answer["IsArranged"]) == (["budgets", "select"], True)
    assert (list_shortcuts(buyer), list_shortcuts(approver)) == (["budgets", "select"], offered)

    assert api.post("/api/Workbench/Shortcuts", {"Codes": []}).body["IsArranged"] is False
    assert list_shortcuts(buyer) == offered


@pytest.mark.parametrize(
    ("purchasing", "offered"),
    [
        (PurchasingRight.ORDER, {"select", "quickOrder", "inquiry"}),
        (PurchasingRight.REQUEST, {"select", "quickOrder", "inquiry"}),
        (PurchasingRight.BROWSE, {"inquiry"}),
        (PurchasingRight.BROWSE_UNPRICED, set()),
    ],
)
def test_shortcuts_into_the_cart_need_the_right_to_request(
    buyer: Account, purchasing: PurchasingRight, offered: set[str]
) -> None:
    buyer.roles.update(purchasing=purchasing)

    rows = ApiClient(buyer).get("/api/Workbench").body["Shortcuts"]["Allowed"]

    assert set(rows) & {"select", "quickOrder", "inquiry"} == offered


def test_a_shortcut_needs_its_right_and_goes_with_it(
    buyer: Account, department: Department
) -> None:
    ApiClient(buyer).post("/api/Workbench/Shortcuts", {"Codes": ["budgets", "select"]})
    buyer.roles.set([RoleFactory(group=department.group, code="bare", menu_codes=["order.list"])])

    assert list_shortcuts(buyer) == ["select"]
    refused = ApiClient(buyer).post("/api/Workbench/Shortcuts", {"Codes": ["budgets"]})
    assert refused.errors == {"Codes": ["有的入口不存在，或您没有权限，请刷新后重试"]}


@pytest.mark.parametrize("codes", [["select", "select"], ["nowhere"], ["select"] * 40])
def test_invalid_shortcut_codes_are_refused(buyer: Account, codes: list[str]) -> None:
    assert "Codes" in ApiClient(buyer).post("/api/Workbench/Shortcuts", {"Codes": codes}).errors


def test_recommendations_begin_with_the_most_bought_product_at_its_agreed_price(
    shopper: Account, group: Group
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    often, once = ProductFactory(), ProductFactory()
    PriceListItemFactory(price_list=agreement.price_list, product=often, price="8.00")
    place_order(shopper, (once, 1))
    place_order(shopper, (often, 1))
    place_order(shopper, (often, 1))
    rows = ApiClient(shopper).post(YOU_LIKE).body
    assert [(row["ProductCode"], row["CustomerPrice"]) for row in rows] == [
        (often.code, "8.00"),
        (once.code, "10.00"),
    ]


def test_recommendations_without_purchases_are_the_best_sellers(buyer: Account) -> None:
    products = [ProductFactory(sales_count=number) for number in range(8)]
    rows = ApiClient(buyer).post(YOU_LIKE).body
    assert [row["ProductCode"] for row in rows] == [
        product.code for product in reversed(products[2:])
    ]


def test_off_sale_product_is_not_recommended(shopper: Account, placed_order: Order) -> None:
    Product.objects.update(status="off")
    assert ApiClient(shopper).post(YOU_LIKE).body == []


def test_sold_out_product_is_not_recommended(shopper: Account, placed_order: Order) -> None:
    Product.objects.update(reserved=F("stock"))
    assert ApiClient(shopper).post(YOU_LIKE).body == []


def test_the_history_of_another_group_is_never_seen(placed_order: Order, other_ga: Account) -> None:
    Product.objects.update(is_public=False)
    assert ApiClient(other_ga).post(YOU_LIKE).body == []
