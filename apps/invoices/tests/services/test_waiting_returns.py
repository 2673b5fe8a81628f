"""A refund waits while its pieces are on an invoice or in an invoice application. It continues
automatically, whatever happens to the application.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.aftersales.tests.stories import Story, create_story, get_line, received_order
from apps.common.background.delivery import outbox_deliver
from apps.common.errors import WrongState
from apps.common.tenancy import platform_scope
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter
from apps.invoices.services.applications import application_reject, application_withdraw
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_for_returns import return_waits_red_handler
from apps.invoices.services.red_letters import (
    RedForm,
    red_letter_answer_by_staff,
    red_letter_apply,
    red_letter_withdraw,
    red_letters_expire,
)
from apps.invoices.tests.factories import apply_for, build_invoice_number, issue_all
from apps.org.models import Account


@pytest.fixture
def story(shopper: Account, staff: Account) -> Story:
    """A return of two of ten pieces, approved and inspected. No invoice application exists."""
    one = create_story(shopper, staff, received_order(shopper, staff))
    one.to("processing")
    return one


@pytest.fixture
def application(shopper: Account, staff: Account) -> InvoiceApplication:
    """An application for all ten pieces of another order."""
    return apply_for(shopper, {get_line(received_order(shopper, staff)).pk: 10})


def waiting(shopper: Account, staff: Account, application: InvoiceApplication) -> Story:
    """Return two pieces of the application. Its refund waits."""
    order = application.invoices.get().lines.get().order
    one = create_story(shopper, staff, order)
    one.to("processing")
    one.settle()
    assert (one.now.status, one.now.waits_red) == ("processing", True)
    return one


def deliver_messages() -> None:
    with platform_scope(reason="test: the outbox"):
        while outbox_deliver():
            pass


def test_withdrawn_application_lets_the_refund_continue(
    shopper: Account, staff: Account, application: InvoiceApplication
) -> None:
    one = waiting(shopper, staff, application)
    application_withdraw(actor=shopper, application_no=application.application_no)
    deliver_messages()
    assert (one.now.status, one.now.refund_amount) == ("pending_confirm", Decimal("20.00"))


def test_rejected_application_lets_the_refund_continue(
    shopper: Account, staff: Account, application: InvoiceApplication
) -> None:
    one = waiting(shopper, staff, application)
    application_reject(actor=staff, application_id=application.pk, reason="抬头不全")
    deliver_messages()
    assert one.now.status == "pending_confirm"


def test_invoice_issued_during_a_waiting_refund_gets_one_red_letter(
    shopper: Account, staff: Account, application: InvoiceApplication
) -> None:
    one = waiting(shopper, staff, application)
    issue_all(application, staff=staff)
    deliver_messages()
    (letter,) = RedLetter.objects.all()
    assert (letter.is_for_return, letter.amount_incl_tax, one.now.waits_red) == (
        True,
        Decimal("20.00"),
        True,
    )


def test_issue_without_a_waiting_refund_creates_no_red_letter(
    shopper: Account, staff: Account, story: Story, application: InvoiceApplication
) -> None:
    issue_all(application, staff=staff)
    deliver_messages()
    assert not RedLetter.objects.exists()
    assert story.now.status == "processing"


@pytest.fixture
def invoice(staff: Account, application: InvoiceApplication) -> Invoice:
    """An issued invoice for all ten pieces."""
    return issue_all(application, staff=staff)[0]


def list_red_letters() -> list[tuple[str, bool, Decimal]]:
    return list(
        RedLetter.objects.order_by("pk").values_list("status", "is_for_return", "amount_incl_tax")
    )


def issue_red_invoice(staff: Account, letter: RedLetter) -> None:
    """Agree as staff and issue the red invoice."""
    red = red_letter_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True).red_invoice
    assert red is not None
    invoice_issue_by_hand(
        actor=staff, invoice_id=red.pk, invoice_no=build_invoice_number(1_000_000 + red.pk)
    )
    deliver_messages()


def test_repeated_waits_red_message_creates_one_red_letter(
    shopper: Account, staff: Account, application: InvoiceApplication, invoice: Invoice
) -> None:
    waiting(shopper, staff, application)
    deliver_messages()
    line = invoice.lines.get().order_line_id
    return_waits_red_handler("TH1", {"lines": [{"order_line_id": line, "quantity": 2}]})
    assert list_red_letters() == [("awaits_seller", True, Decimal("20.00"))]


def test_each_of_two_returns_of_a_line_gets_its_red_invoice(
    shopper: Account, staff: Account, application: InvoiceApplication, invoice: Invoice
) -> None:
    both = []
    for _ in range(2):
        both.append(waiting(shopper, staff, application))
        deliver_messages()
    assert list_red_letters() == [("awaits_seller", True, Decimal("20.00"))] * 2
    for letter in RedLetter.objects.order_by("pk"):
        issue_red_invoice(staff, letter)
    assert [one.now.status for one in both] == ["pending_confirm", "pending_confirm"]


@pytest.mark.parametrize("end", ["refused", "withdrawn", "expired"])
def test_ended_red_letter_frees_its_quantity_for_the_waiting_return(
    shopper: Account, staff: Account, application: InvoiceApplication, invoice: Invoice, end: str
) -> None:
    own = red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    one = waiting(shopper, staff, application)
    deliver_messages()
    assert list_red_letters() == [("awaits_seller", False, Decimal("100.00"))]
    if end == "refused":
        red_letter_answer_by_staff(
            actor=staff, letter_id=own.pk, is_agreed=False, reason="抬头无误"
        )
    elif end == "withdrawn":
        red_letter_withdraw(actor=shopper, invoice_id=invoice.pk, red_no=own.red_no)
    else:
        RedLetter.objects.filter(pk=own.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        with platform_scope(reason="test: the clock"):
            red_letters_expire()
    deliver_messages()
    assert list_red_letters() == [
        (end, False, Decimal("100.00")),
        ("awaits_seller", True, Decimal("20.00")),
    ]
    issue_red_invoice(staff, RedLetter.objects.get(is_for_return=True))
    assert one.now.status == "pending_confirm"


def test_seller_cannot_refuse_a_red_letter_of_a_waiting_refund(
    shopper: Account, staff: Account, application: InvoiceApplication, invoice: Invoice
) -> None:
    waiting(shopper, staff, application)
    deliver_messages()
    with pytest.raises(WrongState, match="退款正等待它"):
        red_letter_answer_by_staff(
            actor=staff, letter_id=RedLetter.objects.get().pk, is_agreed=False, reason="不同意"
        )
    assert list_red_letters() == [("awaits_seller", True, Decimal("20.00"))]
