"""Tests of the marks that a customer keeps about invoices."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.common.errors import ValidationFailed
from apps.common.events import list_events
from apps.common.tenancy import tenant_scope
from apps.common.testing import ApiClient
from apps.documents.excel import read_rows
from apps.invoices import texts
from apps.invoices.enums import InvoiceKind, InvoiceStatus
from apps.invoices.errors import InvoiceNotFound
from apps.invoices.models import Invoice, InvoiceMark
from apps.invoices.selectors.invoices import InvoiceFilter, count_invoices
from apps.invoices.services.invoice_marks import (
    invoices_mark,
    invoices_unmark,
    mark_sheet_apply,
    mark_sheet_preview,
)
from apps.invoices.tests.factories import create_invoice
from apps.org.models import Account


@pytest.fixture
def invoice(shopper: Account) -> Invoice:
    """An issued 数电普票, created without the services."""
    return create_invoice(shopper)


def build_sheet(*rows: str) -> Any:
    file = io.BytesIO("\n".join(["发票号码,处理状态,说明", *rows]).encode())
    file.name = "发票.csv"
    return file


def list_marks(invoice: Invoice) -> list[tuple[str, str]]:
    return list(invoice.marks.order_by("kind").values_list("kind", "note"))


def test_a_mark_is_set_once_and_cleared(shopper: Account, invoice: Invoice) -> None:
    key: dict[str, Any] = {"actor": shopper, "invoice_ids": [invoice.pk], "kind": "booked"}

    changed = [invoices_mark(note="凭证 0215", **key), invoices_mark(note="凭证 0215", **key)]
    assert (changed, list_marks(invoice)) == ([1, 0], [("booked", "凭证 0215")])
    assert invoices_mark(note="凭证 0216", **key) == 1
    assert list_marks(invoice) == [("booked", "凭证 0216")]
    assert [invoices_unmark(**key), invoices_unmark(**key)] == [1, 0]
    assert [event.note for event in list_events(invoice)] == [
        "已入账：凭证 0215",
        "已入账：凭证 0216",
        "已入账",
    ]


@pytest.mark.parametrize(
    ("fields", "kind", "problem"),
    [
        ({"invoice_no": ""}, "verified", "尚未开具"),
        ({}, "problem", "须填写说明"),
        ({}, "deducted", "普通发票不能抵扣"),
        (
            {"kind": InvoiceKind.E_SPECIAL, "status": InvoiceStatus.RED},
            "deducted",
            "不能登记“已抵扣”",
        ),
    ],
)
def test_a_mark_that_does_not_fit_is_refused_for_all(
    shopper: Account, invoice: Invoice, fields: dict[str, str], kind: str, problem: str
) -> None:
    Invoice.objects.filter(pk=invoice.pk).update(**fields)
    with pytest.raises(ValidationFailed, match=problem):
        invoices_mark(actor=shopper, invoice_ids=[invoice.pk], kind=kind)
    assert not InvoiceMark.objects.exists()


def test_a_foreign_invoice_is_not_found(invoice: Invoice, other_ga: Account) -> None:
    with tenant_scope(group_id=other_ga.group_id or 0), pytest.raises(InvoiceNotFound):
        invoices_mark(actor=other_ga, invoice_ids=[invoice.pk], kind="verified")


def test_invoice_list_filters_by_the_booked_mark(shopper: Account, invoice: Invoice) -> None:
    def count(mark: str) -> int:
        return count_invoices(actor=shopper, filters=InvoiceFilter(mark=mark))[""]

    assert (count("booked"), count("-booked")) == (0, 1)
    invoices_mark(actor=shopper, invoice_ids=[invoice.pk], kind="booked")
    assert (count("booked"), count("-booked")) == (1, 0)


def test_a_sheet_sets_all_marks_or_none(shopper: Account, invoice: Invoice) -> None:
    number = invoice.invoice_no
    wrong = build_sheet(f"{number},已验真、作废,", f"{number},有问题,", "99999999,已验真,")
    assert [row.errors for row in mark_sheet_preview(actor=shopper, upload=wrong)] == [
        ["处理状态“作废”不存在，请填写：已验真、已入账、已抵扣、有问题"],
        ["登记“有问题”须填写说明", "与第 2 行是同一张发票，请合并为一行"],
        ["发票不存在，或不在您的数据范围内"],
    ]
    with pytest.raises(ValidationFailed, match="有 3 行需要修改，未登记任何发票"):
        mark_sheet_apply(actor=shopper, upload=wrong)
    assert not InvoiceMark.objects.exists()

    assert (
        mark_sheet_apply(actor=shopper, upload=build_sheet(f"{number},已验真、已入账,凭证 1")) == 1
    )
    assert list_marks(invoice) == [("booked", "凭证 1"), ("verified", "凭证 1")]


def test_the_valid_rows_of_a_sheet_are_applied_without_the_others(
    shopper: Account, invoice: Invoice
) -> None:
    sheet = [f"{invoice.invoice_no},已验真,凭证 1", "99999999,已验真,"]
    with pytest.raises(ValidationFailed):
        mark_sheet_apply(actor=shopper, upload=build_sheet(sheet[1]), is_good_only=True)

    assert mark_sheet_apply(actor=shopper, upload=build_sheet(*sheet), is_good_only=True) == 1
    assert list_marks(invoice) == [("verified", "凭证 1")]


def test_a_mark_sheet_with_foreign_columns_is_mapped_and_its_wrong_rows_come_back(
    shopper: Account, invoice: Invoice
) -> None:
    def send(**options: str) -> Any:
        text = f"发票号,处理状态,凭证\n{invoice.invoice_no},已验真,1\n99999999,已验真,2"
        file = SimpleUploadedFile("发票.csv", text.encode())
        return ApiClient(shopper).upload("/api/Invoice/MarkSheet", {"file": file, **options})

    assert send().body == {
        "Headers": ["发票号", "凭证"],
        "Columns": ["发票号码", "发票代码", "说明"],
    }
    mapping = json.dumps({"发票号": "发票号码", "凭证": ""})
    assert send(Mapping=mapping).body["Wrong"] == 1
    sheet = io.BytesIO(send(WrongRows="true").response.content)
    assert list(read_rows(sheet, max_rows=5, max_columns=5)) == [
        ["发票号码", "发票代码", "处理状态", "说明", "错误原因"],
        ["99999999", "", "已验真", "", texts.INVOICE_UNKNOWN],
    ]
    assert send(Confirm="true", GoodOnly="true").message == "已登记 1 张发票"
    assert list_marks(invoice) == [("verified", "")]
