"""Invoices, red requests, bank receipts and disputed statements on the dashboard of the back
office.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.common.days import start_of_day
from apps.common.queries import WaitingRows, list_waiting
from apps.invoices.enums import ApplicationStatus, InvoiceStatus, RedStatus, StatementStatus
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter
from apps.invoices.selectors.bank_receipts import list_unmatched_receipts
from apps.invoices.selectors.statements import list_disputed_statements
from apps.office.cells import format_yuan
from apps.office.first_page import (
    ROWS,
    Todo,
    WorkPart,
    build_work_card,
    filter_owned_rows,
    owned_link,
)

# An application or an unmatched receipt is late after this time.
DECIDE_WITHIN, MATCH_WITHIN = timedelta(days=1), timedelta(days=3)


def build_applications_part(request: HttpRequest) -> WorkPart | None:
    """Return the pending applications, None if the user may not see applications."""
    if not request.user.has_perm("invoices.view_invoiceapplication"):
        return None
    pending_applications = InvoiceApplication.objects.filter(
        status=ApplicationStatus.PENDING
    ).select_related("enterprise")
    oldest_waiting = list_waiting(
        filter_owned_rows(request, pending_applications.order_by("submitted_at", "pk")),
        since="submitted_at",
        limit=ROWS,
    )
    rows = [
        replace(
            _build_todo(
                row,
                number=row.application_no,
                customer=row.enterprise.name,
                since=row.submitted_at,
                verb="审核",
                within=DECIDE_WITHIN,
            ),
            owner=row.owner_name or "",
        )
        for row in oldest_waiting.rows
    ]
    link = owned_link(
        request,
        reverse("admin:invoices_invoiceapplication_changelist")
        + f"?status__exact={ApplicationStatus.PENDING}",
    )
    part = _build_part(
        card="待审核开票",
        title="待审核的开票申请",
        icon="receipt",
        oldest_waiting=oldest_waiting,
        link=link,
        rows=rows,
    )
    return replace(part, is_owned=True)


def build_failures_part(request: HttpRequest) -> WorkPart | None:
    """Return the invoices that the gateway refused, None if the user may not see invoices."""
    if not request.user.has_perm("invoices.view_invoice"):
        return None
    failed = Invoice.objects.filter(status=InvoiceStatus.FAILED).select_related("enterprise")
    oldest_waiting = list_waiting(
        failed.order_by("updated_at", "pk"), since="updated_at", limit=ROWS
    )
    rows = [
        _build_todo(
            row,
            number=row.request_no,
            customer=row.enterprise.name,
            detail=row.failure[:30],
            since=row.updated_at,
            verb="处理",
            within=timedelta(),
        )
        for row in oldest_waiting.rows
    ]
    link = reverse("admin:invoices_invoice_changelist") + f"?status__exact={InvoiceStatus.FAILED}"
    return _build_part(
        card="开票失败",
        title="开票失败的发票",
        icon="error",
        oldest_waiting=oldest_waiting,
        link=link,
        rows=rows,
    )


def build_red_part(request: HttpRequest) -> WorkPart | None:
    """Return the red requests that the seller has to confirm, None if the user may not see
    them.
    """
    if not request.user.has_perm("invoices.view_redletter"):
        return None
    letters = RedLetter.objects.filter(status=RedStatus.AWAITS_SELLER).select_related(
        "invoice__enterprise"
    )
    oldest_waiting = list_waiting(
        letters.order_by("expires_at", "pk"), since="opened_at", limit=ROWS
    )
    rows = [
        _build_todo(
            row,
            number=row.red_no,
            customer=row.invoice.enterprise.name,
            since=row.opened_at,
            verb="确认",
            within=DECIDE_WITHIN,
        )
        for row in oldest_waiting.rows
    ]
    link = (
        reverse("admin:invoices_redletter_changelist") + f"?status__exact={RedStatus.AWAITS_SELLER}"
    )
    return _build_part(
        card="待确认红冲",
        title="待确认的红冲申请",
        icon="undo",
        oldest_waiting=oldest_waiting,
        link=link,
        rows=rows,
    )


def build_receipts_part(request: HttpRequest) -> WorkPart | None:
    """Return the unmatched bank receipts, None if the user may not see receipts."""
    if not request.user.has_perm("invoices.view_bankreceipt"):
        return None
    oldest_waiting = list_waiting(
        list_unmatched_receipts().order_by("received_on", "pk"), since="received_on", limit=ROWS
    )
    rows = [
        _build_todo(
            row,
            number=row.serial,
            customer=row.payer_name,
            detail=format_yuan(row.left),
            since=start_of_day(row.received_on),
            verb="匹配",
            within=MATCH_WITHIN,
        )
        for row in oldest_waiting.rows
    ]
    link = reverse("admin:invoices_bankreceipt_changelist") + "?state=waiting"
    return _build_part(
        card="待匹配到账",
        title="待匹配的银行到账",
        icon="account_balance",
        oldest_waiting=oldest_waiting,
        link=link,
        rows=rows,
    )


def build_disputes_part(request: HttpRequest) -> WorkPart | None:
    """Return the disputed statements without an answer, None if the user may not see
    statements.
    """
    if not request.user.has_perm("invoices.view_statement"):
        return None
    oldest_waiting = list_waiting(list_disputed_statements(), since="disputed_at", limit=ROWS)
    rows = [
        _build_todo(
            row,
            number=row.statement_no,
            customer=row.enterprise.name,
            detail=format_yuan(row.closing),
            since=row.disputed_at,
            verb="答复",
            within=DECIDE_WITHIN,
        )
        for row in oldest_waiting.rows
    ]
    link = (
        reverse("admin:invoices_statement_changelist")
        + f"?status__exact={StatementStatus.DISPUTED}"
    )
    return _build_part(
        card="待答复异议",
        title="有异议的对账单",
        icon="forum",
        oldest_waiting=oldest_waiting,
        link=link,
        rows=rows,
    )


def _build_todo(
    row: Model,
    *,
    number: str,
    customer: str,
    since: datetime,
    verb: str,
    within: timedelta,
    detail: str = "",
) -> Todo:
    """Return a row of open work. It is late if it has waited longer than `within`."""
    page = reverse(f"admin:invoices_{row._meta.model_name}_change", args=[row.pk])
    is_late = since + within < timezone.now()
    return Todo(number, page, customer, detail, since, verb, page, is_late=is_late)


def _build_part(
    *, card: str, title: str, icon: str, oldest_waiting: WaitingRows, link: str, rows: list[Todo]
) -> WorkPart:
    is_late = any(row.is_late for row in rows)
    work = build_work_card(
        title=card,
        number=oldest_waiting.number,
        icon=icon,
        link=link,
        oldest=oldest_waiting.oldest,
        is_late=is_late,
    )
    return WorkPart(work, {"title": title, "rows": rows, "all": link})
