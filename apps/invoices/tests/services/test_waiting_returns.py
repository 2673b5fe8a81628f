"""A return of pieces that are on an invoice, or on their way onto one, goes on by itself, whatever becomes of the application."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.aftersales.tests.stories import Story, line_of, received_order, told
from apps.common.delivery import outbox_deliver
from apps.common.tenancy import platform_scope
from apps.invoices.models import InvoiceApplication, RedLetter
from apps.invoices.services.application_decide import application_reject, application_withdraw
from apps.invoices.tests.factories import apply_for, issue_all
from apps.org.models import Account


@pytest.fixture
def story(shopper: Account, staff: Account) -> Story:
    """Two of ten pieces in return, approved and inspected, before anything is applied for."""
    one = told(shopper, staff, received_order(shopper, staff))
    one.to("processing")
    return one


@pytest.fixture
def application(shopper: Account, staff: Account) -> InvoiceApplication:
    """All ten pieces of another order applied for."""
    return apply_for(shopper, {line_of(received_order(shopper, staff)).pk: 10})


def waiting(shopper: Account, staff: Account, application: InvoiceApplication) -> Story:
    """Two of the application's pieces come back, and the refund waits."""
    order = application.invoices.get().lines.get().order
    one = told(shopper, staff, order)
    one.to("processing")
    one.settle()
    assert (one.now.status, one.now.waits_red) == ("processing", True)
    return one


def delivered() -> None:
    with platform_scope(reason="test: the outbox"):
        while outbox_deliver():
            pass


def test_an_application_that_is_withdrawn_lets_the_refund_go_on(shopper: Account, staff: Account, application: InvoiceApplication) -> None:
    one = waiting(shopper, staff, application)
    application_withdraw(actor=shopper, application_no=application.application_no)
    delivered()
    assert (one.now.status, one.now.refund_amount) == ("pending_confirm", Decimal("20.00"))


def test_an_application_that_is_rejected_lets_the_refund_go_on(shopper: Account, staff: Account, application: InvoiceApplication) -> None:
    one = waiting(shopper, staff, application)
    application_reject(actor=staff, application_id=application.pk, reason="抬头不全")
    delivered()
    assert one.now.status == "pending_confirm"


def test_what_is_issued_while_a_refund_waits_is_asked_back_once(shopper: Account, staff: Account, application: InvoiceApplication) -> None:
    one = waiting(shopper, staff, application)
    issue_all(application, staff=staff)
    delivered()
    (letter,) = RedLetter.objects.all()
    assert (letter.is_for_return, letter.amount_incl_tax, one.now.waits_red) == (True, Decimal("20.00"), True)


def test_what_is_not_waited_for_is_not_told_of(shopper: Account, staff: Account, story: Story, application: InvoiceApplication) -> None:
    issue_all(application, staff=staff)
    delivered()
    assert not RedLetter.objects.exists()
    assert story.now.status == "processing"
