"""A report as PDF: filters, totals and comparisons, trend, largest parts and the first rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.common.days import moment_text
from apps.documents.pdf import FOOT, GREY, INNER, MARGIN, Column, Paper, draw_table
from apps.reports.enums import Basis, ReportName
from apps.reports.selectors.charts import Slice
from apps.reports.selectors.question import ReportQuestion
from apps.reports.selectors.report_bars import BEFORE, NOW, parts_drawn, trend_drawn
from apps.reports.selectors.reports import Report, report_of
from apps.reports.selectors.sheets import HEADERS, ReportSheet, cells_of, report_sheet
from apps.reports.selectors.summary import Change

if TYPE_CHECKING:
    from apps.org.models import Account

ROWS_SHOWN, PARTS_SHOWN = 20, 8
GAP = 8.0
# The sheet columns on the page, with their relative widths.
SHOWN: dict[str, tuple[tuple[str, float], ...]] = {
    ReportName.ORDER: (
        ("订单号", 3.2),
        ("下单时间", 2.2),
        ("企业", 4),
        ("部门", 3),
        ("采购人", 2),
        ("含税金额", 2.4),
    ),
    ReportName.ORDER_DETAIL: (
        ("发生时间", 2.2),
        ("类型", 1.8),
        ("订单号", 3.2),
        ("商品", 6),
        ("数量", 1.4),
        ("含税金额", 2.4),
    ),
    ReportName.PRODUCT: (
        ("商品编码", 2),
        ("商品", 6),
        ("订单数", 1.5),
        ("数量", 1.5),
        ("含税金额", 2.4),
        ("上年同期含税金额", 2.8),
    ),
    ReportName.DEPARTMENT: (
        ("企业", 4),
        ("部门", 4),
        ("订单数", 1.5),
        ("数量", 1.5),
        ("含税金额", 2.4),
        ("上年同期含税金额", 2.8),
    ),
    ReportName.PURCHASER: (
        ("采购人", 2),
        ("部门", 4),
        ("订单数", 1.5),
        ("数量", 1.5),
        ("含税金额", 2.4),
        ("上年同期含税金额", 2.8),
    ),
}
FIGURES = frozenset({"订单数", "数量", "含税金额", "上年同期含税金额"})
TOP_OF: dict[str, str] = {
    ReportName.ORDER: "部门",
    ReportName.ORDER_DETAIL: "商品",
    ReportName.PRODUCT: "商品",
    ReportName.DEPARTMENT: "部门",
    ReportName.PURCHASER: "采购人",
}
# Entries of the sheet's cover that the page shows elsewhere, in larger type.
SAID_ABOVE = frozenset(
    {
        "报表",
        "统计口径",
        "统计期间",
        "含税金额",
        "税额",
        "不含税金额",
        "数量",
        "订单数",
        "导出人",
        "导出时间",
    }
)


def report_paper(
    *, actor: Account, name: str, question: ReportQuestion, sort: str, title: str
) -> bytes:
    """Return a report of the actor's data scope as a PDF of one or two pages, under the given
    title.

    Raises:
        ValidationFailed: the days of the question make no valid period.
    """
    report = report_of(
        actor=actor,
        name=name,
        question=question,
        sort=sort,
        page=slice(0, ROWS_SHOWN),
        with_charts=True,
    )
    sheet = report_sheet(actor=actor, name=name, question=question, sort=sort)
    return _drawn(report, sheet, title)


def _drawn(report: Report, sheet: ReportSheet, title: str) -> bytes:
    days = report.windows.window
    paper = Paper(
        title=f"{title} {days.since:%Y-%m-%d}", footer=f"{moment_text(timezone.now())} 生成"
    )
    y = paper.part(lambda _paper: MARGIN)
    paper.text(title, y=y, size=17, bold=True)
    basis = str(Basis(report.question.basis).label)
    paper.text(
        f"{sheet.name} · {days.since:%Y-%m-%d} 至 {days.until:%Y-%m-%d} · {basis}",
        y=y + 8.5,
        size=9.5,
        colour=GREY,
    )
    asked = "　".join(
        f"{name}：{_said(value)}" for name, value in sheet.cover if name not in SAID_ABOVE
    )
    y = paper.paragraph(asked, y=y + 14, size=8.5, colour=GREY) + 2
    y = _figures(paper, report, y)
    y = _course(paper, report, y)
    y = _parts(paper, report, y)
    _rows(paper, report, y)
    return paper.finished()


def _figures(paper: Paper, report: Report, y: float) -> float:
    """Draw the four key figures at the top, each in a box."""
    summary = report.summary
    shown = (
        ("含税金额（元）", f"{summary.totals.amount:,.2f}", f"不含税 {summary.totals.net:,.2f}"),
        ("订单数", f"{report.orders:,}", f"商品数量 {summary.totals.quantity:,}"),
        ("环比", *_change(summary.previous)),
        ("同比", *_change(summary.year_before)),
    )
    width = (INNER - 3 * 4) / 4
    for number, (name, figure, more) in enumerate(shown):
        x = MARGIN + number * (width + 4)
        paper.box(x=x, y=y, width=width, height=19)
        paper.text(name, x=x + 3, y=y + 2.4, width=width - 6, size=8, colour=GREY)
        paper.text(figure, x=x + 3, y=y + 6.6, width=width - 6, size=13, bold=True)
        paper.text(more, x=x + 3, y=y + 13.6, width=width - 6, size=7.5, colour=GREY)
    return y + 19 + GAP


def _change(change: Change) -> tuple[str, str]:
    said = "—" if change.percent is None else f"{change.percent:+,}%"
    return said, f"对比期 {change.amount:,.2f}"


def _course(paper: Paper, report: Report, y: float) -> float:
    paper.text("金额走势（元）", y=y, size=10, bold=True)
    for at, colour, said in ((0, NOW, "本期"), (18, BEFORE, "上年同期")):
        paper.box(x=MARGIN + 140 + at, y=y + 0.8, width=3, height=3, colour=colour, filled=True)
        paper.text(said, x=MARGIN + 144.5 + at, y=y, width=20, size=8, colour=GREY)
    return trend_drawn(paper, y=y + 8, trend=report.summary.trend) + GAP / 2


def _parts(paper: Paper, report: Report, y: float) -> float:
    if report.charts is None:
        return y
    width = (INNER - GAP) / 2
    top = parts_drawn(
        paper,
        title=f"金额最高的{TOP_OF[report.name]}",
        x=MARGIN,
        y=y,
        width=width,
        parts=report.charts.top,
    )
    shares = _folded(report.charts.share)
    share = parts_drawn(
        paper, title="类目构成", x=MARGIN + width + GAP, y=y, width=width, parts=shares
    )
    return max(top, share) + GAP / 2


def _folded(parts: Sequence[Slice]) -> list[Slice]:
    """Return the largest parts, and the rest as one part."""
    rest = parts[PARTS_SHOWN - 1 :]
    if len(rest) < 2:
        return list(parts)
    return [
        *parts[: PARTS_SHOWN - 1],
        Slice("", f"其他 {len(rest)} 类", sum((part.amount for part in rest), Decimal(0))),
    ]


def _rows(paper: Paper, report: Report, y: float) -> None:
    if y > FOOT - 40:
        y = paper.page()
    shown = f"共 {report.total:,} 行" + (
        f"，以下为前 {ROWS_SHOWN} 行" if report.total > ROWS_SHOWN else ""
    )
    paper.text("明细", y=y, size=10, bold=True)
    paper.text(shown, x=MARGIN + 12, y=y + 0.4, size=8.5, colour=GREY)
    header, wanted = HEADERS[report.name], SHOWN[report.name]
    places = [header.index(name) for name, _ in wanted]
    columns = [
        Column(name.replace("含税金额", "金额"), share, "right" if name in FIGURES else "left")
        for name, share in wanted
    ]
    draw_table(
        paper,
        y=y + 6,
        columns=columns,
        rows=[[_said(row[place]) for place in places] for row in cells_of(report)],
    )


def _said(cell: Any) -> str:
    match cell:
        case datetime():
            return f"{timezone.localtime(cell):%Y-%m-%d}"
        case Decimal():
            return f"{cell:,.2f}"
        case int():
            return f"{cell:,}"
    return "" if cell is None else str(cell)
