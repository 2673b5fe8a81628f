"""Tests of monthly statements with exact amounts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.aftersales.tests.stories import create_story, received_order
from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.errors import Stale, WrongState
from apps.common.events import list_events
from apps.common.testing import examples
from apps.invoices.enums import StatementFigure
from apps.invoices.models import Statement, StatementLine, StatementProgress
from apps.invoices.selectors.bank_receipts import list_open_orders
from apps.invoices.selectors.debts import find_closing_debt, get_debts, get_prepaid
from apps.invoices.selectors.statement_facts import Window, list_new_facts
from apps.invoices.selectors.statements import list_statement_lines
from apps.invoices.services.statements import (
    statement_confirm,
    statement_dispute,
    statement_reply,
    statements_update,
)
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.payments import payment_record
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.models import Account

Figures = tuple[str, str, str, str, str]


def at(text: str) -> Any:
    """Set the clock to a moment in Asia/Shanghai."""
    return patch("django.utils.timezone.now", lambda: datetime.fromisoformat(f"{text}+08:00"))


def receive_order(shopper: Account, staff: Account, when: str, pieces: int = 3) -> Order:
    """Return an order of `pieces` at 10.00 元 that is received at the given moment."""
    with at(when):
        order = place_order(shopper, (ProductFactory(), pieces))
        order_confirm(actor=staff, order_id=order.pk)
        order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
        result: Order = order_receive(actor=shopper, order_no=order.order_no).order
    return result


def pay_order(staff: Account, order: Order, when: str, amount: str, *, on: str = "") -> None:
    """Record a payment at a moment. `on` is the bank's value date if it differs."""
    dated = datetime.fromisoformat(f"{on}+08:00") if on else None
    with at(when):
        payment_record(actor=staff, order_id=order.pk, amount=Decimal(amount), paid_at=dated)


def create_statements(shopper: Account, today: str) -> list[Statement]:
    assert shopper.enterprise is not None
    with at(f"{today}T20:00:00"):
        return statements_update(enterprise=shopper.enterprise, today=date.fromisoformat(today))


def figures(row: Statement) -> Figures:
    return str(row.opening), str(row.deliveries), str(row.returns), str(row.paid), str(row.closing)


def test_statement_opens_with_the_closing_balance_of_the_previous_month(
    shopper: Account, staff: Account
) -> None:
    FreightRegionFactory(fee=Decimal("8.00"))
    may = receive_order(shopper, staff, "2026-05-31T23:59:59")
    receive_order(shopper, staff, "2026-06-01T00:00:00", 5)
    pay_order(staff, may, "2026-06-10T10:00:00", "20.00")

    rows = create_statements(shopper, "2026-07-02")

    assert [figures(row) for row in rows] == [
        ("0.00", "38.00", "0.00", "0.00", "38.00"),
        ("38.00", "58.00", "0.00", "20.00", "76.00"),
        ("76.00", "0.00", "0.00", "0.00", "76.00"),
    ]
    assert [row.status for row in rows] == ["pending", "pending", "running"]


def test_statement_figure_lists_its_lines(shopper: Account, staff: Account) -> None:
    FreightRegionFactory(fee=Decimal("8.00"))
    order = receive_order(shopper, staff, "2026-05-20T10:00:00")

    row = create_statements(shopper, "2026-05-21")[0]

    lines = list_statement_lines(statement=row, figure=StatementFigure.DELIVERIES)
    assert [(line.kind, line.order_id, line.quantity, line.amount) for line in lines] == [
        ("delivery", order.pk, 3, Decimal("30.00")),
        ("freight", order.pk, None, Decimal("8.00")),
    ]


def test_repeated_statement_run_adds_no_line(shopper: Account, staff: Account) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    create_statements(shopper, "2026-05-21")

    create_statements(shopper, "2026-05-21")

    assert StatementLine.objects.count() == 1


def test_late_payment_goes_into_the_next_statement(
    shopper: Account, ga: Account, staff: Account
) -> None:
    order = receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]
    statement_confirm(actor=ga, statement_id=str(may.pk), closing=Decimal("30.00"))
    pay_order(staff, order, "2026-06-03T12:00:00", "30.00", on="2026-05-31T12:00:00")

    rows = create_statements(shopper, "2026-06-03")

    may.refresh_from_db()
    assert figures(may) == ("0.00", "30.00", "0.00", "0.00", "30.00")
    assert [figures(row) for row in rows] == [("30.00", "0.00", "0.00", "30.00", "0.00")]


def test_statement_confirmation_with_an_old_balance_is_refused_as_stale(
    shopper: Account, ga: Account, staff: Account
) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]

    with pytest.raises(Stale, match=r"期末应付已变为 ¥30\.00"):
        statement_confirm(actor=ga, statement_id=str(may.pk), closing=Decimal("29.99"))


