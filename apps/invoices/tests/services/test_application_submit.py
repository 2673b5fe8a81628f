"""An application reserves quantities and plans its invoices with exact amounts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import QuantityExceeded, ValidationFailed
from apps.invoices.errors import TotalMoved
from apps.invoices.selectors.plan import get_plan
from apps.invoices.services.applications import ApplicationForm, application_submit
from apps.invoices.tests.factories import (
    apply_for,
    issue_all,
    list_lines,
    plan_form,
    received_order,
)
from apps.orders.enums import InvoicingStatus
from apps.orders.models import Order
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account) -> Order:
    """A received order of three pieces at 10.00 元 with 13 % tax."""
    return received_order(shopper, (ProductFactory(), 3))


def test_application_reserves_its_quantity_and_amount(shopper: Account, order: Order) -> None:
    (line,) = list_lines(order)
    application = apply_for(shopper, {line.pk: 2})

    line.refresh_from_db()
    assert (application.status, application.amount_incl_tax, application.tax_amount) == (
        "pending",
        Decimal("20.00"),
        Decimal("2.30"),
    )
    assert (line.applied_quantity, line.invoiced_quantity) == (2, 0)


def test_reserved_quantity_cannot_be_applied_for_again(shopper: Account, order: Order) -> None:
    (line,) = list_lines(order)
    apply_for(shopper, {line.pk: 2})

    with pytest.raises(QuantityExceeded, match="可开票数量为 1"):
        apply_for(shopper, {line.pk: 2})


def test_application_with_another_total_than_the_preview_is_refused(
    shopper: Account, order: Order
) -> None:
    (line,) = list_lines(order)
    form = plan_form({line.pk: 2})

    with pytest.raises(TotalMoved):
        application_submit(
            actor=shopper, form=ApplicationForm(form, Decimal("19.99"), email="a@example.com")
        )
    line.refresh_from_db()
    assert line.applied_quantity == 0
    assert get_plan(actor=shopper, form=form).total == Decimal("20.00")


def test_issued_invoice_counts_on_the_line_and_the_order(shopper: Account, order: Order) -> None:
    (line,) = list_lines(order)
    application = apply_for(shopper, {line.pk: 2})
    (invoice,) = issue_all(application)

    line.refresh_from_db()
    axis = Order.objects.get(pk=order.pk).invoicing_status
    application.refresh_from_db()
    assert (line.applied_quantity, line.invoiced_quantity) == (0, 2)
    assert (invoice.status, application.status, axis) == (
        "issued",
        "issued",
        InvoicingStatus.PARTLY,
    )


def test_an_electronic_invoice_needs_a_mail_address(shopper: Account, order: Order) -> None:
    (line,) = list_lines(order)
    form = plan_form({line.pk: 2})
    total = get_plan(actor=shopper, form=form).total

    with pytest.raises(ValidationFailed, match="请填写接收数电发票的邮箱"):
        application_submit(actor=shopper, form=ApplicationForm(form, total, email=""))
