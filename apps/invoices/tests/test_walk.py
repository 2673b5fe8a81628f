"""G5: a random walk over applications, invoices and red requests. After any sequence, the
stored totals match the documents.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import DomainError
from apps.common.testing import examples
from apps.invoices.errors import CallbackRefused
from apps.invoices.gateways import DemoInvoiceGateway, Outcome, build_demo_number
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine, RedLetter, RedLine
from apps.invoices.services.applications import (
    application_accept,
    application_reject,
    application_withdraw,
)
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.invoice_request import (
    callback_process,
    handle_invoice_request,
    invoices_request_again,
)
from apps.invoices.services.red_letters import (
    HOLDING,
    RedForm,
    red_letter_answer_by_staff,
    red_letter_apply,
    red_letter_withdraw,
    red_letters_expire,
)
from apps.invoices.tests.factories import (
    apply_for,
    build_invoice_number,
    list_lines,
    received_order,
)
from apps.orders.models import Order, OrderLine
from apps.org.models import Account

GATEWAY = DemoInvoiceGateway()
LIVE = ("issued", "partly_red", "red")
UNDECIDED = ("planned", "issuing", "failed")
VERBS = (
    "apply",
    "apply",
    "accept",
    "accept",
    "reject",
    "withdraw",
    "request",
    "request",
    "hand",
    "issued",
    "issued",
    "refused",
    "heard",
    "again",
    "red",
    "red",
    "agree",
    "agree",
    "deny",
    "unred",
    "expire",
)
STEPS = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, 2), st.integers(1, 4)), min_size=6, max_size=36
)


def get_one(rows: Any, which: int) -> Any:
    """Return one of the three newest rows, or None if there are no rows."""
    results = list(rows.order_by("-pk")[:3])
    return results[which % len(results)] if results else None


def step(verb: str, which: int, many: int, buyer: Account, staff: Account, line: OrderLine) -> Any:
    if verb == "apply":
        return apply_for(buyer, {line.pk: many})
    if verb in ("accept", "reject", "withdraw"):
        return get_application_step(verb, which, buyer, staff)
    if verb in ("agree", "deny", "unred", "expire"):
        return letter_step(verb, which, buyer, staff)
    invoice = get_one(Invoice.objects.all(), which)
    return invoice and get_invoice_step(verb, many, buyer, staff, invoice)


def get_application_step(verb: str, which: int, buyer: Account, staff: Account) -> Any:
    one = get_one(InvoiceApplication.objects.all(), which)
    steps: dict[str, Any] = {
        "accept": lambda: application_accept(actor=staff, application_id=one.pk),
        "reject": lambda: application_reject(actor=staff, application_id=one.pk, reason="抬头不全"),
        "withdraw": lambda: application_withdraw(actor=buyer, application_no=one.application_no),
    }
    return one and steps[verb]()


def letter_step(verb: str, which: int, buyer: Account, staff: Account) -> Any:
    one = get_one(RedLetter.objects.all(), which)
    steps: dict[str, Any] = {
        "agree": lambda: red_letter_answer_by_staff(actor=staff, letter_id=one.pk, is_agreed=True),
        "deny": lambda: red_letter_answer_by_staff(
            actor=staff, letter_id=one.pk, is_agreed=False, reason="金额不符"
        ),
        "unred": lambda: red_letter_withdraw(
            actor=buyer, invoice_id=one.invoice_id, red_no=one.red_no
        ),
        "expire": lambda: (
            RedLetter.objects.filter(pk=one.pk).update(expires_at=timezone.now())
            and red_letters_expire()
        ),
    }
    return one and steps[verb]()


def get_invoice_step(verb: str, many: int, buyer: Account, staff: Account, invoice: Invoice) -> Any:
    number = build_demo_number(invoice.request_no)
    steps: dict[str, Any] = {
        "request": lambda: handle_invoice_request(invoice.request_no, {}),
        "hand": lambda: invoice_issue_by_hand(
            actor=staff, invoice_id=invoice.pk, invoice_no=build_invoice_number(invoice.pk)
        ),
        "issued": lambda: callback_process(
            gateway="demo", fields=GATEWAY.build_callback(invoice, Outcome.ISSUED, number=number)
        ),
        "refused": lambda: callback_process(
            gateway="demo",
            fields=GATEWAY.build_callback(invoice, Outcome.REFUSED, reason="税局退回"),
        ),
        "heard": lambda: callback_process(
            gateway="demo", fields=GATEWAY.build_callback(invoice, Outcome.ACCEPTED)
        ),
        "again": invoices_request_again,
        "red": lambda: red_letter_apply(
            actor=buyer,
            invoice_id=invoice.pk,
            form=RedForm("01", quantities={row.pk: many for row in invoice.lines.all()}),
        ),
    }
    return steps[verb]()


def get_pieces(**filters: Any) -> int:
    return InvoiceLine.objects.filter(**filters).aggregate(pieces=Sum("quantity"))["pieces"] or 0


def assert_invariants(line: OrderLine) -> None:
    line = OrderLine.objects.get(pk=line.pk)
    assert line.applied_quantity == get_pieces(
        invoice__status__in=UNDECIDED, invoice__original=None
    )
    assert line.invoiced_quantity == get_pieces(invoice__status__in=LIVE)
    assert line.applied_quantity + line.invoiced_quantity <= line.received_quantity
    for invoice in Invoice.objects.filter(original=None, status__in=LIVE):
        back = -sum(
            (red.amount_incl_tax for red in invoice.red_invoices.filter(status__in=LIVE)),
            Decimal("0.00"),
        )
        assert invoice.red_amount == back
        assert invoice.status == (
            "issued" if not back else "red" if back == invoice.amount_incl_tax else "partly_red"
        )
    for row in InvoiceLine.objects.filter(invoice__original=None):
        held = (
            RedLine.objects.filter(line=row, letter__status__in=HOLDING).aggregate(
                pieces=Sum("quantity")
            )["pieces"]
            or 0
        )
        assert (row.red_quantity, held <= row.quantity) == (held, True)
    numbers = list(Invoice.objects.exclude(invoice_no="").values_list("invoice_no", flat=True))
    assert len(numbers) == len(set(numbers))
    done = InvoiceLine.objects.filter(invoice__status__in=LIVE).aggregate(
        amount=Sum("amount_incl_tax")
    )["amount"] or Decimal("0.00")
    assert done == line.unit_price_incl_tax * line.invoiced_quantity
    axis = Order.objects.get(pk=line.order_id).invoicing_status
    assert axis == (
        "none"
        if not line.invoiced_quantity
        else "done"
        if line.invoiced_quantity == line.quantity
        else "partly"
    )


@settings(max_examples=examples(20))
@given(steps=STEPS)
def test_a_random_walk_never_invoices_more_than_was_received(
    shopper: Account, staff: Account, steps: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        (line,) = list_lines(
            received_order(
                shopper, (ProductFactory(market_price=Decimal("3.35"), stock=100), 7), staff=staff
            )
        )
        for verb, which, many in steps:
            before = get_snapshot()
            try:
                with transaction.atomic():
                    step(verb, which, many, shopper, staff, line)
            except (DomainError, CallbackRefused):
                # Rolled back, so the invariants of the step before still hold.
                assert get_snapshot() == before
            else:
                assert_invariants(line)
        transaction.set_rollback(True)


def get_snapshot() -> Any:
    line = OrderLine.objects.values_list("applied_quantity", "invoiced_quantity").get()
    return (
        line,
        Invoice.objects.count(),
        RedLetter.objects.count(),
        InvoiceApplication.objects.count(),
    )
