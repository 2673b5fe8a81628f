"""Events of orders become facts: each event once, with its sign, on its own day."""

from __future__ import annotations

from datetime import date, datetime
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from apps.aftersales.tests import cancelling, stories
from apps.approvals.models import Approval
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.catalog.tests.factories import ProductFactory
from apps.common.background.outbox import list_handlers
from apps.common.books import list_differences
from apps.common.models import OutboxMessage
from apps.common.money import build_money_value, round_yuan
from apps.common.tenancy import platform_scope
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_letters import RedForm, red_letter_answer_by_staff, red_letter_apply
from apps.invoices.tests.factories import (
    apply_for,
    build_invoice_number,
    issue_all,
    list_lines,
    received_order,
)
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.models import Account
from apps.reports.enums import Basis
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.services.facts import facts_rebuild, facts_update
from apps.reports.tests.trading import buy_at, deliver, dump, list_facts
from demo.load.clock import clock_at

SHANGHAI = ZoneInfo("Asia/Shanghai")
JUNE_30 = datetime(2026, 6, 30, 23, 50, tzinfo=SHANGHAI)
JULY_2 = datetime(2026, 7, 2, 9, 0, tzinfo=SHANGHAI)
AUGUST_5 = datetime(2026, 8, 5, 9, 0, tzinfo=SHANGHAI)


def test_an_order_counts_on_the_day_it_was_submitted(shopper: Account) -> None:
    buy_at(JUNE_30, shopper, (ProductFactory(), 2))
    deliver()
    assert list_facts() == [("ordered", "06-30", 2, round_yuan("20.00"), round_yuan("2.30"))]


def test_order_waiting_for_approval_creates_no_facts(order_in_approval: Order) -> None:
    deliver()
    assert list_facts() == []


def test_approved_order_counts_on_its_submission_day(
    shopper: Account, approver: Account, order_in_approval: Order
) -> None:
    Order.objects.update(submitted_at=JUNE_30)
    approval_approve(actor=approver, approval_id=Approval.objects.get().pk)
    deliver()
    assert [row[:2] for row in list_facts()] == [("ordered", "06-30")]


def test_rejected_order_creates_no_facts(approver: Account, order_in_approval: Order) -> None:
    approval_reject(actor=approver, approval_id=Approval.objects.get().pk, reason="太贵")
    deliver()
    assert list_facts() == []


def test_a_cancelled_order_goes_on_the_day_it_was_cancelled_and_its_freight_with_it(
    shopper: Account,
) -> None:
    FreightRegionFactory(fee=round_yuan("8.00"))
    order = buy_at(JUNE_30, shopper, (ProductFactory(), 2))
    with clock_at(JULY_2):
        order_cancel(actor=shopper, order_no=order.order_no, reason="买错了")
    deliver()
    assert list_facts() == [
        ("ordered", "06-30", 2, round_yuan("20.00"), round_yuan("2.30")),
        ("ordered_freight", "06-30", 0, round_yuan("8.00"), round_yuan("0.00")),
        ("ended", "07-02", -2, round_yuan("-20.00"), round_yuan("-2.30")),
        ("ended_freight", "07-02", 0, round_yuan("-8.00"), round_yuan("0.00")),
    ]


def test_cancelled_pieces_count_on_their_day_with_the_freight_difference(shopper: Account) -> None:
    with clock_at(JUNE_30):
        order = cancelling.order_two_lines(shopper)
    with clock_at(JULY_2):
        cancelling.ask(shopper, order, 6)
    deliver()
    assert [(kind, day, quantity, amount) for kind, day, quantity, amount, _ in list_facts()] == [
        ("ordered", "06-30", 10, round_yuan("100.00")),
        ("ordered", "06-30", 5, round_yuan("50.00")),
        ("cancelled", "07-02", -6, round_yuan("-60.00")),
        ("cancelled_freight", "07-02", 0, round_yuan("15.00")),
    ]


