"""An invoice application as a PDF: its facts, its invoices and its amounts by dimension."""

from __future__ import annotations

from decimal import Decimal

from django.utils import timezone

from apps.common.days import moment_text
from apps.documents.pdf import FOOT, GREY, INNER, MARGIN, Column, Paper, draw_table
from apps.invoices.selectors.application_allocations import ApplicationSums
from apps.invoices.selectors.applications import ApplicationDetail
from apps.invoices.selectors.dimension_split import NO_DIMENSION

LABEL = 20.0
HEADING = 8.0
INVOICES = (
    Column("发票号码", 3.4),
    Column("状态", 1.6),
    Column("购买方", 5),
    Column("价税合计", 2.3, "right"),
    Column("其中税额", 2, "right"),
)


def application_paper(detail: ApplicationDetail, sums: list[ApplicationSums]) -> bytes:
    """Return the PDF as bytes. Amounts in 元, 含税."""
    application = detail.application
    number = application.application_no
    paper = Paper(title=f"开票申请 {number}", footer=f"{moment_text(timezone.now())} 打印")
    y = paper.page()
    paper.text(f"开票申请 {number}", y=y, size=17, bold=True)
    y = _draw_facts(paper, detail, y + 12)
    y = _draw_heading(paper, "发票", y)
    rows = [
        [
            invoice.invoice_no or "待开具",
            f"{'红字 ' if invoice.is_red else ''}{invoice.get_status_display()}",
            invoice.title_snapshot.get("Title", ""),
            _money(invoice.amount_incl_tax),
            _money(invoice.tax_amount),
        ]
        for invoice in detail.invoices
    ]
    y = draw_table(paper, y=y, columns=INVOICES, rows=rows) + 4
    for part in sums:
        y = _draw_heading(paper, f"{part.kind.label}分摊", y)
        columns = (
            Column("编码", 3),
            Column("名称", 8),
            Column("金额（含税）", 3, "right"),
        )
        split = [[row.code or NO_DIMENSION, row.name, _money(row.amount)] for row in part.rows]
        total = ["合计", "", _money(application.amount_incl_tax)]
        y = draw_table(paper, y=y, columns=columns, rows=[*split, total]) + 4
    return paper.finished()


def _draw_facts(paper: Paper, detail: ApplicationDetail, y: float) -> float:
    application = detail.application
    amount = _money(application.amount_incl_tax)
    applicant = application.applicant
    facts = (
        ("企业", application.enterprise.name),
        ("申请人", " ".join(filter(None, [applicant.nickname, applicant.full_name]))),
        ("抬头", application.title.title if application.title else "各订单抬头"),
        ("发票种类", str(application.get_kind_display())),
        ("价税合计", f"{amount} 元（税额 {_money(application.tax_amount)} 元）"),
        ("状态", str(application.get_status_display())),
        ("申请时间", moment_text(application.submitted_at)),
        ("备注", application.remark or "—"),
    )
    for label, text in facts:
        paper.text(label, y=y, width=LABEL, size=9, colour=GREY)
        y = paper.paragraph(text, x=MARGIN + LABEL, y=y, width=INNER - LABEL, size=9) + 1
    return y + 3


def _draw_heading(paper: Paper, text: str, y: float) -> float:
    """Draw a heading, on the next page if no row fits below it. Return the y below it."""
    if y + 3 * HEADING > FOOT:
        y = paper.page()
    paper.text(text, y=y, size=10, bold=True)
    return y + HEADING


def _money(amount: Decimal) -> str:
    return f"{amount:,.2f}"
