"""The workbench in one call, and what one likes."""

from __future__ import annotations

from urllib.parse import quote

from apps.catalog.models import Product
from apps.catalog.tests.factories import AgreementFactory, PriceListItemFactory, ProductFactory, agree, include
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account, Group

YOU_LIKE = f"/api/ShoppingCart/YouLike/{quote('订单')}/6"


def test_it_counts_what_waits(shopper: Account, shipped_order: Order) -> None:
    place_order(shopper, payment_kind="online")
    counts = ApiClient(shopper).get("/api/Workbench").body["Counts"]
    assert counts == {
        "PendingApproval": 0,
        "PendingReceipt": 1,
        "PendingPayment": 1,
        "PendingShipment": 0,
        "OwnInApproval": 0,
        "QuotedInquiries": 0,
    }


def test_an_approver_sees_what_waits_for_him(order_in_approval: Order, approver: Account) -> None:
    assert ApiClient(approver).get("/api/Workbench").body["Counts"]["PendingApproval"] == 1


def test_it_shows_budget_recent_orders_and_what_is_often_bought(shopper: Account) -> None:
    make_budget(shopper, "100.00")
    order = place_order(shopper)
    body = ApiClient(shopper).get("/api/Workbench").body
    assert body["Budgets"][0]["Available"] == "80.00"
    assert [row["OrderNo"] for row in body["RecentOrders"]] == [order.order_no]
    assert [row["ProductCode"] for row in body["FrequentlyBought"]] == [order.lines.get().product_code]


def test_it_costs_twelve_queries(shopper: Account) -> None:
    make_budget(shopper, "100.00")
    place_order(shopper)
    api = ApiClient(shopper)
    with assert_queries(12):
        assert api.get("/api/Workbench").ok


def test_you_like_begins_with_what_was_bought_most_at_the_own_price(shopper: Account, group: Group) -> None:
    agreement = AgreementFactory()
    include(agreement.assortment)
    agree(group, agreement)
    often, once = ProductFactory(), ProductFactory()
    PriceListItemFactory(price_list=agreement.price_list, product=often, price="8.00")
    place_order(shopper, (once, 1))
    place_order(shopper, (often, 1))
    place_order(shopper, (often, 1))
    rows = ApiClient(shopper).post(YOU_LIKE).body
    assert [(row["ProductCode"], row["CustomerPrice"]) for row in rows] == [(often.code, "8.00"), (once.code, "10.00")]


def test_who_has_bought_nothing_sees_what_sells_best(buyer: Account) -> None:
    products = [ProductFactory(sales_count=number) for number in range(8)]
    rows = ApiClient(buyer).post(YOU_LIKE).body
    assert [row["ProductCode"] for row in rows] == [product.code for product in reversed(products[2:])]


def test_what_can_no_longer_be_bought_is_not_recommended(shopper: Account, placed_order: Order) -> None:
    Product.objects.update(status="off")
    assert ApiClient(shopper).post(YOU_LIKE).body == []


def test_the_history_of_another_group_is_never_seen(placed_order: Order, other_ga: Account) -> None:
    Product.objects.update(is_public=False)
    assert ApiClient(other_ga).post(YOU_LIKE).body == []
