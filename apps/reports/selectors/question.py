"""What a report is asked, and the facts that answer it: the same for all five, so that they agree to the cent."""

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
# What a filter by product names the freight by: it has no code.
FREIGHT_CODE = "0"


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """The shared filters. `department_id` is with all below it, `own_department_id` it alone; 0 is no department, weekday 1 Monday."""

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
    # The day its presets are counted from; None is today.
    as_of: date | None = None

    def windows(self) -> Compared:
        """Return its stretch of time as of its day, with those it is compared with.

        Raises:
            ValidationFailed: the days are missing, reversed, or lie more than five years apart.
        """
        return compared(self.preset, since=self.since, until=self.until, today=self.as_of or timezone.localdate())

    def within(self, window: Window) -> ReportQuestion:
        """Return the same question of other days."""
        return replace(self, preset=Preset.CUSTOM, since=window.since, until=window.until)


def allow_report(actor: Account, report: str) -> None:
    """Raises:
    Forbidden: the actor has not this report's menu entry.
    """
    if not actor.has_menu_code(MENU_OF[report]):
        raise Forbidden


@dataclass(frozen=True, slots=True)
class Asked:
    """What answers a question, of any day, in no order; `sums` are the facts by order and day, or the facts where goods are asked for.

    The rows of `sums` have every column of a fact but those of its line, so that one selector reads both.
    """

    facts: QuerySet[ReportFact]
    sums: QuerySet[Any]

    def within(self, window: Window) -> Asked:
        """Return what of it is of a window's days."""
        return Asked(self.facts.filter(within(window)), self.sums.filter(within(window)))


def asked_of(*, actor: Account, report: str, question: ReportQuestion) -> Asked:
    """Return what there is in the actor's data scope for that report under the filters."""
    scope = scope_filter(actor=actor, menu=MENU_OF[report], account="requester")
    conditions, goods = scope & _asked(question) & Q(basis=question.basis), _goods(question)
    facts: QuerySet[ReportFact] = ReportFact.objects.filter(conditions, goods).order_by()
    return Asked(facts, facts if goods else ReportOrderDay.objects.filter(conditions).order_by())


def within(window: Window) -> Q:
    """Return the condition of a window's days."""
    return Q(day__gte=window.since, day__lte=window.until)


def within_all(windows: Compared) -> Q:
    """Return the condition of the days of a period and of those it is compared with."""
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
