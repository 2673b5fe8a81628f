"""Red invoices: in full and in part, to the cent; what they free, and who confirms them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import QuantityExceeded, WrongState
from apps.common.tenancy import platform_scope
from apps.invoices.models import Invoice, InvoiceLine, RedLetter
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_decide import red_answer_by_staff, red_letters_expire
from apps.invoices.services.red_for_returns import return_refunded_handler
from apps.invoices.services.red_open import RedForm, red_apply
from apps.invoices.tests.factories import apply_for, e_number, issue_all, lines_of, received_order
from apps.orders.models import Order, OrderLine
from apps.org.models import Account


@pytest.fixture
def line(shopper: Account) -> OrderLine:
    """Three pieces at 10.00, 13 %, received."""
    return lines_of(received_order(shopper, (ProductFactory(), 3)))[0]


@pytest.fixture
def invoice(shopper: Account, line: OrderLine) -> Invoice:
    """All three, issued: 30.00 with 3.45 of tax."""
    return issue_all(apply_for(shopper, {line.pk: 3}))[0]


def red_one(shopper: Account, staff: Account, invoice: Invoice, quantity: int) -> Invoice:
    """Take back pieces of the invoice's only line and return the red invoice."""
    (billed,) = InvoiceLine.objects.filter(invoice=invoice)
    letter = red_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01", quantities={billed.pk: quantity}))
    red = red_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True).red_invoice
    assert red is not None
    return invoice_issue_by_hand(actor=staff, invoice_id=red.pk, invoice_no=e_number(1_000_000 + red.pk))


def test_parts_taken_back_sum_to_the_invoice(shopper: Account, staff: Account, line: OrderLine, invoice: Invoice) -> None:
    parts = [red_one(shopper, staff, invoice, 1) for _ in range(3)]

    invoice.refresh_from_db()
    line.refresh_from_db()
    assert [part.amount_incl_tax for part in parts] == [Decimal("-10.00")] * 3
    assert sum(part.tax_amount for part in parts) == -invoice.tax_amount == Decimal("-3.45")
    assert (invoice.status, invoice.red_amount, line.invoiced_quantity) == ("red", Decimal("30.00"), 0)


def test_more_than_is_left_is_not_taken_back(shopper: Account, staff: Account, invoice: Invoice) -> None:
    red_one(shopper, staff, invoice, 2)
    with pytest.raises(QuantityExceeded, match="可红冲数量为 1"):
        red_one(shopper, staff, invoice, 2)


def test_unconfirmed_for_72_hours_it_ends_and_frees_what_it_held(shopper: Account, staff: Account, invoice: Invoice) -> None:
    letter = red_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    RedLetter.objects.filter(pk=letter.pk).update(expires_at=timezone.now() - timedelta(seconds=1))

    with platform_scope(reason="test: the clock"):
        assert red_letters_expire() == 1
    letter.refresh_from_db()
    assert (letter.status, InvoiceLine.objects.get(invoice=invoice).red_quantity) == ("expired", 0)
    with pytest.raises(WrongState):
        red_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True)


def test_where_the_rest_went_back_the_order_is_invoiced_whole(shopper: Account, line: OrderLine) -> None:
    issue_all(apply_for(shopper, {line.pk: 2}))
    order = Order.objects.get(pk=line.order_id)
    before = order.invoicing_status
    OrderLine.objects.filter(pk=line.pk).update(returned_quantity=1)

    return_refunded_handler("TH1", {"order_id": order.pk})
    assert (before, Order.objects.get(pk=order.pk).invoicing_status) == ("partly", "done")
