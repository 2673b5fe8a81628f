"""Tests of /api/InvoiceApplication, /api/Invoice and /api/Statement: query counts, and refused
requests, which write nothing.
"""

from __future__ import annotations

import io
from datetime import datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.dimensions.tests.factories import DimensionFactory
from apps.documents.excel import read_rows
from apps.invoices.gateways import DemoInvoiceGateway, Outcome, build_demo_number
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.services.invoice_marks import invoices_mark
from apps.invoices.services.invoice_request import handle_invoice_request
from apps.invoices.services.red_letters import RedForm, red_letter_apply
from apps.invoices.services.statements import statements_update
from apps.invoices.tests.factories import (
    accept,
    apply_for,
    apply_for_all,
    build_invoice_number,
    create_invoice,
    issue_all,
    list_lines,
    received_order,
)
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.tests.factories import FreightRegionFactory
from apps.org.models import Account, InvoiceTitle

AT = "/api/InvoiceApplication"
GATEWAY = DemoInvoiceGateway()


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """A received order of three pieces at 10.00 元 with 13 % tax."""
    return received_order(shopper, (ProductFactory(), 3), staff=staff)


def build_body(order: Order, quantity: int, total: str) -> dict[str, Any]:
    title = InvoiceTitle.objects.order_by("pk")[0]
    lines = [{"OrderLineId": str(list_lines(order)[0].pk), "Quantity": quantity}]
    return {
        "Kind": "e_normal",
        "TitleId": str(title.pk),
        "Lines": lines,
        "Total": total,
        "Email": "fapiao@example.com",
    }


@pytest.mark.parametrize("many", [1, 4])
@pytest.mark.parametrize(
    ("path", "queries"),
    [
        (AT, 4),
        (f"{AT}/Available", 5),
        ("/api/Invoice", 6),
        ("/api/InvoiceTitle", 4),
        ("/api/Statement", 3),
    ],
)
def test_a_list_costs_a_fixed_number_of_queries(
    ga: Account, shopper: Account, staff: Account, path: str, queries: int, many: int
) -> None:
    for _ in range(many):
        done = received_order(shopper, (ProductFactory(), 3), staff=staff)
        issue_all(apply_for(shopper, {list_lines(done)[0].pk: 1}), staff=staff)
    assert shopper.enterprise is not None
    statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    api = ApiClient(ga)
    with assert_queries(queries):
        assert api.get(path).body["Items"]


def test_invoice_detail_takes_seven_queries_for_any_number_of_lines(
    ga: Account, shopper: Account, staff: Account
) -> None:
    whole = received_order(shopper, *((ProductFactory(), 3) for _ in range(5)), staff=staff)
    (invoice,) = issue_all(apply_for_all(shopper, whole), staff=staff)
    red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    OrderLine.objects.filter(order=whole, no=1).update(customer_name="写字用笔")
    api = ApiClient(ga)
    with assert_queries(7):
        body = api.get(f"/api/Invoice/{invoice.pk}").body
    assert (len(body["Lines"]), len(body["RedLetters"])) == (5, 1)
    assert [line["CustomerName"] for line in body["Lines"]] == ["写字用笔", "", "", "", ""]


@pytest.mark.parametrize("many", [1, 3])
def test_application_detail_takes_seven_queries_for_any_number_of_marks(
    shopper: Account, many: int
) -> None:
    invoice = create_invoice(shopper)
    keys = [invoice.pk]
    for number in range(2, many + 1):
        invoice.pk, invoice.request_no, invoice.invoice_no = (
            None,
            f"FP-{number}",
            build_invoice_number(number),
        )
        invoice.save()
        keys.append(invoice.pk)
    for kind in ("verified", "booked"):
        invoices_mark(actor=shopper, invoice_ids=keys, kind=kind)
    api = ApiClient(shopper)
    with assert_queries(7):
        body = api.get(f"{AT}/KP-OURS-0001").body
    assert [len(invoice["Marks"]) for invoice in body["Invoices"]] == [2] * many


def test_an_application_is_split_by_the_cost_centres_of_its_order(
    ga: Account, shopper: Account, staff: Account
) -> None:
    FreightRegionFactory(fee=Decimal("7.00"))
    centers = [DimensionFactory(group=ga.group, code=f"CC-{n}", name=f"{n}部") for n in (1, 2)]
    shares = zip(centers, ("33.33", "66.67"), strict=True)
    parts = tuple(PartForm(row.pk, Decimal(percent)) for row, percent in shares)
    allocation = (AllocationForm("cost_center", parts),)
    split = received_order(shopper, (ProductFactory(), 3), staff=staff, allocations=allocation)
    plain = received_order(shopper, (ProductFactory(), 3), staff=staff)
    # One of three pieces at 10.00 and the freight of 7.00 of a split order; 10.00 of another.
    keys = {list_lines(split)[0].pk: 1, list_lines(plain)[0].pk: 1}
    application = apply_for(shopper, keys, freights=[split.order_no])

    at = f"{AT}/{application.application_no}"
    api = ApiClient(shopper)
    (result,) = api.get(at).body["Allocations"]
    export = api.get(f"{at}/Allocations/Export").body
    _head, *rows = read_rows(io.BytesIO(export), max_rows=20, heading=1, max_columns=20)

    assert (result["Kind"], [(row["Code"], row["Amount"]) for row in result["Rows"]]) == (
        "cost_center",
        [("CC-1", "5.66"), ("CC-2", "11.34"), ("", "10.00")],
    )
    assert sum(Decimal(row["Amount"]) for row in result["Rows"]) == application.amount_incl_tax
    assert sum(Decimal(row[6]) for row in rows) == application.amount_incl_tax
    assert api.get(f"{at}/File").body.startswith(b"%PDF")


