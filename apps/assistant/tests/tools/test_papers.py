"""What the assistant finds out about invoices."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.assistant.tools.papers import look_up_invoices
from apps.invoices.enums import InvoiceStatus
from apps.invoices.models import Invoice
from apps.invoices.tests.factories import create_invoice
from apps.org.models import Account

pytestmark = pytest.mark.django_db


def test_invoice_summary_counts_and_sums_issued_invoices_only(ga: Account) -> None:
    issued = create_invoice(ga)
    Invoice.objects.create(
        request_no="FP-PLANNED",
        application=issued.application,
        enterprise=issued.enterprise,
        kind=issued.kind,
        status=InvoiceStatus.PLANNED,
        title_snapshot=issued.title_snapshot,
        amount_incl_tax=Decimal("50.00"),
        net_amount=Decimal("44.25"),
        tax_amount=Decimal("5.75"),
    )

    summary = look_up_invoices(actor=ga)

    assert (summary.total, summary.amount, summary.invoices) == (1, Decimal("113.00"), [issued])
