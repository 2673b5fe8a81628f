"""The rollover settings of a budget: validation and text."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.utils import timezone

from apps.budgets.enums import BudgetRollover
from apps.budgets.models import Budget
from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, yuan


def rollover_terms(*, rollover: str, cap: Decimal | None, last: date) -> tuple[str, Decimal | None]:
    """Return the rollover and its cap in 元 (None unless the rollover is CAP).

    Raises:
        ValidationFailed: the cap is missing, or the period has ended.
    """
    if rollover == BudgetRollover.NONE:
        return rollover, None
    if last < timezone.localdate():
        raise ValidationFailed({"Rollover": ["该周期已结束，不能设置结转"]})
    if rollover == BudgetRollover.ALL:
        return rollover, None
    if cap is None or cap <= ZERO:
        raise ValidationFailed({"RolloverCap": ["限额结转请填写大于 0 的结转上限"]})
    return rollover, yuan(cap)


def rollover_text(budget: Budget) -> str:
    """Return the rollover in words: 不结转, 全部结转, 限额结转（最多 500.00 元）."""
    words = str(budget.get_rollover_display())
    return (
        words if budget.rollover_cap is None else f"{words}（最多 {budget.rollover_cap:,.2f} 元）"
    )
