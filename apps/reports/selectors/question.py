"""The filters of a report, and the facts that match them. All five reports use this module, so
that their totals are equal to the cent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.errors import Forbidden
from apps.org.selectors.data_scope import department_subtree_ids, scope_filter
from apps.reports.enums import Basis, Preset, ReportName
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.periods import Compared, Window, compared

if TYPE_CHECKING:
    from apps.org.models import Account

MENU_OF: dict[str, str] = {
    ReportName.ORDER: "report.order",
    ReportName.ORDER_DETAIL: "report.orderDetail",
    ReportName.PRODUCT: "report.product",
    ReportName.DEPARTMENT: "report.department",
    ReportName.PURCHASER: "report.purchaser",
}
# Product filter value for freight, which has no product code.
FREIGHT_CODE = "0"


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """The shared filters. `department_id` includes subdepartments, `own_department_id` does
    not; 0 means no department. Weekday 1 is Monday.
    """

    basis: str = Basis.ORDERED
    preset: str = Preset.TWELVE_MONTHS
    since: date | None = None
    until: date | None = None
    enterprise_id: int | None = None
    department_id: int | None = None
    own_department_id: int | None = None
    category_id: int | None = None
    product_code: str = ""
    requester_id: int | None = None
    statuses: tuple[str, ...] = ()
    payment_kinds: tuple[str, ...] = ()
    budget_id: int | None = None
    purchase_order_no: str = ""
    cost_center: str = ""
    order_no: str = ""
    weekday: int | None = None
    # Presets are relative to this day; None means today.
    as_of: date | None = None

    def windows(self) -> Compared:
        """Return the period as of `as_of`, with its comparison periods.

        Raises:
            ValidationFailed: a day is missing, the days are reversed, or the period exceeds five
                years.
        """
        return compared(
            self.preset,
            since=self.since,
            until=self.until,
            today=self.as_of or timezone.localdate(),
        )

    def within(self, window: Window) -> ReportQuestion:
        """Return the same question for other days."""
        return replace(self, preset=Preset.CUSTOM, since=window.since, until=window.until)


def allow_report(actor: Account, report: str) -> None:
    """Check that the actor may open the report.

    Raises:
        Forbidden: the actor does not have this report's menu code.
    """
    if not actor.has_menu_code(MENU_OF[report]):
        raise Forbidden


@dataclass(frozen=True, slots=True)
class Asked:
    """The rows that match a question, for any day, unordered. `sums` are the sums by order and
    day, or the facts if a filter names goods.

    The rows of `sums` have every column of a fact except those of its line, so that one selector
    can read both.
    """

    facts: QuerySet[ReportFact]
    sums: QuerySet[Any]

    def within(self, window: Window) -> Asked:
        """Return the rows within a window's days."""
        return Asked(self.facts.filter(within(window)), self.sums.filter(within(window)))


def asked_of(*, actor: Account, report: str, question: ReportQuestion) -> Asked:
    """Return the rows of the actor's data scope that match the filters."""
    scope = scope_filter(actor=actor, menu=MENU_OF[report], account="requester")
    conditions, goods = scope & _asked(question) & Q(basis=question.basis), _goods(question)
    facts: QuerySet[ReportFact] = ReportFact.objects.filter(conditions, goods).order_by()
    return Asked(facts, facts if goods else ReportOrderDay.objects.filter(conditions).order_by())


def within(window: Window) -> Q:
    """Return the condition on a window's days."""
    return Q(day__gte=window.since, day__lte=window.until)


def within_all(windows: Compared) -> Q:
    """Return the condition on the days of a period and its comparison periods."""
    days = Q()
    for window in dict.fromkeys((windows.window, windows.previous, windows.year_before)):
        days |= within(window)
    return days


def _asked(question: ReportQuestion) -> Q:
    named: dict[str, Any] = {
        "enterprise": question.enterprise_id,
        "requester": question.requester_id,
        "budget": question.budget_id,
        "purchase_order_no": question.purchase_order_no or None,
        "cost_center": question.cost_center or None,
        "order__order_no": question.order_no or None,
        "order_status__in": question.statuses or None,
        "payment_kind__in": question.payment_kinds or None,
        "day__iso_week_day": question.weekday,
    }
    asked = Q(**{name: value for name, value in named.items() if value is not None})
    return asked & _department(question)


def _department(question: ReportQuestion) -> Q:
    asked = Q()
    if question.department_id is not None:
        asked &= Q(department__in=department_subtree_ids(department_id=question.department_id))
    if question.own_department_id == 0:
        asked &= Q(department__isnull=True)
    elif question.own_department_id is not None:
        asked &= Q(department=question.own_department_id)
    return asked


def _goods(question: ReportQuestion) -> Q:
    asked = Q()
    if question.category_id is not None:
        levels = (Q(**{f"category_id_l{level}": question.category_id}) for level in (1, 2, 3))
        asked &= next(levels) | next(levels) | next(levels)
    if question.product_code == FREIGHT_CODE:
        asked &= Q(product__isnull=True)
    elif question.product_code:
        asked &= Q(product__code=question.product_code)
    return asked