def test_receipts_count_on_their_days_and_the_freight_with_the_last(
    shopper: Account, staff: Account
) -> None:
    FreightRegionFactory(fee=round_yuan("8.00"))
    order = buy_at(JUNE_30, shopper, (ProductFactory(), 3))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    with clock_at(JULY_2):
        order_receive(actor=shopper, order_no=order.order_no, quantities={order.lines.get().pk: 1})
    with clock_at(AUGUST_5):
        order_receive(actor=shopper, order_no=order.order_no)
    deliver()
    assert list_facts("received") == [
        ("received", "07-02", 1, round_yuan("10.00"), round_yuan("1.15")),
        ("received", "08-05", 2, round_yuan("20.00"), round_yuan("2.30")),
        ("received_freight", "08-05", 0, round_yuan("8.00"), round_yuan("0.00")),
    ]


def test_returned_pieces_count_negative_on_the_refund_day(shopper: Account, staff: Account) -> None:
    order = stories.received_order(shopper, staff)
    story = stories.Story(shopper, staff, stories.apply_for_return(shopper, order, 2))
    story.to("processing")
    with clock_at(AUGUST_5):
        story.settle()
    deliver()
    assert [row for row in list_facts("received") if row[0] == "returned"] == [
        ("returned", "08-05", -2, round_yuan("-20.00"), round_yuan("-2.30"))
    ]


def test_an_invoice_counts_on_its_day(shopper: Account, staff: Account) -> None:
    order = received_order(shopper, (ProductFactory(), 4), staff=staff)
    with clock_at(JULY_2):
        issue_all(apply_for(shopper, {list_lines(order)[0].pk: 3}), staff=staff)
    deliver()
    assert list_facts("invoiced") == [
        ("invoiced", "07-02", 3, round_yuan("30.00"), round_yuan("3.45"))
    ]


def test_a_message_heard_twice_counts_once(shopper: Account) -> None:
    place_order(shopper)
    deliver()
    message = OutboxMessage.objects.get(topic="order.submitted")
    before = dump()
    for handler in list_handlers("order.submitted"):
        handler(message.key, message.payload)
    assert dump() == before


def test_messages_that_come_late_and_in_the_wrong_order_come_to_the_same(shopper: Account) -> None:
    order = buy_at(JUNE_30, shopper, (ProductFactory(), 2))
    with clock_at(JULY_2):
        order_cancel(actor=shopper, order_no=order.order_no, reason="买错了")
    with clock_at(AUGUST_5):
        for topic in ("order.cancelled", "order.submitted"):
            for handler in list_handlers(topic):
                handler(order.order_no, OutboxMessage.objects.get(topic=topic).payload)
    assert [row[:2] for row in list_facts()] == [("ordered", "06-30"), ("ended", "07-02")]


def test_repeated_fact_update_writes_nothing(shopper: Account) -> None:
    order = place_order(shopper)
    assert facts_update([order.pk]) == 1
    assert facts_update([order.pk]) == 0


def test_the_state_on_each_fact_is_the_orders(shopper: Account, staff: Account) -> None:
    order = place_order(shopper)
    deliver()
    order_confirm(actor=staff, order_id=order.pk)
    deliver()
    assert ReportFact.objects.get().order_status == "pending_shipment"


@pytest.fixture
def trade(shopper: Account, staff: Account) -> None:
    """A received and partly invoiced order, a cancelled order, and a partly cancelled order."""
    FreightRegionFactory(fee=round_yuan("8.00"))
    received = received_order(shopper, (ProductFactory(), 4), (ProductFactory(), 7), staff=staff)
    issue_all(apply_for(shopper, {list_lines(received)[0].pk: 4}), staff=staff)
    cancelled = place_order(shopper)
    order_cancel(actor=shopper, order_no=cancelled.order_no, reason="买错了")
    cut = place_order(shopper, (ProductFactory(), 9))
    cancelling.ask(shopper, cut, 2)
    deliver()


def test_facts_rebuilt_from_empty_tables_are_equal(trade: None) -> None:
    before = dump()
    assert len(before) > 12
    ReportFact.objects.all().delete()
    ReportOrderDay.objects.all().delete()
    with platform_scope(reason="test"):
        call_command("rebuild_reports", stdout=StringIO())
    assert dump() == before


