"""核算报表: the rows sum to the orders of the period, in the data scope."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.models import Account

pytestmark = pytest.mark.django_db


def test_rows_sum_to_the_orders_of_the_period(shopper: Account, ga: Account) -> None:
    FreightRegionFactory(fee=Decimal("5.00"))
    one, two = (DimensionFactory(group=ga.group, code=f"CC-{n}", name=f"{n}部") for n in (1, 2))
    shares = (PartForm(one.pk, Decimal("33.33")), PartForm(two.pk, Decimal("66.67")))
    split = (AllocationForm("cost_center", shares),)
    pen = ProductFactory(market_price=Decimal("10.01"))
    for allocations in (split, ()):
        place_order(shopper, (pen, 1), allocations=allocations)
    gone = place_order(shopper, (pen, 1), allocations=split)
    order_cancel(actor=shopper, order_no=gone.order_no, reason="重复")

    body = ApiClient(ga).get("/api/Report/Dimension").body

    assert [(row["Code"], row["Orders"], row["Amount"]) for row in body["Rows"]] == [
        ("CC-1", 1, "4.99"),
        ("CC-2", 1, "10.02"),
        ("", 0, "15.01"),
    ]
    assert (body["Orders"], body["Total"]) == (2, "30.02")
    assert ApiClient(ga).get("/api/Report/Dimension?To=2020-01-01").body["Rows"] == []
