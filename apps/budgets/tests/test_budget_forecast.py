"""Tests of the forecast of a budget, with exact amounts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.budgets.models import Budget
from apps.budgets.selectors.budget_forecast import get_budget_forecast


@pytest.mark.parametrize(
    ("today", "at_end", "overrun", "days_left"),
    [
        # Nothing has begun: only what is used already.
        (date(2026, 8, 31), "300.00", "0.00", 30),
        # Six days say nothing yet.
        (date(2026, 9, 6), None, "0.00", 24),
        # 300.00 元 in 10 days make 900.00 元 in 30 days; in 9 days 1,000.00 元.
        (date(2026, 9, 10), "900.00", "0.00", 20),
        (date(2026, 9, 9), "1000.00", "50.00", 21),
        (date(2026, 9, 30), "300.00", "0.00", 0),
        (date(2026, 10, 5), "300.00", "0.00", 0),
    ],
)
def test_forecast_extends_the_usage_rate_to_the_end_of_the_period(
    today: date, at_end: str | None, overrun: str, days_left: int
) -> None:
    budget = Budget(
        period_from=date(2026, 9, 1),
        period_to=date(2026, 9, 30),
        amount=Decimal("950.00"),
        reserved=Decimal("100.00"),
        consumed=Decimal("200.00"),
    )
    forecast = get_budget_forecast(budget, today=today)
    assert forecast.at_end == (None if at_end is None else Decimal(at_end))
    assert (str(forecast.overrun), forecast.days_left) == (overrun, days_left)
