"""The files of an invoice: a PDF marked 样票, and the XML of a 数电 one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from django.utils import timezone

from apps.common.errors import WrongState
from apps.common.pdf import FOOT, INNER, MARGIN, WIDTH, Column, Paper, table_written
from apps.invoices.capitals import amount_in_capitals
from apps.invoices.enums import E_KINDS
from apps.invoices.models import Invoice, InvoiceLine
from apps.invoices.selectors.invoices import invoice_get

if TYPE_CHECKING:
    from apps.org.models import Account

COLUMNS = (
    Column("项目名称", 46),
    Column("规格型号", 24),
    Column("单位", 10),
    Column("数量", 14, "right"),
    Column("金额", 24, "right"),
    Column("税率", 12, "right"),
    Column("税额", 20, "right"),
    Column("价税合计", 24, "right"),
)
PARTY = (
    ("Name", "名称"),
    ("TaxNumber", "纳税人识别号"),
    ("Address", "地址"),
    ("Phone", "电话"),
    ("Bank", "开户行"),
    ("BankAccount", "账号"),
)


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
    return file_of(invoice_get(actor=actor, pk=pk), file_format)


def file_of(invoice: Invoice, file_format: str) -> InvoiceFile:
    """Return the file of an issued invoice, `pdf` or `xml`.

    Raises:
        WrongState: it is not issued, or only 数电 has XML.
    """
    if not invoice.invoice_no:
        raise WrongState("发票尚未开具，开具后可下载文件")
    if file_format == "xml" and invoice.kind not in E_KINDS:
        raise WrongState("只有数电发票提供 XML 文件，请下载 PDF")
    lines = list(InvoiceLine.objects.filter(invoice=invoice).order_by("no"))
    if file_format == "xml":
        return InvoiceFile(f"{invoice.invoice_no}.xml", _xml(invoice, lines), "application/xml")
    return InvoiceFile(f"{invoice.invoice_no}.pdf", _pdf(invoice, lines), "application/pdf")


def _party(snapshot: dict[str, str]) -> dict[str, str]:
    return {**snapshot, "Name": snapshot.get("Name") or snapshot.get("Title", "")}


def _day(invoice: Invoice) -> str:
    return f"{timezone.localtime(invoice.issued_at):%Y年%m月%d日}" if invoice.issued_at else ""


def _pdf(invoice: Invoice, lines: list[InvoiceLine]) -> bytes:
    name = f"{invoice.get_kind_display()}{'（红字）' if invoice.is_red else ''}"
    paper = Paper(title=f"{name} {invoice.invoice_no}", footer="样票，仅供演示，不作报销凭证", mark="样票")
    y = paper.page()
    paper.text(name, x=MARGIN, y=y, size=15, bold=True, width=INNER, align="center")
    y += 10
    numbers = [*([f"发票代码：{invoice.invoice_code}"] if invoice.invoice_code else []), f"发票号码：{invoice.invoice_no}"]
    for text in [*numbers, f"开票日期：{_day(invoice)}"]:
        paper.text(text, x=WIDTH - MARGIN - 70, y=y, size=9, width=70)
        y += 5
    half, tops = INNER / 2, []
    for nth, (title, snapshot) in enumerate((("购买方", _party(invoice.title_snapshot)), ("销售方", _party(invoice.seller_snapshot)))):
        x, top = MARGIN + nth * half, y + 2
        paper.text(title, x=x, y=top, size=10, bold=True, width=half - 4)
        for key, label in PARTY:
            top += 5
            paper.text(f"{label}：{snapshot.get(key, '')}", x=x, y=top, size=8.5, width=half - 4)
        tops.append(top)
    y = table_written(paper, y=max(tops) + 8, columns=COLUMNS, rows=[_cells(line) for line in lines], bottom=FOOT - 30)
    totals = f"合计：金额 {invoice.net_amount:,.2f}　税额 {invoice.tax_amount:,.2f}"
    whole = f"价税合计（大写）：{amount_in_capitals(invoice.amount_incl_tax)}　（小写）¥{invoice.amount_incl_tax:,.2f}"
    for text, bold in ((totals, False), (whole, True), (f"备注：{invoice.remark}", False)):
        y += 6
        paper.text(text, x=MARGIN, y=y, size=9, bold=bold, width=INNER)
    return paper.finished()


def _cells(line: InvoiceLine) -> list[str]:
    return [
        line.name,
        line.model_code,
        line.unit,
        str(line.quantity),
        f"{line.net_amount:,.2f}",
        f"{line.tax_rate:.0%}",
        f"{line.tax_amount:,.2f}",
        f"{line.amount_incl_tax:,.2f}",
    ]


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
    for name, snapshot in (("Buyer", _party(invoice.title_snapshot)), ("Seller", _party(invoice.seller_snapshot))):
        _children(ElementTree.SubElement(root, name), {key: snapshot.get(key, "") for key, _ in PARTY})
    items = ElementTree.SubElement(root, "Items")
    for line in lines:
        values = {
            "No": str(line.no),
            "ItemName": line.name,
            "TaxClassificationCode": line.tax_code,
            "SpecMod": line.model_code,
            "MeaUnits": line.unit,
            "Quantity": str(line.quantity),
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
        ElementTree.SubElement(parent, name).text = value
