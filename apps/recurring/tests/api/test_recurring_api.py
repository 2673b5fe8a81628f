"""/api/RecurringOrder: from an order to a recurring one, its detail, its states and refusals."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date
from decimal import Decimal

import pytest

from apps.approvals.tests.clock import clock
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.orders.models import Order
from apps.orders.tests.factories import place_order
from apps.org.models import Account, Address, InvoiceTitle
from apps.recurring.models import RecurringOrder
from apps.recurring.services.recurring_run import recurring_orders_run
from apps.recurring.tests.factories import create_recurring_order

TODAY = date(2026, 11, 26)


@pytest.fixture(autouse=True)
def thursday() -> Generator[None]:
    with clock("2026-11-26 10:00"):
        yield


def build_body(draft: dict[str, object], **changes: object) -> dict[str, object]:
    """Return the body that the page sends for an unchanged draft."""
    choices = ("AddressId", "InvoiceTitleId", "BudgetId", "DeliveryWish", "InvoiceKind")
    texts = ("PaymentKind", "CostCenter", "PurchaseOrderNo", "Remark")
    lines = draft["Lines"]
    assert isinstance(lines, list)
    return {
        **{key: draft[key] for key in (*choices, *texts)},
        "Name": "月初补货",
        "Rhythm": "monthly",
        "Number": 1,
        "Lines": [{"ProductCode": line["ProductCode"], "Quantity": 3} for line in lines],
        **changes,
    }


def test_an_order_becomes_a_recurring_order(shopper: Account) -> None:
    order = place_order(shopper, (ProductFactory(code="700001", stock=50), 2), cost_center="CC-9")
    api = ApiClient(shopper)

    draft = api.get(f"/api/RecurringOrder/Draft?OrderNo={order.order_no}").body
    row = api.post("/api/RecurringOrder", build_body(draft), key=make_key()).body

    assert (draft["AddressId"], draft["CostCenter"]) == (str(Address.objects.get().pk), "CC-9")
    assert draft["InvoiceTitleId"] == str(InvoiceTitle.objects.get().pk)
    assert row["ScheduleText"] == "每月 1 日"
    # 1 December 2026 is a Tuesday, 1 January a holiday (the calendar ends with 2026).
    assert row["UpcomingDates"][0] == row["NextDue"] == "2026-12-01"
    assert (row["NextRun"]["Total"], row["NextRun"]["Blockers"]) == ("30.00", [])
    assert [(line["Price"], line["Amount"]) for line in row["Lines"]] == [("10.00", "30.00")]
    assert row["AllowedActions"] == ["change", "pause", "skip", "end"]


def test_blocked_recurring_order_shows_its_reason_and_continues_with_the_seen_amount(
    shopper: Account,
) -> None:
    row = create_recurring_order(shopper, rise_percent=Decimal(5))
    Product.objects.update(market_price=Decimal("12.00"))
    recurring_orders_run(today=TODAY)
    api = ApiClient(shopper)

    detail = api.get(f"/api/RecurringOrder/{row.recurring_no}").body
    (blocker,) = detail["NextRun"]["Blockers"]
    answer = api.post(
        f"/api/RecurringOrder/{row.recurring_no}/Continue",
        {"SeenAmount": detail["NextRun"]["Total"]},
    )

    assert (detail["Status"], detail["BlockReasonText"]) == ("blocked", "价格上涨")
    assert (blocker["ReasonText"], blocker["CanAccept"]) == ("价格上涨", True)
    assert answer.body["Runs"][0]["OrderNo"] == Order.objects.get().order_no
    assert answer.body["Runs"][0]["Amount"] == "24.00"


def test_recurring_list_counts_states_and_lists_blocked_orders_first(shopper: Account) -> None:
    create_recurring_order(shopper, name="正常")
    stopped = create_recurring_order(shopper, name="停下", amount_ceiling=Decimal("1.00"))
    recurring_orders_run(today=TODAY)

    with assert_queries(6):
        page = ApiClient(shopper).get("/api/RecurringOrder").body

    assert [row["Name"] for row in page["Items"]] == ["停下", "正常"]
    assert {state["Code"]: state["Count"] for state in page["States"]} == {
        "active": 1,
        "blocked": 1,
        "paused": 0,
        "ended": 0,
    }
    assert page["Items"][0]["RecurringNo"] == stopped.recurring_no
    assert page["Items"][0]["AgreedAmount"] == "20.00"


def test_a_change_keeps_the_date_and_refuses_an_older_state(shopper: Account) -> None:
    row = create_recurring_order(shopper, starts_on=date(2026, 12, 3))
    api = ApiClient(shopper)
    path = f"/api/RecurringOrder/{row.recurring_no}"
    draft = api.get(f"/api/RecurringOrder/Draft?RecurringNo={row.recurring_no}").body
    body = build_body(draft, Rhythm="weekly", Number=4, Name="改名")

    assert api.put(path, {**body, "UpdatedAt": "2020-01-01T00:00:00+08:00"}).code == "stale"
    answer = api.put(path, {**body, "UpdatedAt": api.get(path).body["UpdatedAt"]})

    assert (answer.body["Name"], answer.body["NextDue"]) == ("改名", "2026-12-03")


def test_draft_without_selected_items_is_refused(shopper: Account) -> None:
    answer = ApiClient(shopper).get("/api/RecurringOrder/Draft")
    assert (answer.ok, answer.message) == (
        False,
        "没有可以定期采购的商品，请先在购物车中勾选商品，或换一张订单",
    )
    assert not RecurringOrder.objects.exists()


def test_the_detail_computes_the_order_without_dropped_lines(shopper: Account) -> None:
    pen, pad = ProductFactory(stock=100), ProductFactory(stock=100)
    row = create_recurring_order(shopper, (pen, 2), (pad, 1))
    first, second = row.lines.order_by("no").values_list("pk", flat=True)
    api, url = ApiClient(shopper), f"/api/RecurringOrder/{row.recurring_no}"

    one = api.get(f"{url}?DropLineIds={first}").body
    none = api.get(f"{url}?DropLineIds={first}&DropLineIds={second}").body

    assert (one["NextRun"]["Total"], len(one["Lines"])) == ("10.00", 2)
    assert none["NextRun"]["Total"] is None
    assert none["NextRun"]["Blockers"][0]["Message"].startswith("至少保留一种商品")