def test_repeated_idempotency_key_creates_one_application(shopper: Account, order: Order) -> None:
    key, api = make_key(), ApiClient(shopper)
    answers = [
        api.post(AT, build_body(order, 2, "20.00"), key=key).body["ApplicationNo"] for _ in range(2)
    ]
    assert (
        len(set(answers)),
        InvoiceApplication.objects.count(),
        list_lines(order)[0].applied_quantity,
    ) == (1, 1, 2)


def test_second_application_for_the_same_pieces_reports_the_remaining_quantity(
    shopper: Account, order: Order
) -> None:
    first, second = (
        ApiClient(shopper).post(AT, build_body(order, 2, "20.00"), key=make_key()) for _ in range(2)
    )
    assert (first.ok, second.code, list_lines(order)[0].applied_quantity) == (
        True,
        "quantity_exceeded",
        2,
    )
    assert "可开票数量为 1" in second.message


def test_application_above_the_received_quantity_is_refused(shopper: Account, order: Order) -> None:
    answer = ApiClient(shopper).post(AT, build_body(order, 4, "40.00"), key=make_key())
    assert (answer.code, InvoiceApplication.objects.count()) == ("quantity_exceeded", 0)


def test_a_price_that_moved_after_the_preview_is_refused(shopper: Account, order: Order) -> None:
    body = build_body(order, 2, "20.00")
    OrderLine.objects.update(unit_price_incl_tax="9.00", amount_incl_tax="27.00")
    answer = ApiClient(shopper).post(AT, body, key=make_key())
    assert (
        answer.ok,
        InvoiceApplication.objects.count(),
        list_lines(order)[0].applied_quantity,
    ) == (
        False,
        0,
        0,
    )


def test_invoice_with_an_open_red_letter_offers_no_second_one(
    shopper: Account, staff: Account, order: Order
) -> None:
    (invoice,) = issue_all(apply_for(shopper, {list_lines(order)[0].pk: 3}), staff=staff)
    api = ApiClient(shopper)
    before = api.get(f"/api/Invoice/{invoice.pk}").body["AllowedActions"]
    red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    assert (before, api.get(f"/api/Invoice/{invoice.pk}").body["AllowedActions"]) == (["red"], [])


def test_callbacks_in_any_order_and_again_issue_once(shopper: Account, order: Order) -> None:
    application = apply_for(shopper, {list_lines(order)[0].pk: 2})
    accept(application)
    number = application.invoices.get().request_no
    handle_invoice_request(number, {})
    invoice = Invoice.objects.get(request_no=number)
    issued = GATEWAY.build_callback(invoice, Outcome.ISSUED, number=build_demo_number(number))
    words = [
        issued,
        GATEWAY.build_callback(invoice, Outcome.ACCEPTED),
        issued,
        GATEWAY.build_callback(invoice, Outcome.REFUSED, reason="迟到"),
    ]
    answers = [Client().post("/invoice-gateway/notify/demo", word) for word in words]
    assert [answer.content for answer in answers] == [b"success"] * 4
    assert (Invoice.objects.get(pk=invoice.pk).status, list_lines(order)[0].invoiced_quantity) == (
        "issued",
        2,
    )


@pytest.mark.parametrize(
    "change",
    [{"amount": "0.01"}, {"request_no": "FP00000000000000"}, {"sign": ""}, {"number": "1"}],
)
def test_forged_gateway_callback_is_refused(
    shopper: Account, order: Order, change: dict[str, str]
) -> None:
    application = apply_for(shopper, {list_lines(order)[0].pk: 2})
    accept(application)
    number = application.invoices.get().request_no
    handle_invoice_request(number, {})
    invoice = Invoice.objects.get(request_no=number)
    word = {
        **GATEWAY.build_callback(invoice, Outcome.ISSUED, number=build_demo_number(number)),
        **change,
    }
    answer = Client().post("/invoice-gateway/notify/demo", word)
    assert (answer.status_code, Invoice.objects.get(pk=invoice.pk).status) == (400, "issuing")


def test_goods_to_invoice_have_the_name_of_the_customer_and_of_the_mall(
    shopper: Account, order: Order
) -> None:
    OrderLine.objects.filter(order=order).update(customer_name="写字用笔", name="签字笔")
    rows = ApiClient(shopper).get(f"{AT}/Available").body["Items"]
    names = {row["Kind"]: (row["Name"], row["MallName"]) for row in rows}
    assert names["line"] == ("写字用笔", "签字笔")
    assert names.get("freight", ("运费", ""))[1] == ""


@pytest.mark.parametrize(
    ("at", "month"),
    [("2026-01-31T23:59:59+08:00", "2026-01"), ("2026-02-01T00:00:00+08:00", "2026-02")],
)
def test_a_month_ends_in_shanghai(shopper: Account, staff: Account, at: str, month: str) -> None:
    with patch("django.utils.timezone.now", lambda: datetime.fromisoformat(at)):
        done = received_order(shopper, (ProductFactory(), 3), staff=staff)
    rows = [
        wanted
        for wanted in ("2026-01", "2026-02")
        if ApiClient(shopper).get(f"{AT}/Available", {"Month": wanted}).body["Items"]
    ]
    assert (rows, list_lines(done)[0].received_quantity) == ([month], 3)