def test_the_running_month_is_not_confirmed(shopper: Account, ga: Account, staff: Account) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-05-21")[0]

    with pytest.raises(WrongState, match="本月尚未出账"):
        statement_confirm(actor=ga, statement_id=str(may.pk), closing=Decimal("30.00"))


def test_months_are_confirmed_in_their_order(shopper: Account, ga: Account, staff: Account) -> None:
    receive_order(shopper, staff, "2026-04-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[1]

    with pytest.raises(WrongState, match="请先确认 2026 年 04 月的对账单"):
        statement_confirm(actor=ga, statement_id=str(may.pk), closing=Decimal("30.00"))


def test_a_dispute_is_answered_and_the_statement_waits_again(
    shopper: Account, ga: Account, staff: Account
) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]
    line = may.lines.get()

    statement_dispute(actor=ga, statement_id=str(may.pk), text="少收 1 支", line_id=line.pk)
    may.refresh_from_db()
    assert may.status == "disputed"
    statement_reply(actor=staff, statement_id=may.pk, text="已补发")

    may.refresh_from_db()
    assert may.status == "pending"
    assert [(row.text, row.is_answer, row.line_id) for row in may.remarks.all()] == [
        ("少收 1 支", False, line.pk),
        ("已补发", True, None),
    ]


def test_open_dispute_blocks_the_confirmation_until_it_is_waived(
    shopper: Account, ga: Account, staff: Account
) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]
    key: dict[str, Any] = {"statement_id": str(may.pk), "closing": Decimal("30.00")}
    statement_dispute(actor=ga, statement_id=str(may.pk), text="少收 1 支")

    with pytest.raises(WrongState, match="异议尚未答复"):
        statement_confirm(actor=ga, **key)
    statement_confirm(actor=ga, waives_dispute=True, **key)

    may.refresh_from_db()
    assert may.status == "confirmed"
    assert [event.note for event in list_events(may)][-1] == "放弃未答复的异议"


def test_statement_keeps_the_debt_ages_of_its_month(
    shopper: Account, ga: Account, staff: Account
) -> None:
    """30.00 元 of 20 April are due on 20 May. 12.00 元 are paid in June, after May's statement."""
    order = receive_order(shopper, staff, "2026-04-20T10:00:00")
    receive_order(shopper, staff, "2026-05-25T10:00:00", 5)
    pay_order(staff, order, "2026-06-25T10:00:00", "12.00")
    april, may, june = create_statements(shopper, "2026-07-02")[:3]

    def ages(statement: Statement) -> tuple[str, dict[str, str], str]:
        debt = find_closing_debt(statement=statement)
        assert debt is not None
        assert sum(debt.ages.values()) - debt.prepaid == statement.closing
        values = {code: str(amount) for code, amount in debt.ages.items() if amount}
        return debt.day.isoformat(), values, str(debt.prepaid)

    assert ages(april) == ("2026-04-30", {"not_due": "30.00"}, "0.00")
    assert ages(may) == ("2026-05-31", {"not_due": "50.00", "up_to_30": "30.00"}, "0.00")
    assert ages(june) == ("2026-06-30", {"up_to_30": "50.00", "up_to_60": "18.00"}, "0.00")


def test_debts_by_age(shopper: Account, staff: Account) -> None:
    """The payment term is 30 days. The amount is due on 06-19, so it is 10 days overdue on
    06-29.
    """
    first = receive_order(shopper, staff, "2026-05-20T10:00:00")
    receive_order(shopper, staff, "2026-06-20T10:00:00", 5)
    pay_order(staff, first, "2026-06-25T10:00:00", "12.00")
    assert shopper.enterprise is not None

    ages = get_debts([shopper.enterprise], today=date(2026, 6, 29))[shopper.enterprise.pk]

    assert {code: str(amount) for code, amount in ages.items() if amount} == {
        "not_due": "50.00",
        "up_to_30": "18.00",
    }


def test_returned_goods_reduce_the_debt(shopper: Account, staff: Account) -> None:
    """Of ten pieces at 10.00 元, two are returned. The debt is 80.00 元, and a bank receipt can
    be matched up to this amount.
    """
    create_story(shopper, staff, received_order(shopper, staff)).to("pending_confirm")
    assert shopper.enterprise is not None

    ages = get_debts([shopper.enterprise], today=timezone.localdate())[shopper.enterprise.pk]

    assert {code: str(amount) for code, amount in ages.items() if amount} == {"not_due": "80.00"}
    assert [str(row.left) for row in list_open_orders(enterprise_id=shopper.enterprise.pk)] == [
        "80.00"
    ]


