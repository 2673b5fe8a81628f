"""The files of an issued invoice: a PDF marked 样票, XML for 数电 invoices, and the formats of its
gateway, such as OFD. Many issued invoices as one ZIP, with a list of all of them.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING
from xml.etree import ElementTree

from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.documents.excel.writer import Cell, write_xlsx
from apps.documents.pdf import FOOT, GREY, INNER, MARGIN, Column, Paper, draw_table
from apps.invoices.capitals import write_amount_in_capitals
from apps.invoices.enums import E_KINDS, InvoiceKind
from apps.invoices.errors import (
    ArchiveHasUnissued,
    ArchiveTooLarge,
    GatewayFileUnavailable,
    InvoiceNotFound,
    InvoiceNotIssued,
    NoSuchFile,
    NothingToArchive,
    NoXmlFile,
)
from apps.invoices.gateways import GatewayAway, get_gateway, list_gateway_formats
from apps.invoices.models import Invoice, InvoiceLine
from apps.invoices.selectors.invoices import (
    InvoiceFilter,
    get_invoice,
    list_invoices,
    list_visible_invoices,
)

if TYPE_CHECKING:
    from apps.org.models import Account

# Characters that XML 1.0 forbids. Pasted text may contain them.
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Heading of each invoice kind.
TITLES: dict[str, str] = {
    InvoiceKind.E_NORMAL: "电子发票（普通发票）",
    InvoiceKind.E_SPECIAL: "电子发票（增值税专用发票）",
    InvoiceKind.PAPER_NORMAL: "增值税普通发票",
    InvoiceKind.PAPER_SPECIAL: "增值税专用发票",
}
COLUMNS = (
    Column("项目名称", 38),
    Column("规格型号", 21),
    Column("单位", 9),
    Column("数量", 12, "right"),
    Column("单价", 22, "right"),
    Column("金额", 22, "right"),
    Column("税率", 10, "right"),
    Column("税额", 18, "right"),
    Column("价税合计", 22, "right"),
)
PARTY = (
    ("Name", "名称"),
    ("TaxNumber", "纳税人识别号"),
    ("Address", "地址"),
    ("Phone", "电话"),
    ("Bank", "开户行"),
    ("BankAccount", "账号"),
)
LABEL, HALF, STEP = 22.0, INNER / 2, 5.0
# Height of totals, capitals, remark and issuer below the goods.
BELOW = 34.0


@dataclass(frozen=True, slots=True)
class InvoiceFile:
    """The content and the file name."""

    name: str
    content: bytes
    content_type: str


def get_invoice_file(*, actor: Account, pk: str, file_format: str) -> InvoiceFile:
    """Return the file of an issued invoice that the actor can see.

    Raises:
        InvoiceNotFound: the actor cannot see an invoice with this id.
        WrongState: the invoice is not issued, or XML is requested of an invoice that is not 数电.
    """
    return build_invoice_file(get_invoice(actor=actor, pk=pk), file_format)


def list_file_formats(invoice: Invoice) -> list[str]:
    """Return the formats of the invoice's files: `pdf`, `xml` and those of its gateway. Empty if
    it is not issued.
    """
    if not invoice.invoice_no:
        return []
    own_formats = ["pdf", "xml"] if invoice.kind in E_KINDS else ["pdf"]
    return [*own_formats, *list_gateway_formats(invoice)]


def build_invoice_file(invoice: Invoice, file_format: str) -> InvoiceFile:
    """Return the file of an issued invoice: `pdf`, `xml` or `ofd`.

    Raises:
        WrongState: the invoice is not issued, XML is requested of an invoice that is not 数电, or
            its gateway has no OFD or is unavailable.
    """
    if not invoice.invoice_no:
        raise InvoiceNotIssued
    if file_format == "xml" and invoice.kind not in E_KINDS:
        raise NoXmlFile
    if file_format not in ("pdf", "xml"):
        return _fetch_gateway_file(invoice, file_format)
    lines = list(InvoiceLine.objects.filter(invoice=invoice).order_by("no"))
    if file_format == "xml":
        return InvoiceFile(
            f"{invoice.invoice_no}.xml", _render_xml(invoice, lines), "application/xml"
        )
    return InvoiceFile(
        f"{invoice.invoice_no}.pdf", draw_invoice_paper(invoice, lines), "application/pdf"
    )


def draw_invoice_paper(invoice: Invoice, lines: Sequence[InvoiceLine]) -> bytes:
    """Return the PDF as bytes."""
    name = TITLES[invoice.kind] + ("（红字）" if invoice.is_red else "")
    paper = Paper(
        title=f"{name} {invoice.invoice_no}", footer="样票，仅供演示，不作报销凭证", mark="样票"
    )
    y = _draw_parties(paper, invoice, _draw_head(paper, invoice, name))
    total = [
        "合　计",
        "",
        "",
        "",
        "",
        f"{invoice.net_amount:,.2f}",
        "",
        f"{invoice.tax_amount:,.2f}",
        f"{invoice.amount_incl_tax:,.2f}",
    ]
    y = draw_table(
        paper,
        y=y,
        columns=COLUMNS,
        rows=[*(_list_cells(line) for line in lines), total],
        bottom=FOOT - BELOW,
    )
    _draw_totals(paper, invoice, y + 3)
    return paper.finish()


def _fetch_gateway_file(invoice: Invoice, file_format: str) -> InvoiceFile:
    """Return the file from the gateway.

    Raises:
        NoSuchFile: the gateway has no file of this format.
        GatewayFileUnavailable: the gateway does not answer.
    """
    if file_format not in list_gateway_formats(invoice):
        raise NoSuchFile(file_format.upper())
    try:
        content = get_gateway(invoice.gateway).fetch_file(invoice, file_format)
    except GatewayAway as error:
        raise GatewayFileUnavailable from error
    return InvoiceFile(f"{invoice.invoice_no}.{file_format}", content, "application/octet-stream")


def get_party(snapshot: dict[str, str]) -> dict[str, str]:
    """Return the buyer's or the seller's fields under the names of PARTY."""
    return {**snapshot, "Name": snapshot.get("Name") or snapshot.get("Title", "")}


def _render_xml(invoice: Invoice, lines: list[InvoiceLine]) -> bytes:
    """Return the XML file of the demo's invoice. Amounts are in 元."""
    root = ElementTree.Element("EInvoice")
    head = {
        "InvoiceNumber": invoice.invoice_no,
        "InvoiceKind": invoice.get_kind_display(),
        "IssueTime": timezone.localtime(invoice.issued_at).isoformat() if invoice.issued_at else "",
        "OriginalInvoiceNumber": invoice.original.invoice_no if invoice.original else "",
        "TotalAmWithoutTax": str(invoice.net_amount),
        "TotalTaxAm": str(invoice.tax_amount),
        "TotalTaxIncludedAmount": str(invoice.amount_incl_tax),
        "TotalTaxIncludedAmountInChinese": write_amount_in_capitals(invoice.amount_incl_tax),
        "Remark": invoice.remark,
        "Sample": "样票",
    }
    _add_children(root, head)
    for name, snapshot in (
        ("Buyer", get_party(invoice.title_snapshot)),
        ("Seller", get_party(invoice.seller_snapshot)),
    ):
        _add_children(
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
        _add_children(ElementTree.SubElement(items, "Item"), values)
    content: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _add_children(parent: ElementTree.Element, values: dict[str, str]) -> None:
    for name, value in values.items():
        ElementTree.SubElement(parent, name).text = NOT_XML.sub("", value)


def _draw_head(paper: Paper, invoice: Invoice, name: str) -> float:
    """Draw title and numbers of the invoice on a new page, and return the y (mm) below them."""
    y = paper.start_page()
    paper.draw_text(name, y=y, size=17, bold=True, align="center")
    day = f"{timezone.localtime(invoice.issued_at):%Y年%m月%d日}" if invoice.issued_at else ""
    numbers = [("发票代码", invoice.invoice_code)] if invoice.invoice_code else []
    y += 11
    for label, text in [*numbers, ("发票号码", invoice.invoice_no), ("开票日期", day)]:
        _draw_field(paper, label, text, x=MARGIN + HALF, y=y)
        y += STEP
    return y + 2


def _draw_parties(paper: Paper, invoice: Invoice, y: float) -> float:
    """Draw buyer and seller side by side in one frame. Returns the y position below the frame."""
    height = STEP * (len(PARTY) + 1) + 5
    paper.draw_box(x=MARGIN, y=y, width=INNER, height=height)
    paper.draw_line(x=MARGIN + HALF, y=y, width=0, height=height)
    for nth, (title, snapshot) in enumerate(
        (("购买方信息", invoice.title_snapshot), ("销售方信息", invoice.seller_snapshot))
    ):
        x, top = MARGIN + 3 + nth * HALF, y + 2.5
        paper.draw_text(title, x=x, y=top, size=9, bold=True, width=HALF - 6)
        for key, label in PARTY:
            top += STEP
            _draw_field(paper, label, get_party(snapshot).get(key, "") or "—", x=x, y=top)
    return y + height + 5


def _draw_totals(paper: Paper, invoice: Invoice, y: float) -> None:
    """Draw the total in 元, the remark and who issued the invoice, from `y` (mm) on."""
    paper.draw_box(x=MARGIN, y=y, width=INNER, height=9)
    paper.draw_text("价税合计（大写）", x=MARGIN + 3, y=y + 2.8, colour=GREY)
    paper.draw_text(
        write_amount_in_capitals(invoice.amount_incl_tax),
        x=MARGIN + 32,
        y=y + 2.6,
        size=10,
        bold=True,
        width=INNER - 92,
    )
    paper.draw_text(
        f"（小写）¥{invoice.amount_incl_tax:,.2f}",
        x=MARGIN + INNER - 63,
        y=y + 2.6,
        size=10,
        bold=True,
        width=60,
        align="right",
    )
    end = paper.draw_paragraph(
        f"备注：{invoice.remark or '—'}", x=MARGIN + 3, y=y + 13, width=INNER - 6
    )
    paper.draw_text(
        f"开票人：{'系统' if invoice.gateway else '财务专员'}", x=MARGIN + 3, y=end + 3, colour=GREY
    )


def _draw_field(paper: Paper, label: str, text: str, *, x: float, y: float) -> None:
    paper.draw_text(label, x=x, y=y, size=8.5, width=LABEL, colour=GREY)
    paper.draw_text(text, x=x + LABEL, y=y, size=8.5, width=HALF - LABEL - 6)


def _list_cells(line: InvoiceLine) -> list[str]:
    """Return the cells of one invoice line, in the order of the columns of the paper."""
    return [
        line.name,
        line.model_code,
        line.unit,
        str(line.quantity),
        line.net_price,
        f"{line.net_amount:,.2f}",
        f"{line.tax_rate:.0%}",
        f"{line.tax_amount:,.2f}",
        f"{line.amount_incl_tax:,.2f}",
    ]


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
    rows = list_visible_invoices(actor=actor).filter(pk__in=keys)
    invoices = list(rows.select_related("original").prefetch_related("marks").order_by("pk"))
    if len(invoices) < len(keys):
        raise InvoiceNotFound
    unissued = [invoice.request_no for invoice in invoices if not invoice.invoice_no]
    if unissued:
        raise ArchiveHasUnissued(count=len(unissued), example=unissued[0])
    return invoices


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
    written_bytes = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, invoice in enumerate(invoices):
            if on_invoice is not None:
                on_invoice(number)
            for file_format in list_file_formats(invoice):
                content = build_invoice_file(invoice, file_format).content
                written_bytes += len(content)
                if written_bytes > MAX_BYTES:
                    raise ValidationFailed({"InvoiceIds": [TOO_LARGE]}, TOO_LARGE)
                archive.writestr(f"{_file_stem(invoice)}.{file_format}", content)
        archive.writestr(LIST_NAME, _render_list(invoices))
    return len(invoices)


def archive_name(count: int) -> str:
    """Return the name of an archive that is built now."""
    return f"发票_{count}张_{timezone.localtime():%Y%m%d%H%M}.zip"


def _file_stem(invoice: Invoice) -> str:
    return f"{invoice.invoice_code}{invoice.invoice_no}"


def _render_list(invoices: Sequence[Invoice]) -> bytes:
    """Return the invoices as an Excel file, with their sums."""
    file = io.BytesIO()
    totals: list[Cell] = ["合计", *[None] * 7]
    totals += [
        sum(getattr(invoice, name) for invoice in invoices)
        for name in ("net_amount", "tax_amount", "amount_incl_tax")
    ]
    write_xlsx(
        file, header=HEADER, rows=_iterate_list_rows(invoices), sheet="发票清单", totals=totals
    )
    return file.getvalue()


def _iterate_list_rows(invoices: Sequence[Invoice]) -> Iterator[Sequence[Cell]]:
    """Yield one row per invoice, with its order numbers, marks and file formats."""
    orders: dict[int, list[str]] = {}
    lines = InvoiceLine.objects.filter(invoice__in=[invoice.pk for invoice in invoices])
    for pk, order_no in (
        lines.order_by("order__order_no").values_list("invoice", "order__order_no").distinct()
    ):
        orders.setdefault(pk, []).append(order_no)
    for invoice in invoices:
        buyer = get_party(invoice.title_snapshot)
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
