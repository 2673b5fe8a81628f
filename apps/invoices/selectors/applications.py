"""Invoice applications: the list and the detail page, their goods and freight split over
accounting dimensions, and the PDF with facts, invoices and amounts by dimension.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, When
from django.utils import timezone

from apps.common.days import filter_days, format_moment
from apps.common.events import list_events
from apps.common.models import Event
from apps.common.queries import count_states
from apps.dimensions.enums import DimensionKind
from apps.documents.pdf import FOOT, GREY, INNER, MARGIN, Column, Paper, draw_table
from apps.invoices.enums import UNISSUED, ApplicationStatus
from apps.invoices.errors import ApplicationNotFound
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine
from apps.invoices.selectors.dimension_split import (
    NO_DIMENSION,
    DimensionSum,
    OrderAllocations,
    sum_by_dimension,
)
from apps.invoices.selectors.invoices import prefetch_marks
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ApplicationFilter:
    """Filter of the list. `since` and `until` are days in Shanghai, both inclusive."""

    keyword: str = ""
    status: str = ""
    kind: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class ApplicationDetail:
    """One application with its invoices and its timeline."""

    application: InvoiceApplication
    invoices: list[Invoice]
    timeline: list[Event]


def list_visible_applications(*, actor: Account) -> QuerySet[InvoiceApplication]:
    """Return the applications in the actor's data scope."""
    rows: QuerySet[InvoiceApplication] = InvoiceApplication.objects.filter(
        scope_filter(actor=actor, menu=MenuCode.INVOICE_APPLY, account="applicant")
    )
    return rows


def list_applications(
    *, actor: Account, filters: ApplicationFilter
) -> QuerySet[InvoiceApplication]:
    """Return the applications in the actor's data scope that match the filter, newest first,
    with people and titles.
    """
    rows = _filter_applications(actor, filters)
    if filters.status:
        rows = rows.filter(status=filters.status)
    return _with_people(rows)


def count_applications(*, actor: Account, filters: ApplicationFilter) -> dict[str, int]:
    """Return the number of matching applications by state, and of all under "". One query."""
    return count_states(_filter_applications(actor, filters), ApplicationStatus.values)


def get_application_detail(*, actor: Account, application_no: str) -> ApplicationDetail:
    """Return one application.

    Raises:
        ApplicationNotFound: the actor cannot see an application with this number.
    """
    rows = list_visible_applications(actor=actor).filter(application_no=application_no)
    application = (
        _with_people(rows).prefetch_related(Prefetch("invoices", _list_invoices())).first()
    )
    if application is None:
        raise ApplicationNotFound
    return ApplicationDetail(
        application, list(application.invoices.all()), list(list_events(application))
    )


def _with_people(rows: QuerySet[InvoiceApplication]) -> QuerySet[InvoiceApplication]:
    """Return the rows with people and titles, and with `may_withdraw`: it is open, and none of
    its invoices is issued or being issued.
    """
    blue_invoices = Invoice.objects.filter(application=OuterRef("pk"), original=None)
    issued_or_issuing = blue_invoices.filter(Q(is_unsure=True) | ~Q(status__in=UNISSUED))
    is_open = Q(status__in=(ApplicationStatus.PENDING, ApplicationStatus.ACCEPTED))
    return rows.select_related("applicant", "enterprise", "title").annotate(
        may_withdraw=Case(When(is_open & ~Exists(issued_or_issuing), then=True), default=False)
    )


def _list_invoices() -> QuerySet[Invoice]:
    rows: QuerySet[Invoice] = Invoice.objects.annotate(line_count=Count("lines"))
    people = rows.select_related("application__applicant", "enterprise", "original")
    return people.prefetch_related(prefetch_marks()).order_by("pk")


def _filter_applications(
    actor: Account, filters: ApplicationFilter
) -> QuerySet[InvoiceApplication]:
    """Return the applications that the actor can see and the filters select. The keyword is part
    of an application number, or a whole invoice or order number.
    """
    rows = list_visible_applications(actor=actor)
    if filters.keyword:
        text = filters.keyword
        of_invoices = Invoice.objects.filter(
            Q(invoice_no=text) | Q(lines__order__order_no=text)
        ).values("application")
        rows = rows.filter(Q(application_no__icontains=text) | Q(pk__in=of_invoices))
    if filters.kind:
        rows = rows.filter(kind=filters.kind)
    return rows.filter(filter_days("submitted_at", filters.since, filters.until))


@dataclass(frozen=True, slots=True)
class ApplicationSplit:
    """A part of an invoice line in 元. `code` is empty for an amount without a dimension."""

    line: InvoiceLine
    code: str
    name: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class ApplicationSums:
    """The sums of an application by the dimensions of one kind. They sum to its amount."""

    kind: DimensionKind
    rows: list[DimensionSum]


