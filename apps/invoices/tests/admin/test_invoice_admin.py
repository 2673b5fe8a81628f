"""Staff issue invoices in the back office. Each page offers only the actions that are possible."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import no_scope
from apps.common.testing.database import assert_queries
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter
from apps.invoices.services.red_letters import RedForm, red_letter_apply
from apps.invoices.services.statements import statements_update
from apps.invoices.tests.factories import (
    accept,
    apply_for,
    build_invoice_number,
    issue_all,
    list_lines,
    received_order,
)
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office


@pytest.fixture
def office(db: None) -> Client:
    return open_office(create_staff("财务"))


@pytest.fixture
def application(shopper: Account, staff: Account) -> InvoiceApplication:
    """An application for two pieces at 10.00 元."""
    (line,) = list_lines(received_order(shopper, (ProductFactory(), 2), staff=staff))
    return apply_for(shopper, {line.pk: 2})


def open_page(client: Client, path: str) -> str:
    with no_scope():
        return client.get(f"/admin/invoices/{path}").content.decode()


def act(client: Client, path: str, **fields: object) -> int:
    with no_scope():
        return client.post(f"/admin/invoices/{path}/", {"act": "1", **fields}).status_code


def test_invoice_actions_appear_only_after_the_application_is_accepted(
    office: Client, application: InvoiceApplication, staff: Account
) -> None:
    address = f"invoice/{application.invoices.get().pk}/change/"
    before = open_page(office, address)
    accept(application, staff=staff)
    after = open_page(office, address)
    assert (
        "登记开票" in before,
        "登记开票" in after,
        "重新提交渠道" in before,
        "重新提交渠道" in after,
    ) == (False, True, False, True)


def test_staff_accept_an_application_and_write_its_number_down(
    office: Client, application: InvoiceApplication
) -> None:
    invoice = application.invoices.get()
    assert act(office, f"invoiceapplication/{application.pk}/accept") == 302
    assert (
        act(
            office,
            f"invoice/{invoice.pk}/issue",
            invoice_no=build_invoice_number(7),
            invoice_code="",
        )
        == 302
    )
    assert Invoice.objects.get(pk=invoice.pk).invoice_no == build_invoice_number(7)


def test_red_letter_list_names_the_confirming_party(
    office: Client, application: InvoiceApplication, shopper: Account, staff: Account
) -> None:
    (invoice,) = issue_all(application, staff=staff)
    red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    assert "待销方确认" in open_page(office, "redletter/")
    assert act(office, f"redletter/{RedLetter.objects.get().pk}/confirm") == 302


def test_invoice_admin_page_takes_ten_queries_for_any_number_of_lines(
    office: Client, shopper: Account, staff: Account
) -> None:
    order = received_order(shopper, *((ProductFactory(), 1) for _ in range(12)), staff=staff)
    (invoice,) = issue_all(
        apply_for(shopper, {line.pk: 1 for line in list_lines(order)}), staff=staff
    )
    open_page(office, f"invoice/{invoice.pk}/change/")

    with assert_queries(10):
        assert open_page(office, f"invoice/{invoice.pk}/change/").count(order.order_no) >= 12


def test_statement_admin_page_takes_seventeen_queries_for_any_number_of_lines(
    office: Client, shopper: Account, staff: Account
) -> None:
    received_order(shopper, (ProductFactory(), 3), staff=staff)
    assert shopper.enterprise is not None
    (statement,) = statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    open_page(office, f"statement/{statement.pk}/change/")

    with assert_queries(17):
        assert "付款到期日" in open_page(office, f"statement/{statement.pk}/change/")
