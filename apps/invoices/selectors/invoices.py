"""Invoices for the list and the detail page. The lines link an invoice to its orders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum

from apps.common.days import filter_days
from apps.common.events import list_events
from apps.common.models import Event
from apps.common.money import ZERO
from apps.common.numbers import parse_key
from apps.common.queries import count_states
from apps.invoices.enums import InvoiceStatus
from apps.invoices.errors import InvoiceNotFound
from apps.invoices.models import Invoice, InvoiceLine, InvoiceMark, RedLetter, RedLine
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class InvoiceFilter:
    """Filter of the list. `since` and `until` are days of issue in Shanghai, both inclusive.
    `mark` is the kind of a mark; with a leading "-", invoices without it. `is_issued` selects
    the invoices that have been issued, reversed ones too.
    """

    keyword: str = ""
    status: str = ""
    kind: str = ""
    order_no: str = ""
    application_no: str = ""
    is_red: bool | None = None
    is_issued: bool = False
    mark: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class InvoiceDetail:
    """One invoice with its lines, its red requests and its timeline."""

    invoice: Invoice
    lines: list[InvoiceLine]
    letters: list[RedLetter]
    timeline: list[Event]


def list_visible_invoices(
    *, actor: Account, menu: str = MenuCode.INVOICE_LIST
) -> QuerySet[Invoice]:
    """Return the invoices of applications in the actor's data scope."""
    rows: QuerySet[Invoice] = Invoice.objects.filter(
        scope_filter(actor=actor, menu=menu, prefix="application__", account="applicant")
    )
    return rows


def list_invoices(*, actor: Account, filters: InvoiceFilter) -> QuerySet[Invoice]:
    """Return the invoices in the actor's data scope that match the filter, newest first. Void
    invoices are excluded.
    """
    rows = _filter_invoices(actor, filters)
    if filters.status:
        rows = rows.filter(status=filters.status)
    return (
        rows.select_related("application__applicant", "enterprise", "original")
        .prefetch_related(prefetch_marks())
        .annotate(line_count=Count("lines"))
        .order_by("-pk")
    )


def count_invoices(*, actor: Account, filters: InvoiceFilter) -> dict[str, int]:
    """Return the number of matching invoices by state, and of all under "". One query."""
    states = [status for status in InvoiceStatus.values if status != InvoiceStatus.VOID]
    return count_states(_filter_invoices(actor, filters), states, distinct=True)


def sum_invoices(*, actor: Account, filters: InvoiceFilter) -> Decimal:
    """Return the total of the matching invoices in 元 含税. Red invoices count negative. One
    query.
    """
    rows = _filter_invoices(actor, filters)
    if filters.status:
        rows = rows.filter(status=filters.status)
    return rows.order_by().aggregate(total=Sum("amount_incl_tax"))["total"] or ZERO


def get_invoice(*, actor: Account, pk: str) -> Invoice:
    """Return one invoice that is not void.

    Raises:
        InvoiceNotFound: the actor cannot see an invoice with this id.
    """
    rows = (
        list_visible_invoices(actor=actor)
        .exclude(status=InvoiceStatus.VOID)
        .select_related("application__applicant", "enterprise", "original")
        .prefetch_related(prefetch_marks())
    )
    invoice = rows.filter(pk=parse_key(pk)).first()
    if invoice is None:
        raise InvoiceNotFound
    return invoice


def get_invoice_detail(*, actor: Account, pk: str) -> InvoiceDetail:
    """Return one invoice with its lines, red requests and timeline.

    Raises:
        InvoiceNotFound: the actor cannot see an invoice with this id.
    """
    invoice = get_invoice(actor=actor, pk=pk)
    rows = InvoiceLine.objects.filter(invoice=invoice).select_related("order", "order_line")
    lines = list(rows.order_by("no"))
    parts = RedLine.objects.select_related("line").order_by("line__no")
    letters = (
        RedLetter.objects.filter(invoice=invoice)
        .select_related("opened_by", "red_invoice")
        .order_by("-pk")
    )
    return InvoiceDetail(
        invoice,
        lines,
        list(letters.prefetch_related(Prefetch("lines", parts))),
        list(list_events(invoice)),
    )


def prefetch_marks() -> Prefetch[Any]:
    """Return the prefetch of the marks with their writers: one query for any number of invoices."""
    return Prefetch("marks", InvoiceMark.objects.select_related("marked_by").order_by("pk"))


def _filter_invoices(actor: Account, filters: InvoiceFilter) -> QuerySet[Invoice]:
    """Return the invoices that the actor can see and the filters select, without void ones. A
    mark that begins with "-" selects invoices without it.
    """
    rows = list_visible_invoices(actor=actor).exclude(status=InvoiceStatus.VOID)
    if filters.keyword:
        text = filters.keyword
        of_lines = InvoiceLine.objects.filter(order__order_no=text).values("invoice")
        rows = rows.filter(
            Q(invoice_no__icontains=text) | Q(application__application_no=text) | Q(pk__in=of_lines)
        )
    if filters.order_no:
        rows = rows.filter(
            pk__in=InvoiceLine.objects.filter(order__order_no=filters.order_no).values("invoice")
        )
    if filters.application_no:
        rows = rows.filter(application__application_no=filters.application_no)
    if filters.kind:
        rows = rows.filter(kind=filters.kind)
    if filters.is_red is not None:
        rows = rows.filter(original__isnull=not filters.is_red)
    if filters.is_issued:
        rows = rows.filter(issued_at__isnull=False)
    if filters.mark:
        marks = InvoiceMark.objects.filter(
            invoice=OuterRef("pk"), kind=filters.mark.removeprefix("-")
        )
        rows = rows.filter(~Exists(marks) if filters.mark.startswith("-") else Exists(marks))
        rows = rows.exclude(invoice_no="")
    return rows.filter(filter_days("issued_at", filters.since, filters.until))
