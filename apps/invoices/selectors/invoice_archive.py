"""Many issued invoices as one ZIP: every file that an invoice has, and a list of all of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import IO, TYPE_CHECKING

from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.documents.excel.writer import Cell, write_xlsx
from apps.invoices.errors import (
    ArchiveHasUnissued,
    ArchiveTooLarge,
    InvoiceNotFound,
    NothingToArchive,
)
from apps.invoices.models import Invoice, InvoiceLine
from apps.invoices.selectors.invoice_files import build_invoice_file, list_file_formats, party_of
from apps.invoices.selectors.invoices import InvoiceFilter, invoices_visible, list_invoices

if TYPE_CHECKING:
    from apps.org.models import Account

# Limit of a direct download. A worker writes larger archives.
MAX_DIRECT = 50
MAX_INVOICES = 1_000
MAX_MB = 200
MAX_BYTES = MAX_MB * 1024 * 1024
TOO_LARGE = f"所选发票的文件超过 {MAX_MB} MB，请分批下载"
LIST_NAME = "发票清单.xlsx"
HEADER = (
    "发票号码",
    "发票代码",
    "发票种类",
    "蓝字/红字",
    "状态",
    "开票时间",
    "购买方",
    "购买方税号",
    "不含税金额",
    "税额",
    "价税合计",
    "对应蓝字发票",
    "订单号",
    "处理状态",
    "文件",
)


def list_archived_invoices(*, actor: Account, invoice_ids: Collection[int]) -> list[Invoice]:
    """Return issued invoices that the actor can see, for an archive. Three queries.

    Raises:
        InvoiceNotFound: the actor cannot see one of the invoices.
        WrongState: one of them is not issued.
    """
    keys = set(invoice_ids)
    rows = invoices_visible(actor=actor).filter(pk__in=keys)
    found = list(rows.select_related("original").prefetch_related("marks").order_by("pk"))
    if len(found) < len(keys):
        raise InvoiceNotFound
    unissued = [invoice.request_no for invoice in found if not invoice.invoice_no]
    if unissued:
        raise ArchiveHasUnissued(count=len(unissued), example=unissued[0])
    return found


def list_matching_invoice_ids(*, actor: Account, filters: InvoiceFilter) -> list[int]:
    """Return the keys of the issued invoices that match the filter of the list, newest first.

    Raises:
        ValidationFailed: none or more than 1,000 match.
    """
    rows = list_invoices(actor=actor, filters=filters).exclude(invoice_no="")
    keys = list(rows.values_list("pk", flat=True)[: MAX_INVOICES + 1])
    if not keys:
        raise NothingToArchive
    if len(keys) > MAX_INVOICES:
        raise ArchiveTooLarge(MAX_INVOICES)
    return keys


def archive_write(
    invoices: Sequence[Invoice],
    file: IO[bytes],
    *,
    on_invoice: Callable[[int], None] | None = None,
) -> int:
    """Write the ZIP and return its number of invoices. Before each invoice, `on_invoice` receives
    the number of invoices so far; it may raise to stop.

    Raises:
        ValidationFailed: the files exceed 200 MB.
        WrongState: the gateway does not deliver a file now.
    """
    written = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, invoice in enumerate(invoices):
            if on_invoice is not None:
                on_invoice(number)
            for file_format in list_file_formats(invoice):
                content = build_invoice_file(invoice, file_format).content
                written += len(content)
                if written > MAX_BYTES:
                    raise ValidationFailed({"InvoiceIds": [TOO_LARGE]}, TOO_LARGE)
                archive.writestr(f"{_file_stem(invoice)}.{file_format}", content)
        archive.writestr(LIST_NAME, _list_sheet(invoices))
    return len(invoices)


def archive_name(count: int) -> str:
    """Return the name of an archive that is built now."""
    return f"发票_{count}张_{timezone.localtime():%Y%m%d%H%M}.zip"


def _file_stem(invoice: Invoice) -> str:
    return f"{invoice.invoice_code}{invoice.invoice_no}"


def _list_sheet(invoices: Sequence[Invoice]) -> bytes:
    file = io.BytesIO()
    totals: list[Cell] = ["合计", *[None] * 7]
    totals += [
        sum(getattr(invoice, name) for invoice in invoices)
        for name in ("net_amount", "tax_amount", "amount_incl_tax")
    ]
    write_xlsx(file, header=HEADER, rows=_list_rows(invoices), sheet="发票清单", totals=totals)
    return file.getvalue()


def _list_rows(invoices: Sequence[Invoice]) -> Iterator[Sequence[Cell]]:
    orders: dict[int, list[str]] = {}
    lines = InvoiceLine.objects.filter(invoice__in=[invoice.pk for invoice in invoices])
    for pk, order_no in (
        lines.order_by("order__order_no").values_list("invoice", "order__order_no").distinct()
    ):
        orders.setdefault(pk, []).append(order_no)
    for invoice in invoices:
        buyer = party_of(invoice.title_snapshot)
        yield (
            invoice.invoice_no,
            invoice.invoice_code,
            invoice.get_kind_display(),
            "红字" if invoice.is_red else "蓝字",
            invoice.get_status_display(),
            invoice.issued_at,
            buyer["Name"],
            buyer.get("TaxNumber", ""),
            invoice.net_amount,
            invoice.tax_amount,
            invoice.amount_incl_tax,
            invoice.original.invoice_no if invoice.original else "",
            "、".join(orders.get(invoice.pk, [])),
            "、".join(str(mark.get_kind_display()) for mark in invoice.marks.all()),
            "、".join(file_format.upper() for file_format in list_file_formats(invoice)),
        )