def test_debts_minus_prepayments_equal_the_statement_balance(
    shopper: Account, staff: Account
) -> None:
    """The debt for received goods is 80.00 元. The prepayment for goods not yet received is
    50.00 元.
    """
    create_story(shopper, staff, received_order(shopper, staff)).to("pending_confirm")
    ahead = order_confirm(actor=staff, order_id=place_order(shopper, (ProductFactory(), 5)).pk)
    payment_record(actor=staff, order_id=ahead.pk, amount=Decimal("50.00"))
    assert shopper.enterprise is not None
    (statement,) = statements_update(enterprise=shopper.enterprise, today=timezone.localdate())

    ages = get_debts([shopper.enterprise], today=timezone.localdate())

    assert get_prepaid(ages) == {shopper.enterprise.pk: Decimal("50.00")}
    assert (
        sum(ages[shopper.enterprise.pk].values()) - Decimal("50.00")
        == statement.closing
        == Decimal("30.00")
    )


@settings(max_examples=examples(15))
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(1, 9), st.integers(0, 100)),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 3),
)
def test_statement_balances_stay_continuous_for_any_sequence_of_events(
    shopper: Account,
    ga: Account,
    staff: Account,
    happenings: list[tuple[int, int, int]],
    confirmed: int,
) -> None:
    """Orders are received on any day and partly paid, and some months are confirmed. Each
    statement's closing balance is correct and equals the opening balance of the next
    statement.
    """
    # Each example restarts in January, because the last run has already covered earlier rows.
    with transaction.atomic():
        clock = datetime.fromisoformat("2026-01-01T12:00:00")
        for days, pieces, percent in happenings:
            clock += timedelta(days=days)
            order = receive_order(shopper, staff, clock.isoformat(), pieces)
            if amount := (order.total_amount * percent / 100).quantize(Decimal("0.01")):
                clock += timedelta(days=3)
                pay_order(
                    staff,
                    order,
                    clock.isoformat(),
                    str(amount),
                    on=(clock - timedelta(days=percent)).isoformat(),
                )
            rows = create_statements(shopper, clock.date().isoformat())
            for row in rows[:confirmed]:
                if row.status == "pending":
                    statement_confirm(actor=ga, statement_id=str(row.pk), closing=row.closing)

        create_statements(shopper, "2026-12-01")

        assert list(list_differences()) == []
        last = Statement.objects.order_by("month").last()
        assert last is not None
        owed = sum((order.total_amount for order in Order.objects.all()), Decimal("0.00"))
        settled = sum(
            (line.amount for line in StatementLine.objects.filter(kind="payment")), Decimal("0.00")
        )
        assert last.closing == owed - settled
        transaction.set_rollback(True)


def test_statement_run_reads_only_facts_recorded_since_the_last_run(
    shopper: Account, staff: Account
) -> None:
    """A run covers all earlier facts of a month. The next run reads only facts from the last
    day on, so it does not find the earlier ones again.
    """
    for day in ("01", "09", "17"):
        receive_order(shopper, staff, f"2026-05-{day}T10:00:00")
    create_statements(shopper, "2026-05-20")
    progress = StatementProgress.objects.get()
    window = Window(
        progress.enterprise_id,
        dated_before=datetime.fromisoformat("2026-06-01T00:00+08:00"),
        saved_since=progress.recorded_until,
    )

    StatementLine.objects.all().delete()

    assert list(list_new_facts(window)) == []
    assert len(list(list_new_facts(replace(window, saved_since=None)))) == 3


def test_reconciliation_reports_facts_missing_from_statements(
    shopper: Account, staff: Account
) -> None:
    receive_order(shopper, staff, "2026-05-20T10:00:00")
    create_statements(shopper, "2026-05-22")
    StatementLine.objects.all().delete()

    assert "对账明细" in {difference.figure for _, difference in list_differences()}


def test_payment_dated_before_the_first_month_creates_no_earlier_statement(
    shopper: Account, ga: Account, staff: Account
) -> None:
    order = receive_order(shopper, staff, "2026-05-20T10:00:00")
    may = create_statements(shopper, "2026-06-02")[0]
    statement_confirm(actor=ga, statement_id=str(may.pk), closing=Decimal("30.00"))
    pay_order(staff, order, "2026-06-03T12:00:00", "30.00", on="2026-04-30T12:00:00")

    rows = create_statements(shopper, "2026-06-04")

    assert [(f"{row.month:%Y-%m}", *figures(row)) for row in rows] == [
        ("2026-06", "30.00", "0.00", "0.00", "30.00", "0.00")
    ]
    assert list(list_differences()) == []
