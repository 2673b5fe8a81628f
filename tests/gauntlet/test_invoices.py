"""Parallel invoice applications, callbacks and red invoice requests, with real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.aftersales.services.return_apply import return_apply
from apps.aftersales.tests.stories import build_return_form, create_story
from apps.catalog.tests.factories import ProductFactory
from apps.invoices.gateways import DemoInvoiceGateway, Outcome, build_demo_number
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine, RedLetter
from apps.invoices.services.applications import application_withdraw
from apps.invoices.services.invoice_request import callback_process, handle_invoice_request
from apps.invoices.services.red_for_returns import return_waits_red_handler
from apps.invoices.services.red_letters import RedForm, red_letter_apply
from apps.invoices.tests.factories import accept, apply_for, issue_all, list_lines, received_order
from apps.orders.models import OrderLine
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
GATEWAY = DemoInvoiceGateway()


@pytest.fixture
def line(shopper: Account, staff: Account) -> OrderLine:
    """Seven pieces at 10.00, received."""
    return list_lines(received_order(shopper, (ProductFactory(stock=100), 7), staff=staff))[0]


def now(line: OrderLine) -> OrderLine:
    order_line: OrderLine = OrderLine.objects.get(pk=line.pk)
    return order_line


def test_twenty_applications_for_a_piece_at_once_are_seven(
    shopper: Account, line: OrderLine
) -> None:
    outcomes = run_race([partial(apply_for, shopper, {line.pk: 1}) for _ in range(20)])
    assert Counter(outcome.code for outcome in outcomes) == {"": 7, "quantity_exceeded": 13}
    assert (now(line).applied_quantity, InvoiceApplication.objects.count()) == (7, 7)


def test_concurrent_invoice_and_return_quantities_never_exceed_the_received_quantity(
    shopper: Account, line: OrderLine
) -> None:
    applies = [partial(apply_for, shopper, {line.pk: 1}) for _ in range(10)]
    run_race(
        [
            *applies,
            *[
                partial(return_apply, actor=shopper, form=build_return_form(line.order, 1))
                for _ in range(10)
            ],
        ]
    )
    after = now(line)
    assert after.applied_quantity == InvoiceApplication.objects.count() <= 7
    assert after.returning_quantity <= 7


def test_gateway_answer_received_twenty_times_at_once_issues_once(
    shopper: Account, line: OrderLine
) -> None:
    application = apply_for(shopper, {line.pk: 5})
    accept(application)
    invoice = application.invoices.get()
    handle_invoice_request(invoice.request_no, {})
    invoice = Invoice.objects.get(pk=invoice.pk)
    fields = GATEWAY.build_callback(
        invoice, Outcome.ISSUED, number=build_demo_number(invoice.request_no)
    )
    late = GATEWAY.build_callback(invoice, Outcome.REFUSED, reason="迟到的拒绝")
    run_race(
        [
            *[partial(callback_process, gateway="demo", fields=fields)] * 15,
            *[partial(callback_process, gateway="demo", fields=late)] * 5,
        ]
    )
    invoice = Invoice.objects.get(pk=invoice.pk)
    assert (invoice.status, now(line).applied_quantity, now(line).invoiced_quantity) == (
        "issued",
        0,
        5,
    )


def test_withdrawn_and_accepted_at_once_one_wins(
    shopper: Account, staff: Account, line: OrderLine
) -> None:
    application = apply_for(shopper, {line.pk: 5})
    takes_back = partial(
        application_withdraw, actor=shopper, application_no=application.application_no
    )
    run_race([*[partial(accept, application, staff=staff)] * 5, *[takes_back] * 5])
    status = InvoiceApplication.objects.get(pk=application.pk).status
    assert (status, now(line).applied_quantity) in [("withdrawn", 0), ("accepted", 5)]


def test_a_red_request_pressed_ten_times_holds_its_pieces_once(
    shopper: Account, staff: Account, line: OrderLine
) -> None:
    (invoice,) = issue_all(apply_for(shopper, {line.pk: 5}), staff=staff)
    outcomes = run_race(
        [partial(red_letter_apply, actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))] * 10
    )
    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    assert (RedLetter.objects.count(), InvoiceLine.objects.get(invoice=invoice).red_quantity) == (
        1,
        5,
    )


def test_a_return_that_waits_asks_for_one_red_invoice_however_many_workers_hear_of_it(
    shopper: Account, staff: Account, line: OrderLine
) -> None:
    (invoice,) = issue_all(apply_for(shopper, {line.pk: 5}), staff=staff)
    story = create_story(shopper, staff, line.order, 3)
    story.to("processing")
    story.settle()
    payload = {"lines": [{"order_line_id": line.pk, "quantity": 1}]}
    run_race([partial(return_waits_red_handler, story.now.return_no, payload)] * 10)
    assert (RedLetter.objects.count(), InvoiceLine.objects.get(invoice=invoice).red_quantity) == (
        1,
        1,
    )
