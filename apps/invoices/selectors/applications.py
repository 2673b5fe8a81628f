"""Applications for the list and the detail page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, When

from apps.common.days import filter_days
from apps.common.events import list_events
from apps.common.models import Event
from apps.common.queries import count_states
from apps.invoices.enums import UNISSUED, ApplicationStatus
from apps.invoices.errors import ApplicationNotFound
from apps.invoices.models import Invoice, InvoiceApplication
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


def applications_visible(*, actor: Account) -> QuerySet[InvoiceApplication]:
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
    rows = _filter(actor, filters)
    if filters.status:
        rows = rows.filter(status=filters.status)
    return _with_people(rows)


def count_applications(*, actor: Account, filters: ApplicationFilter) -> dict[str, int]:
    """Return the number of matching applications by state, and of all under "". One query."""
    return count_states(_filter(actor, filters), ApplicationStatus.values)


def get_application_detail(*, actor: Account, application_no: str) -> ApplicationDetail:
    """Return one application.

    Raises:
        ApplicationNotFound: the actor cannot see an application with this number.
    """
    rows = applications_visible(actor=actor).filter(application_no=application_no)
    application = _with_people(rows).prefetch_related(Prefetch("invoices", _invoices())).first()
    if application is None:
        raise ApplicationNotFound
    return ApplicationDetail(
        application, list(application.invoices.all()), list(list_events(application))
    )


def _with_people(rows: QuerySet[InvoiceApplication]) -> QuerySet[InvoiceApplication]:
    """Join people and titles, and annotate `may_withdraw`."""
    blue = Invoice.objects.filter(application=OuterRef("pk"), original=None)
    beyond = blue.filter(Q(is_unsure=True) | ~Q(status__in=UNISSUED))
    waits = Q(status__in=(ApplicationStatus.PENDING, ApplicationStatus.ACCEPTED))
    return rows.select_related("applicant", "enterprise", "title").annotate(
        may_withdraw=Case(When(waits & ~Exists(beyond), then=True), default=False)
    )


def _invoices() -> QuerySet[Invoice]:
    rows: QuerySet[Invoice] = Invoice.objects.annotate(line_count=Count("lines"))
    people = rows.select_related("application__applicant", "enterprise", "original")
    return people.prefetch_related(prefetch_marks()).order_by("pk")


def _filter(actor: Account, filters: ApplicationFilter) -> QuerySet[InvoiceApplication]:
    rows = applications_visible(actor=actor)
    if filters.keyword:
        text = filters.keyword
        of_invoices = Invoice.objects.filter(
            Q(invoice_no=text) | Q(lines__order__order_no=text)
        ).values("application")
        rows = rows.filter(Q(application_no__icontains=text) | Q(pk__in=of_invoices))
    if filters.kind:
        rows = rows.filter(kind=filters.kind)
    return rows.filter(filter_days("submitted_at", filters.since, filters.until))
