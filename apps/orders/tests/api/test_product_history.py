"""Tests of 同事买过, 常一起买 and 送达 on a product's page."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.models import Account
from apps.org.tests.factories import AddressFactory


def get_history(account: Account, code: str) -> dict:
    body: dict = ApiClient(account).get(f"/api/Product/{code}/Purchases").body
    return body


def summarise_history(body: dict) -> tuple[int, int, int]:
    return body["Times"], body["People"], body["Quantity"]


def test_colleagues_of_the_scope_are_named_with_count_and_last_date(
    shopper: Account, ga: Account, approver: Account
) -> None:
    pen: Product = ProductFactory()
    place_order(shopper, (pen, 3))
    order = place_order(shopper, (pen, 4))
    place_order(ga, (pen, 5))

    body = get_history(approver, pen.code)

    assert summarise_history(body) == (3, 2, 12)
    assert [
        (row["Name"], row["Department"], row["Times"], row["Quantity"]) for row in body["Buyers"]
    ] == [
        ("集管", "行政部", 1, 5),
        ("小采", "行政部", 2, 7),
    ]
    assert body["Buyers"][1]["LastAt"] == timezone.localtime(order.submitted_at).isoformat()


def test_product_history_of_a_buyer_with_own_scope_contains_only_his_orders(
    shopper: Account, ga: Account
) -> None:
    pen: Product = ProductFactory()
    place_order(shopper, (pen, 3))
    place_order(ga, (pen, 5))

    body = get_history(shopper, pen.code)

    assert (summarise_history(body), [row["IsSelf"] for row in body["Buyers"]]) == (
        (1, 1, 3),
        [True],
    )


def test_product_history_excludes_cancelled_orders_and_orders_older_than_a_year(
    shopper: Account,
) -> None:
    pen: Product = ProductFactory()
    order_cancel(actor=shopper, order_no=place_order(shopper, (pen, 3)).order_no, reason="买错了")
    old = place_order(shopper, (pen, 3))
    Order.objects.filter(pk=old.pk).update(submitted_at=timezone.now() - timedelta(days=366))

    body = get_history(shopper, pen.code)

    assert (summarise_history(body), body["LastAt"], body["Buyers"], body["Together"]) == (
        (0, 0, 0),
        None,
        [],
        [],
    )


def test_product_history_ignores_orders_of_another_group(
    shopper: Account, other_ga: Account
) -> None:
    pen: Product = ProductFactory()
    place_order(shopper, (pen, 3))

    assert summarise_history(get_history(other_ga, pen.code)) == (0, 0, 0)


def test_product_history_suggests_a_product_ordered_together_twice(shopper: Account) -> None:
    pen, refill, once, gone = ProductFactory.create_batch(4)
    place_order(shopper, (pen, 1), (refill, 1), (gone, 1))
    place_order(shopper, (pen, 1), (refill, 1), (once, 1), (gone, 1))
    Product.objects.filter(pk=gone.pk).update(status="off")

    assert [row["ProductCode"] for row in get_history(shopper, pen.code)["Together"]] == [
        refill.code
    ]


def test_product_history_takes_nine_queries_for_any_number_of_orders(shopper: Account) -> None:
    pen, refill = ProductFactory.create_batch(2)
    client = ApiClient(shopper)
    place_order(shopper, (pen, 1), (refill, 1))
    for _ in range(2):
        place_order(shopper, (pen, 1), (refill, 1))
        with assert_queries(9):
            client.get(f"/api/Product/{pen.code}/Purchases")


def test_delivery_estimate_lists_days_and_freight_per_address(shopper: Account) -> None:
    FreightRegionFactory(fee=Decimal("8.00"))
    FreightRegionFactory(amount_from=Decimal("99.00"))
    FreightRegionFactory(province="新疆维吾尔自治区", fee=Decimal("30.00"), extra_days=5)
    pen = ProductFactory(lead_days=2)
    AddressFactory(enterprise=shopper.enterprise, province="新疆维吾尔自治区", is_default=True)

    rows = ApiClient(shopper).get(f"/api/Product/{pen.code}/Delivery").body

    assert [(row["Days"], row["Fee"], row["FreeFrom"], row["IsDefault"]) for row in rows] == [
        (7, "30.00", None, True),
        (2, "8.00", "99.00", False),
    ]
    assert rows[0]["ArrivesOn"] == (timezone.localdate() + timedelta(days=7)).isoformat()


def test_delivery_estimate_takes_seven_queries_for_any_number_of_addresses(
    shopper: Account,
) -> None:
    pen = ProductFactory()
    client = ApiClient(shopper)
    client.get(f"/api/Product/{pen.code}/Delivery")
    AddressFactory.create_batch(3, enterprise=shopper.enterprise)
    with assert_queries(7):
        client.get(f"/api/Product/{pen.code}/Delivery")


def test_invisible_product_has_no_history_or_delivery(shopper: Account) -> None:
    hidden = ProductFactory(is_public=False)

    assert [
        ApiClient(shopper).get(f"/api/Product/{hidden.code}/{what}").status
        for what in ("Purchases", "Delivery")
    ] == [404, 404]
