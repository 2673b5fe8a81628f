"""The age of a debt by the days since its due date."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from apps.invoices.enums import DebtAge
from apps.invoices.selectors.debts import get_debt_age

RECEIVED = datetime.fromisoformat("2026-03-01T10:00:00+08:00")
DAYS = 30


@pytest.mark.parametrize(
    ("overdue", "age"),
    [
        (0, DebtAge.NOT_DUE),
        (1, DebtAge.UP_TO_30),
        (30, DebtAge.UP_TO_30),
        (31, DebtAge.UP_TO_60),
        (60, DebtAge.UP_TO_60),
        (61, DebtAge.UP_TO_90),
        (90, DebtAge.UP_TO_90),
        (91, DebtAge.OVER_90),
    ],
)
def test_the_last_day_of_an_age_belongs_to_it(overdue: int, age: DebtAge) -> None:
    today = date(2026, 3, 1) + timedelta(days=DAYS + overdue)

    assert get_debt_age(RECEIVED, days=DAYS, today=today) == age
