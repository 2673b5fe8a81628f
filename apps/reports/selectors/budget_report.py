"""Budget against actual: the budgets behind the rows of the budget report, with the figures and the
forecast that 预算余额 shows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.budgets.models import Budget
from apps.budgets.periods import format_period
from apps.budgets.selectors.budget_forecast import BudgetForecast, get_budget_forecast
from apps.budgets.selectors.budget_tree import build_below_condition
from apps.budgets.selectors.budgets import build_usable_condition, list_visible_budgets
from apps.common.money import ZERO
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import list_department_subtree_ids
from apps.reports.selectors.question import build_window_condition, build_windows_condition
from apps.reports.selectors.savings import compute_percent

if TYPE_CHECKING:
    from apps.org.models import Account
    from apps.reports.periods import Windows
    from apps.reports.selectors.question import MatchingFacts, ReportQuestion

# With one of these filters, a budget is a row only if it has matching purchases.
PURCHASE_FILTERS = (
    "category_id",
    "brand_id",
    "is_off_agreement",
    "product_code",
    "requester_id",
    "statuses",
    "payment_kinds",
    "purchase_order_no",
    "cost_center",
    "order_no",
    "weekday",
)


@dataclass(frozen=True, slots=True)
class BudgetActual:
    """A budget with its forecast. The figures include the budgets below, as on 预算余额.

    `is_current`: it belongs to the report's period by its days or its purchases. The others are
    rows for the purchases of the compared periods, and no total counts their figures.
    """

    budget: Budget
    forecast: BudgetForecast
    is_current: bool

    @property
    def overrun(self) -> Decimal | None:
        """The expected overrun in 元. None for a row of the compared periods, which no total counts
        and which is no forecast of this period.
        """
        return self.forecast.overrun if self.is_current else None

    @property
    def used_percent(self) -> Decimal | None:
        """使用率: reserved and consumed as a percentage of the amount, with one decimal. None
        without an amount.
        """
        return compute_percent(self.budget.used, self.budget.amount)

    @property
    def period_name(self) -> str:
        """The period of the budget in words, such as 2026 年 5 月."""
        budget = self.budget
        return format_period(period=budget.period, first=budget.period_from, last=budget.period_to)

    @property
    def parent_name(self) -> str:
        """The name of the 上级预算, or an empty text."""
        return self.budget.parent.name if self.budget.parent else ""


@dataclass(frozen=True, slots=True)
class BudgetTotals:
    """The sums of the topmost budgets of a report in 元, so that parent and child are not added.
    Earmarked budgets are left out, because their purchases are in the ordinary ones; a report with
    earmarked budgets alone adds those. `count` and `overrunning` count all budgets, and `overrun`
    covers all that `overrunning` counts: see `_sum_overruns`. In the first days of its period a
    budget counts in `at_end` with the amount used so far.
    """

    count: int
    amount: Decimal
    reserved: Decimal
    consumed: Decimal
    held: Decimal
    at_end: Decimal
    overrun: Decimal
    overrunning: int

    @property
    def available(self) -> Decimal:
        """The amount less what is reserved, consumed and held."""
        return self.amount - self.reserved - self.consumed - self.held


def get_report_budgets(
    *, actor: Account, question: ReportQuestion, matching: MatchingFacts, windows: Windows
) -> dict[int, BudgetActual]:
    """Return the budgets of the report that the actor sees on 预算余额, by key, the latest period
    first: those with matching purchases, and those whose period overlaps the period of the report
    and that the filters do not exclude. With the filter 只看预计超出, only those that are expected
    to overrun. Two queries.
    """
    bought = matching.sums.filter(build_windows_condition(windows)).values("budget_id")
    window = windows.window
    bought_now = matching.sums.filter(build_window_condition(window), budget_id=OuterRef("pk"))
    rows = (
        _list_report_budgets(actor)
        .filter(Q(pk__in=bought) | _build_unused_condition(question, windows))
        .annotate(is_bought_now=Exists(bought_now))
    )
    today = question.as_of or timezone.localdate()
    budgets = {
        row.pk: BudgetActual(
            row,
            get_budget_forecast(row, today=today),
            row.is_bought_now
            or (row.period_from <= window.until and row.period_to >= window.since),
        )
        for row in rows
    }
    if question.is_overrunning:
        return {pk: actual for pk, actual in budgets.items() if (actual.overrun or ZERO) > ZERO}
    return budgets


def sum_report_budgets(budgets: Sequence[BudgetActual]) -> BudgetTotals:
    """Return the sums of the topmost of the current budgets among these. One query."""
    current = [row for row in budgets if row.is_current]
    ordinary = [row for row in current if not row.budget.is_earmarked]
    counted_budgets = ordinary or current
    counted_rows = Budget.objects.filter(pk__in=[row.budget.pk for row in counted_budgets])
    lower_ids = set(
        counted_rows.filter(build_below_condition(counted_rows))
        .order_by()
        .values_list("pk", flat=True)
    )
    top = [row for row in counted_budgets if row.budget.pk not in lower_ids]
    return BudgetTotals(
        count=len(current),
        amount=sum((row.budget.amount for row in top), ZERO),
        reserved=sum((row.budget.reserved for row in top), ZERO),
        consumed=sum((row.budget.consumed for row in top), ZERO),
        held=sum((row.budget.held for row in top), ZERO),
        at_end=sum((_get_expected_amount(row) for row in top), ZERO),
        overrun=_sum_overruns(current),
        overrunning=sum(row.forecast.overrun > ZERO for row in current),
    )


def _sum_overruns(budgets: Sequence[BudgetActual]) -> Decimal:
    """Return the expected overrun in 元 of these budgets, earmarked ones included. The use of a
    budget is in the one above it, so the two are not added: of a budget and the budgets directly
    below it the larger overrun counts. 0 only if no budget overruns.
    """
    by_key = {row.budget.pk: row for row in budgets}
    below: defaultdict[int | None, list[int]] = defaultdict(list)
    for pk, row in by_key.items():
        parent_id = row.budget.parent_id
        below[parent_id if parent_id in by_key else None].append(pk)

    def get_overrun(pk: int) -> Decimal:
        lower = sum((get_overrun(child) for child in below[pk]), ZERO)
        return max(by_key[pk].forecast.overrun, lower)

    return sum((get_overrun(pk) for pk in below[None]), ZERO)


def _get_expected_amount(row: BudgetActual) -> Decimal:
    return row.forecast.used if row.forecast.at_end is None else row.forecast.at_end


def _list_report_budgets(actor: Account) -> QuerySet[Budget]:
    rows = list_visible_budgets(actor=actor)
    return (
        rows
        if actor.has_menu_code(MenuCode.ASSET_BUDGET)
        else rows.filter(build_usable_condition(actor))
    )


def _build_unused_condition(question: ReportQuestion, windows: Windows) -> Q:
    """Return the condition on budgets that are rows also without purchases."""
    if any(getattr(question, name) not in (None, "", ()) for name in PURCHASE_FILTERS):
        return Q(pk__in=[])
    window = windows.window
    condition = Q(period_from__lte=window.until, period_to__gte=window.since)
    if question.enterprise_id is not None:
        condition &= Q(enterprise=question.enterprise_id)
    if question.budget_id is not None:
        condition &= Q(pk=question.budget_id)
    if question.department_id is not None:
        places = list_department_subtree_ids(department_id=question.department_id)
        condition &= Q(department__in=places) | Q(account__department__in=places)
    if question.own_department_id is not None:
        condition &= Q(department=question.own_department_id)
    return condition