def test_facts_rebuilt_over_wrong_rows_are_correct(trade: None) -> None:
    before = dump()
    ReportFact.objects.filter(kind="ordered").update(amount=build_money_value(round_yuan("1.00")))
    ReportFact.objects.filter(kind="received").update(source_id=F("source_id") + 10**9)
    ReportOrderDay.objects.filter(basis="ordered").update(facts=99, cost_center="错")
    ReportOrderDay.objects.filter(basis="received").update(day=date(2020, 1, 1))
    with platform_scope(reason="test"):
        facts_rebuild()
    assert dump() == before


def test_a_rebuild_asks_as_often_for_many_orders_as_for_few(shopper: Account) -> None:
    orders = [place_order(shopper).pk for _ in range(2)]
    with CaptureQueriesContext(connection) as few:
        facts_update(orders)
    orders = [place_order(shopper).pk for _ in range(12)]
    with CaptureQueriesContext(connection) as many:
        facts_update(orders)
    assert len(many) == len(few)


def list_figures() -> set[str]:
    with platform_scope(reason="test"):
        return {row.figure for name, row in list_differences() if name == "报表"}


def test_right_facts_are_right_in_the_books(trade: None) -> None:
    assert list_figures() == set()


@pytest.mark.parametrize(
    ("kind", "figure"),
    [
        ("ordered", "报表（下单口径）"),
        ("ended_freight", "报表（下单口径）"),
        ("received", "报表（签收口径）"),
        ("invoiced", "报表（开票口径）"),
    ],
)
def test_reconciliation_reports_a_lost_fact(trade: None, kind: str, figure: str) -> None:
    ReportFact.objects.filter(kind=kind).delete()
    assert list_figures() == {figure, figure.replace("报表", "报表日汇总")}


@pytest.mark.parametrize("basis", list(Basis))
def test_reconciliation_reports_a_wrong_daily_sum(trade: None, basis: Basis) -> None:
    ReportOrderDay.objects.filter(basis=basis).update(amount=build_money_value(round_yuan("1.00")))
    assert list_figures() == {f"报表日汇总（{basis.label}）"}


def test_a_day_of_an_order_is_one_sum_of_its_facts(shopper: Account) -> None:
    FreightRegionFactory(fee=round_yuan("8.00"))
    order = buy_at(JUNE_30, shopper, (ProductFactory(), 2), (ProductFactory(), 3))
    with clock_at(JULY_2):
        order_cancel(actor=shopper, order_no=order.order_no, reason="买错了")
    deliver()
    rows = ReportOrderDay.objects.order_by("day").values_list(
        "day", "facts", "quantity", "amount", "tax_amount", "order_status"
    )
    assert list(rows) == [
        (date(2026, 6, 30), 3, 5, round_yuan("58.00"), round_yuan("5.75"), "cancelled"),
        (date(2026, 7, 2), 3, -5, round_yuan("-58.00"), round_yuan("-5.75"), "cancelled"),
    ]


def test_reconciliation_ignores_orders_waiting_in_the_outbox(shopper: Account) -> None:
    place_order(shopper)
    assert list_figures() == set()


def test_a_red_invoice_counts_below_zero_on_its_own_day(shopper: Account, staff: Account) -> None:
    order = received_order(shopper, (ProductFactory(), 4), staff=staff)
    with clock_at(JULY_2):
        invoice = issue_all(apply_for(shopper, {list_lines(order)[0].pk: 4}), staff=staff)[0]
    letter = red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    red_letter_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True)
    letter.refresh_from_db()
    with clock_at(AUGUST_5):
        invoice_issue_by_hand(
            actor=staff, invoice_id=letter.red_invoice_id or 0, invoice_no=build_invoice_number(99)
        )
    deliver()
    assert list_facts("invoiced") == [
        ("invoiced", "07-02", 4, round_yuan("40.00"), round_yuan("4.60")),
        ("red", "08-05", -4, round_yuan("-40.00"), round_yuan("-4.60")),
    ]
