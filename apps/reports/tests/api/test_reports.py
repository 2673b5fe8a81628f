"""/api/Report: the filters, the errors, and the number of queries."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.enums import DataScope
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.reports.enums import ReportName
from apps.reports.tests.trading import buy_at, deliver
from demo.load.clock import clock_at


@pytest.fixture
def bought(shopper: Account) -> Account:
    """Two orders of two lines, with freight."""
    FreightRegionFactory(fee=Decimal("8.00"))
    pens, paper = ProductFactory(stock=100), ProductFactory(stock=100)
    for _ in range(2):
        place_order(shopper, (pens, 3), (paper, 2))
    deliver()
    return shopper


# The numbers include the queries for the token, the account and its rights.
QUERIES = {
    ReportName.ORDER: 9,
    ReportName.ORDER_DETAIL: 11,
    ReportName.PRODUCT: 10,
    ReportName.DEPARTMENT: 11,
    ReportName.PURCHASER: 10,
    ReportName.BRAND: 10,
    ReportName.SAVINGS: 14,
    ReportName.BUDGET: 10,
}


@pytest.mark.parametrize(("name", "number"), QUERIES.items())
def test_a_report_costs_a_fixed_number_of_queries(
    bought: Account, ga: Account, name: str, number: int
) -> None:
    api = ApiClient(ga)
    with assert_queries(number):
        few = api.get(f"/api/Report/{name}")
    place_order(bought, (ProductFactory(), 2), (ProductFactory(), 1))
    deliver()
    with assert_queries(number):
        many = api.get(f"/api/Report/{name}")
    assert Decimal(many.body["Totals"]["Amount"]) > Decimal(few.body["Totals"]["Amount"])


def test_a_turned_page_asks_for_no_charts(bought: Account, ga: Account) -> None:
    assert (
        ApiClient(ga).get("/api/Report/Product", {"Charts": "false", "PageIndex": 2}).body["Charts"]
        is None
    )


def test_page_beyond_the_last_still_returns_the_total(bought: Account, ga: Account) -> None:
    beyond = ApiClient(ga).get("/api/Report/Product", {"PageIndex": 9}).body
    assert (beyond["Items"], beyond["Total"]) == ([], 3)


@pytest.mark.parametrize("name", [ReportName.PRODUCT, ReportName.PURCHASER])
def test_the_first_ten_are_the_same_beside_any_rows(
    bought: Account, ga: Account, name: str
) -> None:
    largest, smallest, few = (
        ApiClient(ga).get(f"/api/Report/{name}", more).body
        for more in ({}, {"Sort": "amount"}, {"PageIndex": 2})
    )
    assert largest["Charts"]["Top"]
    assert largest["Charts"]["Top"] == smallest["Charts"]["Top"] == few["Charts"]["Top"]


def test_a_period_that_ends_before_it_begins_is_refused(ga: Account) -> None:
    answer = ApiClient(ga).get(
        "/api/Report/Order", {"Period": "custom", "From": "2026-02-01", "To": "2026-01-31"}
    )
    assert (answer.code, answer.message) == ("validation", "结束日期不能早于开始日期")


def test_a_period_of_fifty_years_is_refused(ga: Account) -> None:
    answer = ApiClient(ga).get(
        "/api/Report/Order", {"Period": "custom", "From": "1976-01-01", "To": "2026-01-01"}
    )
    assert answer.message == "统计期间最长 5 年，请缩短后再查询"


def test_five_years_to_the_day_are_allowed(ga: Account) -> None:
    assert (
        ApiClient(ga)
        .get("/api/Report/Order", {"Period": "custom", "From": "2021-03-01", "To": "2026-02-28"})
        .ok
    )


def test_days_of_ones_own_want_both(ga: Account) -> None:
    answer = ApiClient(ga).get("/api/Report/Order", {"Period": "custom", "From": "2026-02-01"})
    assert (list(answer.errors), answer.message) == (["To"], "请选择统计期间的开始和结束日期")


def test_days_without_a_period_are_not_left_out(ga: Account) -> None:
    answer = ApiClient(ga).get("/api/Report/Order", {"From": "2026-01-01", "To": "2026-01-31"})
    assert (answer.body["Period"], answer.body["From"], answer.body["To"]) == (
        "custom",
        "2026-01-01",
        "2026-01-31",
    )


def test_each_report_has_a_right_of_its_own(bought: Account) -> None:
    role = RoleFactory(
        group=bought.group,
        code="one",
        name="一张",
        menu_codes=["report.product"],
        data_scope=DataScope.OWN,
    )
    api = ApiClient(AccountFactory(department=bought.department, roles=[role]))
    allowed = {name for name in ReportName.values if api.get(f"/api/Report/{name}").ok}
    assert allowed == {"Product"}
    assert api.get("/api/Report/Filters", {"Report": "Order"}).code == "forbidden"


def test_filters_offer_no_more_than_the_data_scope(bought: Account, approver: Account) -> None:
    own = ApiClient(bought).get("/api/Report/Filters", {"Report": "Order"}).body
    wider = ApiClient(approver).get("/api/Report/Filters", {"Report": "Order"}).body
    assert ([row["UserName"] for row in own["Requesters"]], own["ScopeText"]) == (
        ["buyer"],
        "仅本人",
    )
    assert {row["UserName"] for row in wider["Requesters"]} == {"approver", "buyer"}


def test_freight_is_a_row_of_its_own_in_the_product_report(bought: Account) -> None:
    rows = {
        row["ProductCode"]: row
        for row in ApiClient(bought).get("/api/Report/Product").body["Items"]
    }
    assert (rows["0"]["Name"], rows["0"]["Amount"], rows["0"]["Orders"]) == ("运费", "16.00", 2)


def test_a_row_opens_the_lines_that_sum_to_it(bought: Account) -> None:
    api = ApiClient(bought)
    for row in api.get("/api/Report/Product").body["Items"]:
        lines = api.get("/api/Report/OrderDetail", {"ProductCode": row["ProductCode"]}).body
        assert lines["Totals"]["Amount"] == row["Amount"]


def test_report_rows_follow_the_requested_sort(bought: Account) -> None:
    rows = ApiClient(bought).get("/api/Report/Product", {"Sort": "amount"}).body["Items"]
    assert [row["Amount"] for row in rows] == ["16.00", "40.00", "60.00"]


def test_report_rows_and_lines_are_sorted_by_net_amount(shopper: Account) -> None:
    untaxed, taxed = (
        ProductFactory(market_price="110.00", tax_rate=Decimal(0)),
        ProductFactory(market_price="113.00", tax_rate=Decimal("0.13")),
    )
    buy_at(
        datetime(2026, 7, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai")),
        shopper,
        (untaxed, 1),
        (taxed, 1),
    )
    deliver()
    parameters = {"Period": "custom", "From": "2026-07-01", "To": "2026-07-31"}
    for report in ("Product", "OrderDetail"):
        result = partial(_list_values, ApiClient(shopper), "NetAmount", report)
        assert result({**parameters, "Sort": "net"}) == ["100.00", "110.00"]
        assert result({**parameters, "Sort": "-net"}) == ["110.00", "100.00"]


def test_orders_are_sorted_by_their_submission_day(
    shopper: Account,
) -> None:
    days = [datetime(2026, 7, day, 10, tzinfo=ZoneInfo("Asia/Shanghai")) for day in (1, 2, 3)]
    first, second = (buy_at(day, shopper, (ProductFactory(), 2)) for day in days[:2])
    with clock_at(days[2]):
        order_cancel(actor=shopper, order_no=first.order_no, reason="买错了")
    deliver()
    parameters = {"Period": "custom", "From": "2026-07-01", "To": "2026-07-31"}
    listed = partial(_list_values, ApiClient(shopper), "OrderNo", "Order")
    assert listed(parameters) == [second.order_no, first.order_no]
    assert listed({**parameters, "Sort": "day"}) == [first.order_no, second.order_no]
    assert _list_values(ApiClient(shopper), "Kind", "OrderDetail", parameters) == [
        "ended",
        "ordered",
        "ordered",
    ]


def _list_values(api: ApiClient, field: str, report: str, parameters: dict[str, str]) -> list[str]:
    return [row[field] for row in api.get(f"/api/Report/{report}", parameters).body["Items"]]