def list_application_splits(
    *, application: InvoiceApplication, kind: str
) -> list[ApplicationSplit]:
    """Return the parts of the application for one kind of dimension, in the order of its invoices.
    Red invoices do not count, so the parts sum to the amount of the application. Two queries.
    """
    lines = _list_blue_lines(application)
    allocations = OrderAllocations({line.order_id for line in lines}, kind=kind)
    return list(_split_lines(lines, allocations, kind))


def sum_application_splits(*, application: InvoiceApplication) -> list[ApplicationSums]:
    """Return the sums of each kind of dimension that an order of the application has. Two
    queries.
    """
    lines = _list_blue_lines(application)
    allocations = OrderAllocations({line.order_id for line in lines})
    return [
        ApplicationSums(kind, sum_by_dimension(_split_lines(lines, allocations, kind)))
        for kind in DimensionKind
        if kind in allocations.kinds
    ]


def _list_blue_lines(application: InvoiceApplication) -> list[InvoiceLine]:
    """Return the invoice lines of the application, without those of red invoices."""
    rows = InvoiceLine.objects.filter(
        invoice__application=application, invoice__original__isnull=True
    )
    return list(rows.select_related("order", "invoice").order_by("invoice", "no"))


def _split_lines(
    lines: list[InvoiceLine], allocations: OrderAllocations, kind: str
) -> Iterator[ApplicationSplit]:
    """Yield the parts of each line by dimension of the kind, in 元."""
    for line in lines:
        parts = allocations.split(
            line.amount_incl_tax,
            kind=kind,
            order=line.order,
            order_line_id=line.order_line_id,
            is_freight=line.order_line_id is None,
        )
        for part in parts:
            yield ApplicationSplit(line, part.code, part.name, part.amount)


LABEL = 20.0
HEADING = 8.0
INVOICES = (
    Column("发票号码", 3.4),
    Column("状态", 1.6),
    Column("购买方", 5),
    Column("价税合计", 2.3, "right"),
    Column("其中税额", 2, "right"),
)


def draw_application_paper(detail: ApplicationDetail, sums: list[ApplicationSums]) -> bytes:
    """Return the PDF as bytes. Amounts in 元, 含税."""
    application = detail.application
    number = application.application_no
    paper = Paper(title=f"开票申请 {number}", footer=f"{format_moment(timezone.now())} 打印")
    y = paper.start_page()
    paper.draw_text(f"开票申请 {number}", y=y, size=17, bold=True)
    y = _draw_facts(paper, detail, y + 12)
    y = _draw_heading(paper, "发票", y)
    rows = [
        [
            invoice.invoice_no or "待开具",
            f"{'红字 ' if invoice.is_red else ''}{invoice.get_status_display()}",
            invoice.title_snapshot.get("Title", ""),
            _format_money(invoice.amount_incl_tax),
            _format_money(invoice.tax_amount),
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
        split = [
            [row.code or NO_DIMENSION, row.name, _format_money(row.amount)] for row in part.rows
        ]
        total = ["合计", "", _format_money(application.amount_incl_tax)]
        y = draw_table(paper, y=y, columns=columns, rows=[*split, total]) + 4
    return paper.finish()


def _draw_facts(paper: Paper, detail: ApplicationDetail, y: float) -> float:
    """Draw the facts from `y` (mm) on, and return the y below them."""
    application = detail.application
    amount = _format_money(application.amount_incl_tax)
    applicant = application.applicant
    facts = (
        ("企业", application.enterprise.name),
        ("申请人", " ".join(filter(None, [applicant.nickname, applicant.full_name]))),
        ("抬头", application.title.title if application.title else "各订单抬头"),
        ("发票种类", str(application.get_kind_display())),
        ("价税合计", f"¥{amount}（税额 ¥{_format_money(application.tax_amount)}）"),
        ("状态", str(application.get_status_display())),
        ("申请时间", format_moment(application.submitted_at)),
        ("备注", application.remark or "—"),
    )
    for label, text in facts:
        paper.draw_text(label, y=y, width=LABEL, size=9, colour=GREY)
        y = paper.draw_paragraph(text, x=MARGIN + LABEL, y=y, width=INNER - LABEL, size=9) + 1
    return y + 3


def _draw_heading(paper: Paper, text: str, y: float) -> float:
    """Draw a heading, on the next page if no row fits below it. Return the y below it."""
    if y + 3 * HEADING > FOOT:
        y = paper.start_page()
    paper.draw_text(text, y=y, size=10, bold=True)
    return y + HEADING


def _format_money(amount: Decimal) -> str:
    return f"{amount:,.2f}"
