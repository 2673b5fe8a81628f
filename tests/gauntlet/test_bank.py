"""Parallel matches of bank receipts: never more than the receipt's amount is used, and no order
is paid twice.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.invoices.models import BankMatch, BankReceipt, Statement
from apps.invoices.services.bank_receipts import receipt_match, receipt_record, receipt_unmatch
from apps.invoices.services.statements import statements_update
from apps.invoices.tests.factories import received_order
from apps.orders.models import Order
from apps.org.models import Account
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def receipt_of(staff: Account, amount: str, serial: str = "S1") -> BankReceipt:
    return receipt_record(
        actor=staff,
        serial=serial,
        received_on=timezone.localdate(),
        payer_name="某某",
        amount=Decimal(amount),
    )


def match(staff: Account, receipt: BankReceipt, *orders: Order) -> int:
    """Match 10.00 of the receipt to each order. Return the number of matches."""
    parts = {order.pk: Decimal("10.00") for order in orders}
    return len(receipt_match(actor=staff, receipt_id=receipt.pk, parts=parts))


def test_20_matches_of_a_receipt_for_7_take_7(shopper: Account, staff: Account) -> None:
    product = ProductFactory(stock=100)
    orders = [received_order(shopper, (product, 1), staff=staff) for _ in range(20)]
    receipt = receipt_of(staff, "70.00")

    outcomes = run_race([partial(match, staff, receipt, order) for order in orders])

    assert sum(outcome.ok for outcome in outcomes) == 7
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"stale"}
    assert BankReceipt.objects.get().left == Decimal("0.00")
    assert Order.objects.filter(settlement_status="done").count() == 7
    assert_books_balance()


def test_an_order_is_paid_once_however_many_receipts_are_matched_to_it(
    shopper: Account, staff: Account
) -> None:
    order = received_order(shopper, (ProductFactory(stock=100), 1), staff=staff)
    receipts = [receipt_of(staff, "10.00", f"S{number}") for number in range(10)]

    outcomes = run_race([partial(match, staff, receipt, order) for receipt in receipts])

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"validation"}
    assert BankMatch.objects.count() == 1
    assert_books_balance()


def test_orders_matched_in_any_order_do_not_wait_for_each_other(
    shopper: Account, staff: Account
) -> None:
    product = ProductFactory(stock=100)
    one, other = (received_order(shopper, (product, 20), staff=staff) for _ in range(2))
    receipt = receipt_of(staff, "400.00")
    there, back = (
        partial(match, staff, receipt, one, other),
        partial(match, staff, receipt, other, one),
    )

    outcomes = run_race([there, back] * 10)

    assert all(outcome.ok for outcome in outcomes)
    assert Order.objects.filter(settlement_status="done").count() == 2
    assert_books_balance()


def test_a_match_is_undone_once(shopper: Account, staff: Account) -> None:
    order, receipt = (
        received_order(shopper, (ProductFactory(stock=100), 1), staff=staff),
        receipt_of(staff, "10.00"),
    )
    match(staff, receipt, order)
    undo = partial(
        receipt_unmatch, actor=staff, match_id=BankMatch.objects.get().pk, reason="认错客户"
    )

    outcomes = run_race([undo] * 10)

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert BankReceipt.objects.get().left == Decimal("10.00")
    assert_books_balance()


def pay_by_statement(
    staff: Account, statement_id: int, orders: list[int], receipts: list[int]
) -> int:
    """Match every receipt by the statement, 1.00 for each order."""
    parts = dict.fromkeys(orders, Decimal("1.00"))
    return sum(
        len(receipt_match(actor=staff, receipt_id=pk, parts=parts, statement_id=statement_id))
        for pk in receipts
    )


def make_often(shopper: Account) -> int:
    assert shopper.enterprise is not None
    return sum(
        len(statements_update(enterprise=shopper.enterprise, today=timezone.localdate()))
        for _ in range(12)
    )


def test_matching_by_a_statement_and_making_it_do_not_lock_each_other_out(
    shopper: Account, staff: Account
) -> None:
    product = ProductFactory(stock=1000)
    orders = [received_order(shopper, (product, 100), staff=staff).pk for _ in range(3)]
    assert shopper.enterprise is not None
    statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    receipts = [receipt_of(staff, "3.00", f"S{number}").pk for number in range(30)]
    pays = [
        partial(pay_by_statement, staff, Statement.objects.get().pk, orders, receipts[nth::3])
        for nth in range(3)
    ]

    run_race([*[partial(make_often, shopper)] * 3, *pays])

    make_often(shopper)
    assert (BankMatch.objects.count(), Statement.objects.get().paid) == (90, Decimal("90.00"))
    assert_books_balance()
