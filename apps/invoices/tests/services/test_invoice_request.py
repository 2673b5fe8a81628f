"""Tests of the invoice gateway's notifications: late, repeated, out of order or forged. One
request creates one invoice.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.errors import WrongState
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.invoices.errors import CallbackRefused
from apps.invoices.gateways import DemoInvoiceGateway, Outcome, build_demo_number
from apps.invoices.models import Invoice
from apps.invoices.services.applications import application_reject, application_withdraw
from apps.invoices.services.invoice_issue import handle_invoice_mail
from apps.invoices.services.invoice_request import callback_process, handle_invoice_request
from apps.invoices.tests.factories import (
    accept,
    apply_for,
    build_invoice_number,
    list_lines,
    received_order,
)
from apps.orders.models import OrderLine
from apps.org.models import Account
from apps.org.tests.factories import GroupFactory

GATEWAY = DemoInvoiceGateway()


@pytest.fixture
def line(shopper: Account) -> OrderLine:
    """A received line of three pieces at 10.00 元 with 13 % tax."""
    return list_lines(received_order(shopper, (ProductFactory(), 3)))[0]


@pytest.fixture
def requested_invoice(shopper: Account, line: OrderLine) -> Invoice:
    """An invoice for two of the pieces, requested at the gateway."""
    application = apply_for(shopper, {line.pk: 2})
    accept(application)
    invoice: Invoice = application.invoices.get()
    handle_invoice_request(invoice.request_no, {})
    invoice.refresh_from_db()
    return invoice


def build_issued_payload(invoice: Invoice) -> dict[str, str]:
    return GATEWAY.build_callback(
        invoice, Outcome.ISSUED, number=build_demo_number(invoice.request_no)
    )


def test_twice_issued_counts_once(line: OrderLine, requested_invoice: Invoice) -> None:
    for _ in range(2):
        invoice = callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))

    line.refresh_from_db()
    assert (invoice.status, invoice.invoice_no, line.invoiced_quantity) == (
        "issued",
        build_demo_number(requested_invoice.request_no),
        2,
    )


def test_late_gateway_callback_leaves_the_invoice_issued(requested_invoice: Invoice) -> None:
    callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))
    for outcome in (Outcome.ACCEPTED, Outcome.REFUSED):
        invoice = callback_process(
            gateway="demo", fields=GATEWAY.build_callback(requested_invoice, outcome, reason="迟到")
        )

    assert invoice.status == "issued"


def test_second_invoice_number_for_a_request_is_refused(requested_invoice: Invoice) -> None:
    callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))

    with pytest.raises(CallbackRefused, match="请人工核对"):
        callback_process(
            gateway="demo",
            fields=GATEWAY.build_callback(
                requested_invoice, Outcome.ISSUED, number=build_invoice_number(9)
            ),
        )


def test_a_forged_word_is_refused(requested_invoice: Invoice) -> None:
    with pytest.raises(CallbackRefused):
        callback_process(
            gateway="demo",
            fields={**build_issued_payload(requested_invoice), "number": build_invoice_number(9)},
        )
    requested_invoice.refresh_from_db()
    assert requested_invoice.status == "issuing"


def test_invoice_fails_if_the_order_price_changed_after_the_application(
    line: OrderLine, requested_invoice: Invoice
) -> None:
    OrderLine.objects.filter(pk=line.pk).update(unit_price_incl_tax="9.00", amount_incl_tax="27.00")
    invoice = callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))

    line.refresh_from_db()
    assert (invoice.status, line.invoiced_quantity, line.applied_quantity) == ("failed", 0, 2)
    assert "订单价格在申请后已变更" in invoice.failure


def test_invoice_number_of_another_customer_is_not_stored(
    line: OrderLine, requested_invoice: Invoice
) -> None:
    other = Invoice.objects.get(pk=requested_invoice.pk)
    other.pk, other.request_no, other.invoice_no, other.status = (
        None,
        "FP-THEIRS",
        build_demo_number(requested_invoice.request_no),
        "issued",
    )
    with platform_scope(reason="test: another customer's"):
        other.group = GroupFactory()
        other.save(force_insert=True)
    invoice = callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))

    assert invoice.status == "failed"
    assert "已被其他发票使用" in invoice.failure


def list_allowed(account: Account, invoice: Invoice) -> list[str]:
    """Return the allowed actions of the invoice's application. List and detail must agree."""
    (row,) = ApiClient(account).get("/api/InvoiceApplication").body["Items"]
    allowed_actions: list[str] = (
        ApiClient(account)
        .get(f"/api/InvoiceApplication/{invoice.application.application_no}")
        .body["AllowedActions"]
    )
    assert row["AllowedActions"] == allowed_actions
    return allowed_actions


def test_unsure_invoice_cannot_be_withdrawn_but_may_be_rejected(
    shopper: Account, staff: Account, requested_invoice: Invoice
) -> None:
    invoice = callback_process(
        gateway="demo",
        fields=GATEWAY.build_callback(requested_invoice, Outcome.ISSUED, number="123"),
    )
    assert (invoice.status, invoice.is_unsure) == ("failed", True)
    assert list_allowed(shopper, invoice) == []
    with pytest.raises(WrongState, match="核实，暂不能撤回"):
        application_withdraw(actor=shopper, application_no=invoice.application.application_no)

    application_reject(actor=staff, application_id=invoice.application_id, reason="已在渠道侧作废")
    assert Invoice.objects.get().status == "void"


def test_invoice_refused_by_the_gateway_may_be_withdrawn(
    shopper: Account, requested_invoice: Invoice
) -> None:
    invoice = callback_process(
        gateway="demo",
        fields=GATEWAY.build_callback(requested_invoice, Outcome.REFUSED, reason="抬头不符"),
    )
    assert list_allowed(shopper, invoice) == ["withdraw"]
    application_withdraw(actor=shopper, application_no=invoice.application.application_no)
    assert Invoice.objects.get().status == "void"


def test_issue_callback_for_a_rejected_application_is_refused(
    staff: Account, requested_invoice: Invoice
) -> None:
    callback_process(
        gateway="demo",
        fields=GATEWAY.build_callback(requested_invoice, Outcome.REFUSED, reason="抬头不符"),
    )
    application_reject(
        actor=staff, application_id=requested_invoice.application_id, reason="抬头不符"
    )
    with pytest.raises(CallbackRefused, match="申请已结束"):
        callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))


def test_invoice_date_is_today_for_a_gateway_clock_that_is_ahead(
    requested_invoice: Invoice,
) -> None:
    Invoice.objects.filter(pk=requested_invoice.pk).update(
        requested_at=timezone.now() + timedelta(days=400)
    )
    invoice = callback_process(gateway="demo", fields=build_issued_payload(Invoice.objects.get()))
    assert invoice.issued_at is not None
    assert timezone.localdate(invoice.issued_at) == timezone.localdate()


def test_gateway_invoice_with_another_amount_is_refused(
    line: OrderLine, requested_invoice: Invoice
) -> None:
    requested_invoice.amount_incl_tax += Decimal("0.01")

    with pytest.raises(CallbackRefused, match="开票金额与申请不一致"):
        callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))
    assert Invoice.objects.get().status == "issuing"


def test_an_issued_invoice_is_mailed_once_to_the_address_of_its_application(
    requested_invoice: Invoice,
) -> None:
    callback_process(gateway="demo", fields=build_issued_payload(requested_invoice))
    outbox_deliver()
    assert [letter.to for letter in mail.outbox] == [["fapiao@example.com"]]

    handle_invoice_mail(requested_invoice.request_no, {})
    assert len(mail.outbox) == 1
