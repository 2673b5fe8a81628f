"""Tests of GET /api/Invoice/{Id}/File: a PDF marked 样票, the XML of a 数电 invoice, and no file
before the invoice is issued.
"""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import pytest
from django.utils import timezone
from python_calamine import CalamineWorkbook

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.invoices.models import Invoice, InvoiceMark
from apps.invoices.selectors import invoice_files
from apps.invoices.tests.factories import apply_for, issue_all, list_lines, received_order
from apps.org.models import Account


@pytest.fixture
def invoice(shopper: Account) -> Invoice:
    """An issued invoice for two pieces at 10.00 元."""
    (line,) = list_lines(received_order(shopper, (ProductFactory(), 2)))
    return issue_all(apply_for(shopper, {line.pk: 2}))[0]


def test_the_pdf(shopper: Account, invoice: Invoice) -> None:
    answer = ApiClient(shopper).get(f"/api/Invoice/{invoice.pk}/File")

    assert answer.body.startswith(b"%PDF-")
    assert (
        answer.response["Content-Disposition"] == f'attachment; filename="{invoice.invoice_no}.pdf"'
    )


def test_invoice_xml_contains_the_number_and_totals(shopper: Account, invoice: Invoice) -> None:
    root = ElementTree.fromstring(
        ApiClient(shopper).get(f"/api/Invoice/{invoice.pk}/File", {"Format": "xml"}).body
    )

    counts = {
        name: root.findtext(name)
        for name in ("InvoiceNumber", "TotalTaxIncludedAmount", "TotalTaxIncludedAmountInChinese")
    }
    assert counts == {
        "InvoiceNumber": invoice.invoice_no,
        "TotalTaxIncludedAmount": "20.00",
        "TotalTaxIncludedAmountInChinese": "贰拾元整",
    }


@pytest.mark.parametrize("foreign", ["\x0b", "\x1f", "\ufffe"])
def test_invoice_xml_drops_invalid_characters_of_the_remark(
    shopper: Account, invoice: Invoice, foreign: str
) -> None:
    Invoice.objects.filter(pk=invoice.pk).update(remark=f"合同{foreign}HT-1")

    root = ElementTree.fromstring(
        ApiClient(shopper).get(f"/api/Invoice/{invoice.pk}/File", {"Format": "xml"}).body
    )

    assert root.findtext("Remark") == "合同HT-1"


def test_invoice_file_is_refused_before_the_invoice_is_issued(shopper: Account) -> None:
    (line,) = list_lines(received_order(shopper, (ProductFactory(), 2)))
    planned = apply_for(shopper, {line.pk: 2}).invoices.get()

    assert ApiClient(shopper).get(f"/api/Invoice/{planned.pk}/File").code == "wrong_state"


def test_the_xml_has_the_net_price_to_six_places(shopper: Account, invoice: Invoice) -> None:
    """Two pieces at 10.00 元 with 13 % tax: 17.70 元 net, 8.85 元 per piece."""
    root = ElementTree.fromstring(
        ApiClient(shopper).get(f"/api/Invoice/{invoice.pk}/File", {"Format": "xml"}).body
    )
    assert root.findtext(".//Item/UnPrice") == "8.85"


def test_the_archive_has_every_file_and_the_list(shopper: Account, invoice: Invoice) -> None:
    InvoiceMark.objects.create(
        group_id=invoice.group_id,
        invoice=invoice,
        kind="booked",
        marked_at=timezone.now(),
        marked_by=shopper,
    )
    Invoice.objects.filter(pk=invoice.pk).update(gateway="demo")
    body = {"InvoiceIds": [str(invoice.pk)]}
    archive = zipfile.ZipFile(
        io.BytesIO(ApiClient(shopper).post("/api/Invoice/Archive", body).body)
    )

    number = invoice.invoice_no
    assert archive.namelist() == [
        f"{number}.pdf",
        f"{number}.xml",
        f"{number}.ofd",
        "发票清单.xlsx",
    ]
    ofd = zipfile.ZipFile(io.BytesIO(archive.read(f"{number}.ofd")))
    assert "价税合计：20.00" in ofd.read("Doc_0/Pages/Page_0/Content.xml").decode()
    rows = CalamineWorkbook.from_filelike(io.BytesIO(archive.read("发票清单.xlsx")))
    first = rows.get_sheet_by_index(0).to_python()[1]
    assert (first[0], first[10], first[13], first[14]) == (number, 20.0, "已入账", "PDF、XML、OFD")


def test_an_invoice_issued_by_hand_has_no_ofd(shopper: Account, invoice: Invoice) -> None:
    answer = ApiClient(shopper).get(f"/api/Invoice/{invoice.pk}/File", {"Format": "ofd"})
    assert (answer.code, answer.message) == ("wrong_state", "该发票没有 OFD 文件，请下载 PDF")


def test_an_archive_over_its_bytes_is_refused(
    shopper: Account, invoice: Invoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invoice_files, "MAX_BYTES", 1000)
    answer = ApiClient(shopper).post("/api/Invoice/Archive", {"InvoiceIds": [str(invoice.pk)]})
    assert (answer.code, answer.message) == (
        "validation",
        "所选发票的文件超过 200 MB，请分批下载",
    )
