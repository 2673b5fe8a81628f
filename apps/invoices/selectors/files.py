"""The files of an invoice: a PDF marked 样票, and XML for 数电 invoices."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from django.utils import timezone

from apps.common.errors import WrongState
from apps.invoices.capitals import amount_in_capitals
from apps.invoices.enums import E_KINDS
from apps.invoices.models import Invoice, InvoiceLine
from apps.invoices.selectors.invoice_paper import PARTY, invoice_paper, party_of
from apps.invoices.selectors.invoices import invoice_get

if TYPE_CHECKING:
    from apps.org.models import Account

# Characters that XML 1.0 forbids. Pasted text may contain them.
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class InvoiceFile:
    """The content and the file name."""

    name: str
    content: bytes
    content_type: str


def invoice_file(*, actor: Account, pk: str, file_format: str) -> InvoiceFile:
    """Return the file of an issued invoice that the actor can see.

    Raises:
        InvoiceNotFound: the actor cannot see an invoice with this id.
        WrongState: the invoice is not issued, or XML is requested of an invoice that is not 数电.
    """
    return file_of(invoice_get(actor=actor, pk=pk), file_format)


def file_of(invoice: Invoice, file_format: str) -> InvoiceFile:
    """Return the file of an issued invoice, `pdf` or `xml`.

    Raises:
        WrongState: the invoice is not issued, or XML is requested of an invoice that is not 数电.
    """
    if not invoice.invoice_no:
        raise WrongState("发票尚未开具，开具后可下载文件")
    if file_format == "xml" and invoice.kind not in E_KINDS:
        raise WrongState("只有数电发票提供 XML 文件，请下载 PDF")
    lines = list(InvoiceLine.objects.filter(invoice=invoice).order_by("no"))
    if file_format == "xml":
        return InvoiceFile(f"{invoice.invoice_no}.xml", _xml(invoice, lines), "application/xml")
    return InvoiceFile(
        f"{invoice.invoice_no}.pdf", invoice_paper(invoice, lines), "application/pdf"
    )


def _xml(invoice: Invoice, lines: list[InvoiceLine]) -> bytes:
    root = ElementTree.Element("EInvoice")
    head = {
        "InvoiceNumber": invoice.invoice_no,
        "InvoiceKind": invoice.get_kind_display(),
        "IssueTime": timezone.localtime(invoice.issued_at).isoformat() if invoice.issued_at else "",
        "OriginalInvoiceNumber": invoice.original.invoice_no if invoice.original else "",
        "TotalAmWithoutTax": str(invoice.net_amount),
        "TotalTaxAm": str(invoice.tax_amount),
        "TotalTaxIncludedAmount": str(invoice.amount_incl_tax),
        "TotalTaxIncludedAmountInChinese": amount_in_capitals(invoice.amount_incl_tax),
        "Remark": invoice.remark,
        "Sample": "样票",
    }
    _children(root, head)
    for name, snapshot in (
        ("Buyer", party_of(invoice.title_snapshot)),
        ("Seller", party_of(invoice.seller_snapshot)),
    ):
        _children(
            ElementTree.SubElement(root, name), {key: snapshot.get(key, "") for key, _ in PARTY}
        )
    items = ElementTree.SubElement(root, "Items")
    for line in lines:
        values = {
            "No": str(line.no),
            "ItemName": line.name,
            "TaxClassificationCode": line.tax_code,
            "SpecMod": line.model_code,
            "MeaUnits": line.unit,
            "Quantity": str(line.quantity),
            "UnPrice": line.net_price,
            "Amount": str(line.net_amount),
            "TaxRate": str(line.tax_rate),
            "ComTaxAm": str(line.tax_amount),
            "TotaltaxIncludedAmount": str(line.amount_incl_tax),
        }
        _children(ElementTree.SubElement(items, "Item"), values)
    whole: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return whole


def _children(parent: ElementTree.Element, values: dict[str, str]) -> None:
    for name, value in values.items():
        ElementTree.SubElement(parent, name).text = NOT_XML.sub("", value)
