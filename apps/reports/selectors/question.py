"""The filters of a report and their stored forms. All reports use this module and `matching`, so
that their totals are equal to the cent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.errors import Forbidden
from apps.reports.enums import Basis, Preset, ReportName
from apps.reports.models import ReportFact, SavedView
from apps.reports.periods import Window, Windows, compute_windows

if TYPE_CHECKING:
    from apps.org.models import Account

MENU_OF: dict[str, str] = {
    ReportName.ORDER: "report.order",
    ReportName.ORDER_DETAIL: "report.orderDetail",
    ReportName.PRODUCT: "report.product",
    ReportName.DEPARTMENT: "report.department",
    ReportName.PURCHASER: "report.purchaser",
    ReportName.BRAND: "report.brand",
    ReportName.SAVINGS: "report.savings",
    ReportName.BUDGET: "report.budget",
}
# Product filter value for freight, which has no product code.
FREIGHT_CODE = "0"
DAY_FIELDS, LIST_FIELDS = ("since", "until"), ("statuses", "payment_kinds")


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """The shared filters. `department_id` includes subdepartments, `own_department_id` does
    not; 0 means no department, and a `budget_id` of 0 no budget. Weekday 1 is Monday.
    `is_overrunning`: only purchases of the budgets that are expected to overrun.
    """

    basis: str = Basis.ORDERED
    preset: str = Preset.TWELVE_MONTHS
    since: date | None = None
    until: date | None = None
    enterprise_id: int | None = None
    department_id: int | None = None
    own_department_id: int | None = None
    category_id: int | None = None
    brand_id: int | None = None
    is_off_agreement: bool | None = None
    product_code: str = ""
    requester_id: int | None = None
    statuses: tuple[str, ...] = ()
    payment_kinds: tuple[str, ...] = ()
    budget_id: int | None = None
    purchase_order_no: str = ""
    cost_center: str = ""
    order_no: str = ""
    weekday: int | None = None
    is_overrunning: bool | None = None
    # Presets are relative to this day; None means today.
    as_of: date | None = None

    def get_windows(self) -> Windows:
        """Return the period as of `as_of`, with its comparison periods.

        Raises:
            ValidationFailed: a day is missing, the days are reversed, or the period exceeds five
                years.
        """
        return compute_windows(
            self.preset,
            since=self.since,
            until=self.until,
            today=self.as_of or timezone.localdate(),
        )

    def restrict_to(self, window: Window) -> ReportQuestion:
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
class MatchingFacts:
    """The rows that match a question, for any day, unordered. `sums` are the sums by order and
    day, or the facts if a filter names goods.

    The rows of `sums` have every column of a fact except those of its line, so that one selector
    can read both.
    """

    facts: QuerySet[ReportFact]
    sums: QuerySet[Any]

    def restrict_to(self, window: Window) -> MatchingFacts:
        """Return the rows within a window's days."""
        return MatchingFacts(
            self.facts.filter(build_window_condition(window)),
            self.sums.filter(build_window_condition(window)),
        )


def build_window_condition(window: Window) -> Q:
    """Return the condition on a window's days."""
    return Q(day__gte=window.since, day__lte=window.until)


def build_windows_condition(windows: Windows) -> Q:
    """Return the condition on the days of a period and its comparison periods."""
    days = Q()
    for window in dict.fromkeys((windows.window, windows.previous, windows.year_before)):
        days |= build_window_condition(window)
    return days


def serialize_question(question: ReportQuestion) -> dict[str, Any]:
    """Return the question as a JSON object without its empty fields."""
    values = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in asdict(question).items()
    }
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value not in (None, "", ())
    }


def parse_question(stored: dict[str, Any]) -> ReportQuestion:
    """Return the question of a stored JSON object. Fields that the current release does not
    know are ignored.
    """
    values_by_field = {
        name: value for name, value in stored.items() if name in ReportQuestion.__dataclass_fields__
    }
    for name in DAY_FIELDS:
        if name in values_by_field:
            values_by_field[name] = date.fromisoformat(values_by_field[name])
    for name in LIST_FIELDS:
        values_by_field[name] = tuple(values_by_field.get(name, ()))
    return ReportQuestion(**values_by_field)


def _to_strings(value: Any) -> tuple[str, ...]:
    return tuple(str(item) for item in value)


# Wire name → (field of `ReportQuestion`, conversion of its value).
VIEW_FIELDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "Basis": ("basis", str),
    "Period": ("preset", str),
    "From": ("since", date.fromisoformat),
    "To": ("until", date.fromisoformat),
    "EnterpriseId": ("enterprise_id", int),
    "DepartmentId": ("department_id", int),
    "OwnDepartmentId": ("own_department_id", int),
    "CategoryId": ("category_id", int),
    "BrandId": ("brand_id", int),
    "OffAgreement": ("is_off_agreement", bool),
    "ProductCode": ("product_code", str),
    "RequesterId": ("requester_id", int),
    "Status": ("statuses", _to_strings),
    "PaymentKind": ("payment_kinds", _to_strings),
    "BudgetId": ("budget_id", int),
    "PurchaseOrderNo": ("purchase_order_no", str),
    "CostCenter": ("cost_center", str),
    "OrderNo": ("order_no", str),
    "Weekday": ("weekday", int),
    "Overrunning": ("is_overrunning", bool),
}


def build_view_question(view: SavedView, *, as_of: date | None = None) -> ReportQuestion:
    """Return the question of a view. Presets are relative to `as_of`, or to today if it is
    None.
    """
    fields = {
        name: convert(view.filters[key])
        for key, (name, convert) in VIEW_FIELDS.items()
        if view.filters.get(key) not in (None, "", [])
    }
    return ReportQuestion(**fields, as_of=as_of)
