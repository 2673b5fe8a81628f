"""Statements for the list, the detail page and the PDF. Their goods, freight and returns are split
over accounting dimensions in the proportions of their order lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.utils import timezone

from apps.aftersales.models import ReturnLine
from apps.common.days import format_moment
from apps.common.money import ZERO
from apps.common.numbers import parse_key
from apps.documents.pdf import FOOT, GREY, INNER, MARGIN, Column, Paper, draw_table
from apps.invoices.capitals import write_amount_in_capitals
from apps.invoices.enums import FIGURE_KINDS, StatementKind, StatementStatus
from apps.invoices.errors import StatementNotFound
from apps.invoices.models import Statement, StatementLine, StatementProgress, StatementRemark
from apps.invoices.selectors.dimension_split import (
    DimensionSum,
    OrderAllocations,
    sum_by_dimension,
)
from apps.orders.models import OrderAllocation, ReceiptLine
from apps.org.enums import DataScope
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

# The documents of the lines with goods. Both refer to an order line.
GOODS_SOURCES: dict[StatementKind, type[ReceiptLine] | type[ReturnLine]] = {
    StatementKind.DELIVERY: ReceiptLine,
    StatementKind.RETURN: ReturnLine,
}
# The spreadsheet has more lines.
MAX_LINES = 5000
HALF, LABEL = INNER / 2, 20.0
SUMS = ("期初应付", "＋ 本期签收", "－ 本期退货", "－ 本期付款", "＝ 期末应付", "本期开票")
SUM_COLUMNS = tuple(Column(name, 1, "right") for name in SUMS)
COLUMNS = (
    Column("日期", 2.1),
    Column("类型", 1.2),
    Column("订单号", 3.4),
    Column("摘要", 5.0),
    Column("单位", 0.9),
    Column("数量", 1.1, "right"),
    Column("单价", 1.5, "right"),
    Column("金额（含税）", 2.3, "right"),
    Column("其中税额", 1.9, "right"),
)
# Height of the amount in capitals and the stamps below the lines.
BELOW = 40.0


@dataclass(frozen=True, slots=True)
class StatementFilter:
    """Filter of the list. `since` and `until` are first days of months, both inclusive."""

    status: str = ""
    enterprise_id: int | None = None
    since: date | None = None
    until: date | None = None


def list_visible_statements(*, actor: Account) -> QuerySet[Statement]:
    """Return the statements of the actor's enterprise, or of the whole group if the data scope
    is the group. A narrower scope sees none.

    The debts of an enterprise are not visible to a single department.
    """
    rows: QuerySet[Statement] = Statement.objects.select_related("enterprise", "confirmed_by")
    scope = actor.get_data_scope(MenuCode.INVOICE_LIST)
    if scope == DataScope.GROUP:
        return rows
    if scope == DataScope.ENTERPRISE and actor.enterprise_id:
        return rows.filter(enterprise=actor.enterprise_id)
    return rows.none()


def list_statements(*, actor: Account, filters: StatementFilter) -> QuerySet[Statement]:
    """Return the statements that match the filter, newest month first."""
    orders = {
        "status": filters.status,
        "enterprise": filters.enterprise_id,
        "month__gte": filters.since,
        "month__lte": filters.until,
    }
    rows = list_visible_statements(actor=actor).filter(
        Q(**{name: value for name, value in orders.items() if value})
    )
    return rows.order_by("-month", "enterprise__code")


def get_statement(*, actor: Account, pk: str) -> Statement:
    """Return one statement.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
    """
    statement = list_visible_statements(actor=actor).filter(pk=parse_key(pk)).first()
    if statement is None:
        raise StatementNotFound
    return statement


def get_statement_moment(*, statement: Statement) -> datetime | None:
    """Return the time of the last update of a running statement, None for an issued one."""
    if statement.status != StatementStatus.RUNNING:
        return None
    progress = StatementProgress.objects.filter(enterprise=statement.enterprise_id).first()
    return progress.recorded_until if progress else None


def list_statement_lines(*, statement: Statement, figure: str = "") -> QuerySet[StatementLine]:
    """Return the lines of a figure, or all lines without a figure, oldest first, with `unit`."""
    kinds: Collection[str] = FIGURE_KINDS.get(figure, ())
    units = (
        When(
            kind=kind,
            then=Subquery(
                model.objects.filter(pk=OuterRef("source_id")).values("order_line__unit")[:1]
            ),
        )
        for kind, model in GOODS_SOURCES.items()
    )
    rows: QuerySet[StatementLine] = (
        StatementLine.objects.filter(statement=statement)
        .select_related("order")
        .annotate(unit=Case(*units, default=Value("")))
    )
    return (rows.filter(kind__in=kinds) if figure else rows).order_by("at", "pk")


def list_statement_remarks(*, statement: Statement) -> list[StatementRemark]:
    """Return the remarks of the customer and the staff, oldest first."""
    return list(
        StatementRemark.objects.filter(statement=statement)
        .select_related("author", "line")
        .order_by("at", "pk")
    )


def list_disputed_statements() -> QuerySet[Statement]:
    """Return the disputed statements of all groups, longest waiting first. `disputed_at` is the
    time of the first unanswered remark.
    """
    later_answers = StatementRemark.objects.filter(
        statement=OuterRef("statement"), is_answer=True, at__gt=OuterRef("at")
    )
    waits = StatementRemark.objects.filter(
        ~Exists(later_answers), statement=OuterRef("pk"), is_answer=False
    ).order_by("at")
    rows = Statement.objects.filter(status=StatementStatus.DISPUTED).select_related("enterprise")
    disputed: QuerySet[Statement] = rows.annotate(
        disputed_at=Subquery(waits.values("at")[:1])
    ).order_by("disputed_at", "pk")
    return disputed


def draw_statement_paper(statement: Statement) -> bytes:
    """Return the PDF as bytes, with the first 5,000 lines at most."""
    title = f"{statement.month:%Y}年{statement.month.month}月对账单"
    paper = Paper(
        title=f"{title} {statement.statement_no}",
        footer=f"{statement.statement_no} · {format_moment(timezone.now())} 打印",
    )
    y = _draw_facts(paper, statement, _draw_head(paper, statement, title))
    sums = (
        statement.opening,
        statement.deliveries,
        statement.returns,
        statement.paid,
        statement.closing,
        statement.invoiced,
    )
    y = (
        draw_table(
            paper, y=y, columns=SUM_COLUMNS, rows=[[_format_money(amount) for amount in sums]]
        )
        + 4
    )
    lines = list_statement_lines(statement=statement)
    count = lines.count()
    y = draw_table(paper, y=y, columns=COLUMNS, rows=_list_rows(lines[:MAX_LINES]))
    if count > MAX_LINES:
        paper.draw_text(
            f"共 {count} 条明细，此处为前 {MAX_LINES} 条，全部明细请导出表格",
            y=y + 1,
            size=8.5,
            colour=GREY,
        )
        y += 6
    _draw_signatures(paper, statement, y if y + BELOW < FOOT else paper.start_page())
    return paper.finish()


def _draw_head(paper: Paper, statement: Statement, title: str) -> float:
    """Draw the title on a new page, and return the y (mm) below it."""
    y = paper.start_page()
    paper.draw_text(title, y=y, size=17, bold=True, align="center")
    paper.draw_text(statement.statement_no, y=y + 1, size=9, align="right", colour=GREY)
    return y + 12


def _draw_facts(paper: Paper, statement: Statement, y: float) -> float:
    """Draw customer, supplier, day and status from `y` (mm) on, and return the y below them."""
    confirmed = (
        f"{timezone.localtime(statement.confirmed_at):%Y-%m-%d}" if statement.confirmed_at else ""
    )
    status = " ".join(filter(None, [statement.get_status_display(), confirmed]))
    issued = f"{timezone.localtime(statement.issued_at):%Y-%m-%d}" if statement.issued_at else "—"
    sides = (
        (("客户", statement.enterprise.name), ("供应商", settings.INVOICE_SELLER["Name"])),
        (("出账日期", issued), ("状态", status)),
    )
    for pair in sides:
        drop = y
        for nth, (label, text) in enumerate(pair):
            x = MARGIN + nth * HALF
            paper.draw_text(label, x=x, y=y, width=LABEL, size=9, colour=GREY)
            drop = max(
                drop, paper.draw_paragraph(text, x=x + LABEL, y=y, width=HALF - LABEL - 4, size=9)
            )
        y = drop + 1
    return y + 2


def _draw_signatures(paper: Paper, statement: Statement, y: float) -> None:
    """Draw the closing balance in capitals and the places for two seals, from `y` (mm) on."""
    owed = "应付余额" if statement.closing >= ZERO else "预付余额"
    paper.draw_text(
        f"期末{owed}（大写）：{write_amount_in_capitals(abs(statement.closing))}",
        y=y + 4,
        size=10,
        bold=True,
    )
    paper.draw_text("以上账目经双方核对无误，盖章确认。", y=y + 12, size=9, colour=GREY)
    for nth, name in enumerate(("供应商（盖章）：", "客户（盖章）：")):
        x = MARGIN + nth * HALF
        paper.draw_text(name, x=x, y=y + 20, size=9, width=HALF)
        paper.draw_text("日期：", x=x, y=y + 28, size=9, width=HALF)


def _list_rows(lines: Iterable[StatementLine]) -> list[list[str]]:
    """Return the cells of each line: day, kind, number, text, unit, quantity, unit price, amount,
    tax.
    """
    return [
        [
            f"{timezone.localtime(line.at):%Y-%m-%d}",
            str(line.get_kind_display()),
            line.order.order_no if line.order else line.reference,
            line.text,
            line.unit,
            "" if line.quantity is None else str(line.quantity),
            "" if line.unit_price is None else _format_money(line.unit_price),
            _format_money(line.amount),
            "" if line.tax_amount is None else _format_money(line.tax_amount),
        ]
        for line in lines
    ]


def _format_money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


CHUNK = 1000
K = StatementKind
# Payments and invoices have no dimension. The sum of the others is what the month owes.
SIGNS = {K.DELIVERY: 1, K.FREIGHT: 1, K.RETURN: -1}


@dataclass(frozen=True, slots=True)
class StatementSplit:
    """A part of a statement line in 元; returns are negative. `code` is empty for an amount
    without a dimension.
    """

    line: StatementLine
    code: str
    name: str
    amount: Decimal


def list_statement_splits(*, statement: Statement, kind: str) -> Iterator[StatementSplit]:
    """Yield the parts of the statement for one kind of dimension, oldest first. They sum to the
    goods received and the freight, less the returns. One query, and three per 1,000 lines.
    """
    lines = (
        StatementLine.objects.filter(statement=statement, kind__in=list(SIGNS))
        .select_related("order")
        .order_by("at", "pk")
        .iterator(chunk_size=CHUNK)
    )
    while chunk := list(islice(lines, CHUNK)):
        yield from _split(chunk, kind)


def sum_statement_splits(*, statement: Statement, kind: str) -> list[DimensionSum]:
    """Return the sum of each dimension, by code; amounts without one are last. Empty if no order of
    the statement has a dimension of this kind; that takes one query.
    """
    orders = StatementLine.objects.filter(statement=statement, kind__in=list(SIGNS)).values("order")
    if not OrderAllocation.objects.filter(order__in=orders, kind=kind).exists():
        return []
    return sum_by_dimension(list_statement_splits(statement=statement, kind=kind))


def _split(lines: Sequence[StatementLine], kind: str) -> Iterator[StatementSplit]:
    """Yield the parts of each line by dimension of the kind, in 元. They sum to the amount of the
    line, to the cent.
    """
    order_lines = {
        **_get_order_lines(K.DELIVERY, lines),
        **_get_order_lines(K.RETURN, lines),
    }
    allocations = OrderAllocations({line.order_id for line in lines if line.order_id}, kind=kind)
    for line in lines:
        parts = allocations.split(
            line.amount,
            kind=kind,
            order=line.order,
            order_line_id=order_lines.get((line.kind, line.source_id)),
            is_freight=line.kind == K.FREIGHT,
        )
        sign = SIGNS[K(line.kind)]
        for part in parts:
            yield StatementSplit(line, part.code, part.name, sign * part.amount)


def _get_order_lines(
    kind: StatementKind, lines: Iterable[StatementLine]
) -> dict[tuple[str, int], int]:
    """Return the order line of each statement line of the kind, by (kind, source)."""
    ids = [line.source_id for line in lines if line.kind == kind]
    rows = (
        GOODS_SOURCES[kind].objects.filter(pk__in=ids).order_by().values_list("pk", "order_line_id")
    )
    return {(kind, pk): order_line_id for pk, order_line_id in rows}
