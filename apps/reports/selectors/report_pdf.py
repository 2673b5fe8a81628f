"""A report as PDF: filters, totals and comparisons, trend, largest parts and the first rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.common.days import format_moment
from apps.common.money import ZERO
from apps.documents.pdf import FOOT, GREY, INNER, LINE, MARGIN, Column, Paper, draw_table
from apps.reports.enums import Basis, ReportName
from apps.reports.selectors import names
from apps.reports.selectors.charts import Slice
from apps.reports.selectors.question import ReportQuestion
from apps.reports.selectors.reports import Report, get_report
from apps.reports.selectors.sheets import HEADERS, ReportSheet, get_report_sheet, iterate_cells
from apps.reports.selectors.summary import Change, TrendPoint

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_ROWS, MAX_PARTS = 20, 8
GAP = 8.0
# The sheet columns on the page, with their relative widths.
COLUMNS: dict[str, tuple[tuple[str, float], ...]] = {
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
    ReportName.BRAND: (
        ("品牌", 5),
        ("订单数", 1.5),
        ("数量", 1.5),
        ("含税金额", 2.4),
        ("上年同期含税金额", 2.8),
    ),
    ReportName.SAVINGS: (
        ("类目", 3.4),
        ("含税金额", 2.4),
        ("按市场价金额", 2.6),
        ("节约金额", 2.2),
        ("协议内金额", 2.4),
        ("协议外金额", 2.4),
    ),
    ReportName.BUDGET: (
        ("预算", 4),
        ("预算额度", 2.4),
        ("已使用", 2.4),
        ("使用率（%）", 1.8),
        ("可用", 2.4),
        ("预计期末使用", 2.6),
        ("预计超出", 2.2),
        ("含税金额", 2.4),
    ),
}
NOW, BEFORE, BELOW = "#1456d9", "#c9d7f2", "#d9485f"
HEIGHT, AXIS = 38.0, 20.0
# Maximum number of day or month labels below the bars.
MAX_LABELS = 12
BAR_ROW, LABEL_SIZE = 5.6, 7.5
FIGURES = frozenset(
    {
        "订单数",
        "数量",
        "含税金额",
        "上年同期含税金额",
        "按市场价金额",
        "节约金额",
        "协议内金额",
        "协议外金额",
        "预算额度",
        "已使用",
        "使用率（%）",
        "可用",
        "预计期末使用",
        "预计超出",
    }
)
TOP_OF: dict[str, str] = {
    ReportName.ORDER: "部门",
    ReportName.ORDER_DETAIL: "商品",
    ReportName.PRODUCT: "商品",
    ReportName.DEPARTMENT: "部门",
    ReportName.PURCHASER: "采购人",
    ReportName.BRAND: "品牌",
    ReportName.SAVINGS: "类目",
    ReportName.BUDGET: "预算",
}
# Entries of the sheet's cover that the page shows elsewhere, in larger type.
SHOWN_ELSEWHERE = frozenset(
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


def write_report_pdf(
    *, actor: Account, name: str, question: ReportQuestion, sort: str, title: str
) -> bytes:
    """Return a report of the actor's data scope as a PDF of one or two pages, under the given
    title.

    Raises:
        ValidationFailed: the days of the question make no valid period.
    """
    report = get_report(
        actor=actor,
        name=name,
        question=question,
        sort=sort,
        page=slice(0, MAX_ROWS),
        with_charts=True,
    )
    sheet = get_report_sheet(actor=actor, name=name, question=question, sort=sort)
    return _render_pages(report, sheet, title)


def _render_pages(report: Report, sheet: ReportSheet, title: str) -> bytes:
    """Return the PDF of the report: head, filters, figures, trend, parts and the first rows."""
    days = report.windows.window
    paper = Paper(
        title=f"{title} {days.since:%Y-%m-%d}", footer=f"{format_moment(timezone.now())} 生成"
    )
    y = paper.start_part(lambda _paper: MARGIN)
    paper.draw_text(title, y=y, size=17, bold=True)
    basis = str(Basis(report.question.basis).label)
    paper.draw_text(
        f"{sheet.name} · {days.since:%Y-%m-%d} 至 {days.until:%Y-%m-%d} · {basis}",
        y=y + 8.5,
        size=9.5,
        colour=GREY,
    )
    filters = "　".join(
        f"{name}：{_format_cell(value)}"
        for name, value in sheet.cover
        if name not in SHOWN_ELSEWHERE
    )
    y = paper.draw_paragraph(filters, y=y + 14, size=8.5, colour=GREY) + 2
    y = _draw_figures(paper, report, y)
    y = _draw_trend(paper, report, y)
    y = _draw_parts(paper, report, y)
    _draw_rows(paper, report, y)
    return paper.finish()


def _draw_figures(paper: Paper, report: Report, y: float) -> float:
    """Draw the four key figures at the top, each in a box. Return the y (mm) below them."""
    summary = report.summary
    figures = (
        ("含税金额（元）", f"{summary.totals.amount:,.2f}", f"不含税 {summary.totals.net:,.2f}"),
        ("订单数", f"{report.orders:,}", f"商品数量 {summary.totals.quantity:,}"),
        ("环比", *_format_change(summary.previous)),
        ("同比", *_format_change(summary.year_before)),
    )
    width = (INNER - 3 * 4) / 4
    for number, (name, figure, more) in enumerate(figures):
        x = MARGIN + number * (width + 4)
        paper.draw_box(x=x, y=y, width=width, height=19)
        paper.draw_text(name, x=x + 3, y=y + 2.4, width=width - 6, size=8, colour=GREY)
        paper.draw_text(figure, x=x + 3, y=y + 6.6, width=width - 6, size=13, bold=True)
        paper.draw_text(more, x=x + 3, y=y + 13.6, width=width - 6, size=7.5, colour=GREY)
    return y + 19 + GAP


def _format_change(change: Change) -> tuple[str, str]:
    text = "—" if change.percent is None else f"{change.percent:+,}%"
    return text, f"对比期 {change.amount:,.2f}"


def _draw_trend(paper: Paper, report: Report, y: float) -> float:
    """Draw the amounts of the period and of the year before as bars from `y` (mm) on, and return
    the y below.
    """
    paper.draw_text("金额走势（元）", y=y, size=10, bold=True)
    for at, colour, text in ((0, NOW, "本期"), (18, BEFORE, "上年同期")):
        paper.draw_box(
            x=MARGIN + 140 + at, y=y + 0.8, width=3, height=3, colour=colour, filled=True
        )
        paper.draw_text(text, x=MARGIN + 144.5 + at, y=y, width=20, size=8, colour=GREY)
    return draw_trend_bars(paper, y=y + 8, trend=report.summary.trend) + GAP / 2


def _draw_parts(paper: Paper, report: Report, y: float) -> float:
    """Draw the largest rows and the categories as bars from `y` (mm) on, and return the y below."""
    if report.charts is None:
        return y
    width = (INNER - GAP) / 2
    top = draw_part_bars(
        paper,
        title=f"金额最高的{TOP_OF[report.name]}",
        x=MARGIN,
        y=y,
        width=width,
        parts=report.charts.top,
    )
    shares = _list_largest_parts(report.charts.share)
    share = draw_part_bars(
        paper, title="类目构成", x=MARGIN + width + GAP, y=y, width=width, parts=shares
    )
    return max(top, share) + GAP / 2


def _list_largest_parts(parts: Sequence[Slice]) -> list[Slice]:
    """Return the largest parts, and the rest as one part."""
    small_parts = parts[MAX_PARTS - 1 :]
    if len(small_parts) < 2:
        return list(parts)
    return [
        *parts[: MAX_PARTS - 1],
        Slice(
            "",
            f"其他 {len(small_parts)} 类",
            sum((part.amount for part in small_parts), Decimal(0)),
        ),
    ]


def _draw_rows(paper: Paper, report: Report, y: float) -> None:
    """Draw the first MAX_ROWS rows as a table from `y` (mm) on."""
    if y > FOOT - 40:
        y = paper.start_page()
    count_text = f"共 {report.total:,} 行" + (
        f"，以下为前 {MAX_ROWS} 行" if report.total > MAX_ROWS else ""
    )
    paper.draw_text("明细", y=y, size=10, bold=True)
    paper.draw_text(count_text, x=MARGIN + 12, y=y + 0.4, size=8.5, colour=GREY)
    columns = [
        Column(name.replace("含税金额", "金额"), share, "right" if name in FIGURES else "left")
        for name, share in COLUMNS[report.name]
    ]
    draw_table(paper, y=y + 6, columns=columns, rows=list_table_rows(report))


def list_table_rows(report: Report) -> list[list[str]]:
    """Return the texts of the table, by row, in the order of COLUMNS."""
    header = HEADERS[report.name]
    positions = [header.index(name) for name, _ in COLUMNS[report.name]]
    return [
        [_format_cell(row[position]) for position in positions] for row in iterate_cells(report)
    ]


def _format_cell(cell: Any) -> str:
    match cell:
        case datetime():
            return f"{timezone.localtime(cell):%Y-%m-%d}"
        case Decimal():
            return f"{cell:,.2f}"
        case int():
            return f"{cell:,}"
    return "" if cell is None else str(cell)


def format_short_money(amount: Decimal) -> str:
    """Return an amount as an axis label: whole 元, or 万 from ten thousand up."""
    return f"{amount / 10_000:,.1f}万" if abs(amount) >= 10_000 else f"{amount:,.0f}"


def draw_trend_bars(paper: Paper, *, y: float, trend: Sequence[TrendPoint]) -> float:
    """Draw the trend, with the amounts one year earlier in a pale colour. Return the y position
    below the chart.
    """
    amounts = [amount for point in trend for amount in (point.amount, point.year_before)]
    high, low = max([ZERO, *amounts]), min([ZERO, *amounts])
    scale = HEIGHT / float((high - low) or 1)
    zero = y + float(high) * scale
    for value, at in ((high, y), (low, y + HEIGHT)):
        if value or value is high:
            paper.draw_text(
                format_short_money(value),
                y=at - 1.5,
                width=AXIS - 2,
                size=LABEL_SIZE,
                align="right",
                colour=GREY,
            )
            paper.draw_line(x=MARGIN + AXIS, y=at, width=INNER - AXIS, colour=LINE)
    step = (INNER - AXIS) / max(len(trend), 1)
    every = -(-len(trend) // MAX_LABELS)
    for number, point in enumerate(trend):
        x = MARGIN + AXIS + number * step
        _draw_bar(paper, x + step * 0.12, zero, step * 0.38, point.year_before, scale, BEFORE)
        _draw_bar(
            paper,
            x + step * 0.5,
            zero,
            step * 0.38,
            point.amount,
            scale,
            BELOW if point.amount < 0 else NOW,
        )
        if number % every == 0:
            is_day = point.window.days == 1
            text = f"{point.window.since:%m-%d}" if is_day else f"{point.window.since:%y-%m}"
            paper.draw_text(
                text, x=x, y=y + HEIGHT + 1.5, width=step * every, size=LABEL_SIZE, colour=GREY
            )
    paper.draw_line(x=MARGIN + AXIS, y=zero, width=INNER - AXIS, colour=GREY)
    return y + HEIGHT + 7


def _draw_bar(
    paper: Paper, x: float, zero: float, width: float, amount: Decimal, scale: float, colour: str
) -> None:
    """Draw a bar from `zero` (the y of amount 0, mm) upwards, downwards if negative. `scale`: mm
    per 元.
    """
    height = abs(float(amount)) * scale
    if height > 0:
        paper.draw_box(
            x=x,
            y=zero - height if amount > 0 else zero,
            width=width,
            height=height,
            colour=colour,
            filled=True,
        )


def draw_part_bars(
    paper: Paper, *, title: str, x: float, y: float, width: float, parts: Sequence[Slice]
) -> float:
    """Draw the largest parts with their amounts below a title. Return the y position below
    them.
    """
    paper.draw_text(title, x=x, y=y, width=width, size=10, bold=True)
    y += 6
    most = max([abs(part.amount) for part in parts] or [ZERO]) or Decimal(1)
    name, figure = width * 0.42, width * 0.26
    for part in parts:
        paper.draw_text(
            names.SEPARATOR.join(part.name.split(names.SEPARATOR)[-2:]),
            x=x,
            y=y,
            width=name - 2,
            size=8,
        )
        long = (width - name - figure) * float(abs(part.amount) / most)
        if long > 0:
            paper.draw_box(
                x=x + name,
                y=y + 0.6,
                width=long,
                height=2.8,
                colour=NOW if part.amount > 0 else BELOW,
                filled=True,
            )
        paper.draw_text(
            f"{part.amount:,.2f}", x=x + width - figure, y=y, width=figure, size=8, align="right"
        )
        y += BAR_ROW
    if not parts:
        paper.draw_text("该期间没有数据", x=x, y=y, width=width, size=8, colour=GREY)
        y += BAR_ROW
    return y
