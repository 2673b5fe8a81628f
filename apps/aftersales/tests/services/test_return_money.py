"""Tests of a return's refund, budget and invoices. Amounts are exact, and no refund happens
before the red invoice is issued.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.aftersales.models import ReturnLine
from apps.aftersales.selectors.cancels import get_cancel_preview
from apps.aftersales.services.cancel_decide import cancel_grant
from apps.aftersales.services.return_refund import returns_refund_after_red
from apps.aftersales.tests.cancelling import ask
from apps.aftersales.tests.stories import create_story, get_line, received_order
from apps.budgets.models import Budget, BudgetEntry
from apps.catalog.tests.factories import ProductFactory
from apps.common.events import list_events
from apps.common.models import OutboxMessage
from apps.orders.models import Order, OrderLine, PaymentRefund, ReceiptLine
from apps.orders.selectors.customer_terms import find_credit
from apps.orders.selectors.payments import sum_paid
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.payments import payment_record
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account, Enterprise


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """Three pieces at 0.35 元 with 13 % tax: 1.05 元 in total, including 0.12 元 tax."""
    make_budget(shopper, "100.00")
    return received_order(shopper, staff, (ProductFactory(market_price=Decimal("0.35")), 3))


def test_the_parts_of_a_line_sum_to_its_amount_and_tax(
    shopper: Account, staff: Account, order: Order
) -> None:
    for _ in range(3):
        create_story(shopper, staff, order, 1).to("pending_confirm")
    parts = list(ReturnLine.objects.order_by("pk").values_list("amount_incl_tax", "tax_amount"))
    assert parts == [(Decimal("0.35"), Decimal("0.04"))] * 3
    assert sum(tax for _, tax in parts) == get_line(order).tax_amount


def test_partial_returns_and_a_cancellation_return_the_whole_receipt_tax(
    shopper: Account, staff: Account
) -> None:
    """Three of nine pieces at 0.05 元 are received, with 0.02 元 of tax. One piece is returned,
    six are cancelled, and then two are returned.
    """
    order = place_order(shopper, (ProductFactory(stock=100, market_price=Decimal("0.05")), 9))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(
        actor=staff,
        order_id=order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities={get_line(order).pk: 3},
    )
    order_receive(actor=shopper, order_no=order.order_no)
    create_story(shopper, staff, order, 1).to("pending_confirm")
    cancel_grant(actor=staff, cancel_id=ask(shopper, order, 6).pk)
    create_story(shopper, staff, order, 2).to("pending_confirm")

    assert (
        sum(ReturnLine.objects.values_list("tax_amount", flat=True))
        == ReceiptLine.objects.get().tax_amount
        == Decimal("0.02")
    )


def test_refund_credits_the_budget_of_the_purchase(
    shopper: Account, staff: Account, order: Order
) -> None:
    create_story(shopper, staff, order, 2).to("pending_confirm")
    budget, entry = Budget.objects.get(), BudgetEntry.objects.order_by("pk").last()
    assert entry is not None
    assert (budget.consumed, entry.kind, entry.amount) == (
        Decimal("0.35"),
        "refund",
        Decimal("0.70"),
    )


def test_refund_reduces_the_used_credit(shopper: Account, staff: Account) -> None:
    assert shopper.enterprise_id is not None
    Enterprise.objects.filter(pk=shopper.enterprise_id).update(credit_limit=Decimal("100.00"))
    order = received_order(shopper, staff)
    story = create_story(shopper, staff, order, 3)
    credit_used = []
    for step in ("inspecting", "pending_confirm"):
        story.to(step)
        credit_used.append(find_credit(shopper.enterprise_id))
    assert [str(credit.used) for credit in credit_used if credit] == ["100.00", "70.00"]


def test_refund_appears_once_in_the_order_timeline(
    shopper: Account, staff: Account, order: Order
) -> None:
    payment_record(actor=staff, order_id=order.pk, amount=order.total_amount)
    create_story(shopper, staff, order, 1).to("pending_confirm")
    notes = [event.note for event in list_events(order)]
    assert [note for note in notes if "0.35" in note] == notes[-2:-1]


def test_return_of_an_unpaid_order_refunds_nothing(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 1)
    story.to("pending_confirm")
    assert (story.now.refund_amount, story.now.paid_back, PaymentRefund.objects.count()) == (
        Decimal("0.35"),
        Decimal("0.00"),
        0,
    )


def test_return_of_a_paid_order_refunds_its_amount_and_stays_settled(
    shopper: Account, staff: Account, order: Order
) -> None:
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("1.05"))
    story = create_story(shopper, staff, order, 1)
    story.to("pending_confirm")
    assert (story.now.paid_back, PaymentRefund.objects.get().amount) == (
        Decimal("0.35"),
        Decimal("0.35"),
    )
    assert Order.objects.get(pk=order.pk).settlement_status == "done"


def test_return_of_a_partly_paid_order_refunds_only_the_overpayment(
    shopper: Account, staff: Account, order: Order
) -> None:
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("0.40"))
    story = create_story(shopper, staff, order, 2)
    story.to("pending_confirm")
    assert (story.now.refund_amount, story.now.paid_back) == (Decimal("0.70"), Decimal("0.05"))
    assert Order.objects.get(pk=order.pk).settlement_status == "done"


def test_invoiced_return_waits_for_the_red_invoice(
    shopper: Account, staff: Account, order: Order
) -> None:
    line = get_line(order)
    OrderLine.objects.filter(pk=line.pk).update(invoiced_quantity=2)
    story = create_story(shopper, staff, order, 2)
    story.to("processing")
    story.settle()

    assert (story.now.status, story.now.waits_red, get_line(order).returning_quantity) == (
        "processing",
        True,
        2,
    )
    payload = OutboxMessage.objects.get(topic="return.waits_red").payload
    assert payload["lines"] == [{"order_line_id": line.pk, "quantity": 1}]
    assert returns_refund_after_red([line.pk]) == 0

    OrderLine.objects.filter(pk=line.pk).update(invoiced_quantity=1)
    assert returns_refund_after_red([line.pk]) == 1
    assert returns_refund_after_red([line.pk]) == 0, "once"
    assert (story.now.status, story.now.waits_red, story.now.refund_amount) == (
        "pending_confirm",
        False,
        Decimal("0.70"),
    )


def test_partial_acceptance_refunds_only_accepted_pieces(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 3)
    story.to("inspecting")
    story.inspect(1)
    assert get_line(order).returning_quantity == 1
    story.settle()
    assert (story.now.refund_amount, get_line(order).returned_quantity) == (Decimal("0.35"), 1)
    create_story(shopper, staff, order, 2)


def test_cancellation_after_a_return_refunds_the_whole_overpayment(
    shopper: Account, staff: Account
) -> None:
    """Ten pieces at 10.00 元: four are received and one of them is returned, so the customer
    pays 90.00 元. Six pieces are cancelled, and 60.00 元 are refunded.
    """
    order = place_order(shopper, (ProductFactory(stock=100), 10))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(
        actor=staff,
        order_id=order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities={get_line(order).pk: 4},
    )
    order_receive(actor=shopper, order_no=order.order_no)
    create_story(shopper, staff, order, 1).to("pending_confirm")
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("90.00"))
    foretold = get_cancel_preview(
        actor=shopper, order_no=order.order_no, pieces={get_line(order).pk: 6}
    ).refund
    cancel = cancel_grant(actor=staff, cancel_id=ask(shopper, order, 6).pk)

    assert (foretold, cancel.refund_amount, sum_paid(Order.objects.get(pk=order.pk))) == (
        Decimal("60.00"),
        Decimal("60.00"),
        Decimal("30.00"),
    )
