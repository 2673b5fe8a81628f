"""The files of an invoice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.common.errors import WrongState
from apps.invoices.enums import E_KINDS
from apps.invoices.selectors.invoices import invoice_get

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class InvoiceFile:
    """What is sent, and under which name."""

    name: str
    content: bytes
    content_type: str


def invoice_file(*, actor: Account, pk: str, file_format: str) -> InvoiceFile:
    """Return the file of an issued invoice.

    Raises:
        InvoiceNotFound: there is none such that the actor may see.
        WrongState: it is not issued, or only 数电 has XML.
    """
    invoice = invoice_get(actor=actor, pk=pk)
    if not invoice.invoice_no:
        raise WrongState("发票尚未开具，开具后可下载文件")
    if file_format == "xml" and invoice.kind not in E_KINDS:
        raise WrongState("只有数电发票提供 XML 文件，请下载 PDF")
    return InvoiceFile(f"{invoice.invoice_no}.{file_format}", b"", "application/pdf" if file_format == "pdf" else "application/xml")
