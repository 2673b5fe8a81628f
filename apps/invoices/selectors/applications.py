"""Applications as their list and their page read them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, When

from apps.common.days import within_days
from apps.common.events import events_of
from apps.common.models import Event
from apps.common.tallies import state_counts
from apps.invoices.enums import UNISSUED, ApplicationStatus
from apps.invoices.errors import ApplicationNotFound
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.selectors.scope import applications_visible

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ApplicationFilter:
    """What the list is narrowed by; `since` and `until` are days in Shanghai, both included."""

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


def applications_listed(*, actor: Account, wanted: ApplicationFilter) -> QuerySet[InvoiceApplication]:
    """Return the applications of the actor's data scope under the filter, newest first, with the people and titles in them."""
    rows = _filtered(actor, wanted)
    if wanted.status:
        rows = rows.filter(status=wanted.status)
    return _told(rows)


def application_tabs(*, actor: Account, wanted: ApplicationFilter) -> dict[str, int]:
    """Return how many applications the filter leaves in each state, and in all (""); one query."""
    return state_counts(_filtered(actor, wanted), ApplicationStatus.values)


def application_detail(*, actor: Account, application_no: str) -> ApplicationDetail:
    """Return one application.

    Raises:
        ApplicationNotFound: there is none such that the actor may see.
    """
    rows = applications_visible(actor=actor).filter(application_no=application_no)
    application = _told(rows).prefetch_related(Prefetch("invoices", _invoices())).first()
    if application is None:
        raise ApplicationNotFound
    return ApplicationDetail(application, list(application.invoices.all()), list(events_of(application)))


def _told(rows: QuerySet[InvoiceApplication]) -> QuerySet[InvoiceApplication]:
    """With the people and titles in them, and whether its applicant may still take it back (`may_withdraw`)."""
    blue = Invoice.objects.filter(application=OuterRef("pk"), original=None)
    beyond = blue.filter(Q(is_unsure=True) | ~Q(status__in=UNISSUED))
    waits = Q(status__in=(ApplicationStatus.PENDING, ApplicationStatus.ACCEPTED))
    return rows.select_related("applicant", "enterprise", "title").annotate(
        may_withdraw=Case(When(waits & ~Exists(beyond), then=True), default=False)
    )


def _invoices() -> QuerySet[Invoice]:
    rows: QuerySet[Invoice] = Invoice.objects.annotate(line_count=Count("lines"))
    return rows.select_related("application__applicant", "enterprise", "original").order_by("pk")


def _filtered(actor: Account, wanted: ApplicationFilter) -> QuerySet[InvoiceApplication]:
    rows = applications_visible(actor=actor)
    if wanted.keyword:
        text = wanted.keyword
        of_invoices = Invoice.objects.filter(Q(invoice_no=text) | Q(lines__order__order_no=text)).values("application")
        rows = rows.filter(Q(application_no__icontains=text) | Q(pk__in=of_invoices))
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    return rows.filter(within_days("submitted_at", wanted.since, wanted.until))
