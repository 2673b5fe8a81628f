"""Tests of full and partial red invoices: exact amounts, the quantities that they release, and
the account that confirms them.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.aftersales.services.cancel_decide import cancel_grant
from apps.catalog.tests.factories import ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.errors import QuantityExceeded, WrongState
from apps.common.tenancy import platform_scope
from apps.invoices.models import Invoice, InvoiceLine, RedLetter
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_for_returns import handle_order_reduced
from apps.invoices.services.red_letters import (
    RedForm,
    red_letter_answer_by_staff,
    red_letter_apply,
    red_letters_expire,
)
from apps.invoices.tests.factories import (
    apply_for,
    build_invoice_number,
    issue_all,
    list_lines,
    received_order,
)
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def line(shopper: Account) -> OrderLine:
    """A received line of three pieces at 10.00 元 with 13 % tax."""
    return list_lines(received_order(shopper, (ProductFactory(), 3)))[0]


@pytest.fixture
def invoice(shopper: Account, line: OrderLine) -> Invoice:
    """An issued invoice for all three pieces: 30.00 元, including 3.45 元 tax."""
    return issue_all(apply_for(shopper, {line.pk: 3}))[0]


def create_red_invoice(
    shopper: Account, staff: Account, invoice: Invoice, quantity: int
) -> Invoice:
    """Reverse some pieces of the invoice's only line and return the red invoice."""
    (billed,) = InvoiceLine.objects.filter(invoice=invoice)
    return confirm_red_letter(
        staff,
        red_letter_apply(
            actor=shopper,
            invoice_id=invoice.pk,
            form=RedForm("01", quantities={billed.pk: quantity}),
        ),
    )


def confirm_red_letter(staff: Account, letter: RedLetter) -> Invoice:
    """Confirm the request and return the issued red invoice."""
    red = red_letter_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True).red_invoice
    assert red is not None
    return invoice_issue_by_hand(
        actor=staff, invoice_id=red.pk, invoice_no=build_invoice_number(1_000_000 + red.pk)
    )


def test_parts_taken_back_sum_to_the_invoice(
    shopper: Account, staff: Account, line: OrderLine, invoice: Invoice
) -> None:
    parts = [create_red_invoice(shopper, staff, invoice, 1) for _ in range(3)]

    invoice.refresh_from_db()
    line.refresh_from_db()
    assert [part.amount_incl_tax for part in parts] == [Decimal("-10.00")] * 3
    assert sum(part.tax_amount for part in parts) == -invoice.tax_amount == Decimal("-3.45")
    assert (invoice.status, invoice.red_amount, line.invoiced_quantity) == (
        "red",
        Decimal("30.00"),
        0,
    )


def test_partial_red_invoices_reverse_the_whole_tax_after_a_refusal(
    shopper: Account, staff: Account
) -> None:
    """Three pieces at 0.05 元 with 13 % tax carry 0.02 元 of tax. Of two open requests for one
    piece each, the first is refused. The three red invoices still reverse the whole tax.
    """
    cheap = ProductFactory(market_price=Decimal("0.05"), stock=100)
    (billed,) = InvoiceLine.objects.filter(
        invoice__in=issue_all(
            apply_for(shopper, {list_lines(received_order(shopper, (cheap, 3)))[0].pk: 3})
        )
    )
    form = RedForm("01", quantities={billed.pk: 1})
    first, second = (
        red_letter_apply(actor=shopper, invoice_id=billed.invoice_id, form=form) for _ in range(2)
    )
    red_letter_answer_by_staff(actor=staff, letter_id=first.pk, is_agreed=False, reason="数量无误")
    reds = [
        confirm_red_letter(staff, second),
        *(create_red_invoice(shopper, staff, billed.invoice, 1) for _ in range(2)),
    ]

    assert [red.tax_amount for red in reds] == [Decimal("0.00"), Decimal("-0.01"), Decimal("-0.01")]
    assert billed.tax_amount == Decimal("0.02")


def test_more_than_is_left_is_not_taken_back(
    shopper: Account, staff: Account, invoice: Invoice
) -> None:
    create_red_invoice(shopper, staff, invoice, 2)
    with pytest.raises(QuantityExceeded, match="可红冲数量为 1"):
        create_red_invoice(shopper, staff, invoice, 2)


def test_red_letter_expires_after_72_hours_and_releases_its_quantity(
    shopper: Account, staff: Account, invoice: Invoice
) -> None:
    letter = red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    RedLetter.objects.filter(pk=letter.pk).update(expires_at=timezone.now() - timedelta(seconds=1))

    with platform_scope(reason="test: the clock"):
        assert red_letters_expire() == 1
    letter.refresh_from_db()
    assert (letter.status, InvoiceLine.objects.get(invoice=invoice).red_quantity) == ("expired", 0)
    with pytest.raises(WrongState):
        red_letter_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True)


def test_order_with_a_returned_rest_counts_as_fully_invoiced(
    shopper: Account, line: OrderLine
) -> None:
    issue_all(apply_for(shopper, {line.pk: 2}))
    order = Order.objects.get(pk=line.order_id)
    before = order.invoicing_status
    OrderLine.objects.filter(pk=line.pk).update(returned_quantity=1)

    handle_order_reduced("TH1", {"order_id": order.pk})
    assert (before, Order.objects.get(pk=order.pk).invoicing_status) == ("partly", "done")


def test_order_with_a_cancelled_rest_counts_as_fully_invoiced(
    shopper: Account, staff: Account
) -> None:
    order = place_order(shopper, (ProductFactory(), 5), (ProductFactory(), 10))
    order_confirm(actor=staff, order_id=order.pk)
    came, rest = list_lines(order)
    order_ship(
        actor=staff,
        order_id=order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities={came.pk: came.quantity},
    )
    order_receive(actor=shopper, order_no=order.order_no)
    issue_all(apply_for(shopper, {came.pk: came.quantity}))
    cancel = cancel_apply(
        actor=shopper, form=CancelForm(order.order_no, "unwanted", "", {rest.pk: rest.quantity})
    )
    cancel_grant(actor=staff, cancel_id=cancel.pk)

    with platform_scope(reason="test: the outbox"):
        outbox_deliver()
    now = Order.objects.get(pk=order.pk)
    assert (now.status, now.invoicing_status) == ("completed", "done")


def test_a_red_invoice_is_not_reversed_again(
    shopper: Account, staff: Account, invoice: Invoice
) -> None:
    red = create_red_invoice(shopper, staff, invoice, 1)

    with pytest.raises(WrongState, match="当前为红字发票，不能申请红冲"):
        red_letter_apply(actor=shopper, invoice_id=red.pk, form=RedForm("01"))
