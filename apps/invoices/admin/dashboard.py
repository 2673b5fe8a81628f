"""Invoices, red requests, bank receipts and disputed statements on the dashboard of the back
office.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.common.days import start_of_day
from apps.common.waiting import Waiting, list_waiting
from apps.invoices.enums import ApplicationStatus, InvoiceStatus, RedStatus, StatementStatus
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter
from apps.invoices.selectors.bank_receipts import list_unmatched_receipts
from apps.invoices.selectors.statements import list_disputed_statements
from apps.office.cells import yuan_text
from apps.office.first_page import ROWS, Todo, WorkPart, owned_link, owned_rows, work_card

# An application or an unmatched receipt is late after this time.
DECIDE_WITHIN, MATCH_WITHIN = timedelta(days=1), timedelta(days=3)


def applications_part(request: HttpRequest) -> WorkPart | None:
    """Return the pending applications, None if the user may not see applications."""
    if not request.user.has_perm("invoices.view_invoiceapplication"):
        return None
    pending = InvoiceApplication.objects.filter(status=ApplicationStatus.PENDING).select_related(
        "enterprise"
    )
    found = list_waiting(
        owned_rows(request, pending.order_by("submitted_at", "pk")),
        since="submitted_at",
        limit=ROWS,
    )
    rows = [
        replace(
            _todo(
                "invoiceapplication",
                row.pk,
                row.application_no,
                row.enterprise.name,
                "",
                row.submitted_at,
                "审核",
                DECIDE_WITHIN,
            ),
            owner=row.owner_name or "",
        )
        for row in found.rows
    ]
    link = owned_link(
        request,
        reverse("admin:invoices_invoiceapplication_changelist")
        + f"?status__exact={ApplicationStatus.PENDING}",
    )
    return replace(
        _part("待审核开票", "待审核的开票申请", "receipt", found, link, rows), is_owned=True
    )


def failures_part(request: HttpRequest) -> WorkPart | None:
    """Return the invoices that the gateway refused, None if the user may not see invoices."""
    if not request.user.has_perm("invoices.view_invoice"):
        return None
    failed = Invoice.objects.filter(status=InvoiceStatus.FAILED).select_related("enterprise")
    found = list_waiting(failed.order_by("updated_at", "pk"), since="updated_at", limit=ROWS)
    rows = [
        _todo(
            "invoice",
            row.pk,
            row.request_no,
            row.enterprise.name,
            row.failure[:30],
            row.updated_at,
            "处理",
            timedelta(),
        )
        for row in found.rows
    ]
    link = reverse("admin:invoices_invoice_changelist") + f"?status__exact={InvoiceStatus.FAILED}"
    return _part("开票失败", "开票失败的发票", "error", found, link, rows)


def red_part(request: HttpRequest) -> WorkPart | None:
    """Return the red requests that the seller has to confirm, None if the user may not see
    them.
    """
    if not request.user.has_perm("invoices.view_redletter"):
        return None
    asked = RedLetter.objects.filter(status=RedStatus.AWAITS_SELLER).select_related(
        "invoice__enterprise"
    )
    found = list_waiting(asked.order_by("expires_at", "pk"), since="opened_at", limit=ROWS)
    rows = [
        _todo(
            "redletter",
            row.pk,
            row.red_no,
            row.invoice.enterprise.name,
            "",
            row.opened_at,
            "确认",
            DECIDE_WITHIN,
        )
        for row in found.rows
    ]
    link = (
        reverse("admin:invoices_redletter_changelist") + f"?status__exact={RedStatus.AWAITS_SELLER}"
    )
    return _part("待确认红冲", "待确认的红冲申请", "undo", found, link, rows)


def receipts_part(request: HttpRequest) -> WorkPart | None:
    """Return the unmatched bank receipts, None if the user may not see receipts."""
    if not request.user.has_perm("invoices.view_bankreceipt"):
        return None
    found = list_waiting(
        list_unmatched_receipts().order_by("received_on", "pk"), since="received_on", limit=ROWS
    )
    rows = [
        _todo(
            "bankreceipt",
            row.pk,
            row.serial,
            row.payer_name,
            yuan_text(row.left),
            start_of_day(row.received_on),
            "匹配",
            MATCH_WITHIN,
        )
        for row in found.rows
    ]
    link = reverse("admin:invoices_bankreceipt_changelist") + "?state=waiting"
    return _part("待匹配到账", "待匹配的银行到账", "account_balance", found, link, rows)


def disputes_part(request: HttpRequest) -> WorkPart | None:
    """Return the disputed statements without an answer, None if the user may not see
    statements.
    """
    if not request.user.has_perm("invoices.view_statement"):
        return None
    found = list_waiting(list_disputed_statements(), since="disputed_at", limit=ROWS)
    rows = [
        _todo(
            "statement",
            row.pk,
            row.statement_no,
            row.enterprise.name,
            yuan_text(row.closing),
            row.disputed_at,
            "答复",
            DECIDE_WITHIN,
        )
        for row in found.rows
    ]
    link = (
        reverse("admin:invoices_statement_changelist")
        + f"?status__exact={StatementStatus.DISPUTED}"
    )
    return _part("待答复异议", "有异议的对账单", "forum", found, link, rows)


def _todo(
    model: str,
    pk: int,
    number: str,
    customer: str,
    amount: str,
    since: datetime,
    verb: str,
    within: timedelta,
) -> Todo:
    page = reverse(f"admin:invoices_{model}_change", args=[pk])
    return Todo(
        number, page, customer, amount, since, verb, page, is_late=since + within < timezone.now()
    )


def _part(
    card: str, title: str, icon: str, found: Waiting, link: str, rows: list[Todo]
) -> WorkPart:
    is_late = any(row.is_late for row in rows)
    shown = work_card(
        title=card, number=found.number, icon=icon, link=link, oldest=found.oldest, is_late=is_late
    )
    return WorkPart(shown, {"title": title, "rows": rows, "all": link})
