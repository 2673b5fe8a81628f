"""The forecast of a budget to the end of its period: what is used by now, open orders included, and
the same rate of use for the days that remain.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.common.money import ZERO, round_yuan

if TYPE_CHECKING:
    from apps.budgets.models import Budget

# Before this day of a period the rate of use says nothing.
MIN_DAYS = 7


@dataclass(frozen=True, slots=True)
class BudgetForecast:
    """`used` is consumed or reserved by open orders. `at_end` is the forecast for the last day, or
    None in the first days of a period. Amounts in 元.
    """

    amount: Decimal
    used: Decimal
    at_end: Decimal | None
    days: int
    days_left: int

    @property
    def overrun(self) -> Decimal:
        """The forecast amount above the budget; 0.00 if it suffices or nothing is known."""
        return max(ZERO, self.at_end - self.amount) if self.at_end is not None else ZERO

    @property
    def time_percent(self) -> Decimal:
        """The elapsed part of the period in percent, with one decimal."""
        return (Decimal(self.days - self.days_left) * 100 / self.days).quantize(Decimal("0.1"))


def get_budget_forecast(budget: Budget, *, today: date) -> BudgetForecast:
    """Return the forecast on `today`, which counts as an elapsed day. No query.

    A period that has ended, or has not begun, needs no forecast: `at_end` is the used amount.
    """
    used_amount = budget.used
    days = (budget.period_to - budget.period_from).days + 1
    elapsed = min(max((today - budget.period_from).days + 1, 0), days)
    at_end: Decimal | None = used_amount
    if 0 < elapsed < days:
        at_end = None if elapsed < min(MIN_DAYS, days) else round_yuan(used_amount * days / elapsed)
    return BudgetForecast(budget.amount, used_amount, at_end, days, days - elapsed)
