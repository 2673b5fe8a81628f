"""Budgets of a department that is merged into another: the rows change their owner, amounts and ledger stay to the cent."""

from __future__ import annotations

from django.utils import timezone

from apps.budgets.models import Budget
from apps.org.models import Account, Department


def budgets_held(department: Department) -> int:
    """Return how many budgets of the department have not ended yet."""
    return int(Budget.objects.filter(department=department, period_to__gte=timezone.localdate()).count())


def budgets_hand_over(_actor: Account, source: Department, target: Department) -> int:
    """Give all budgets of `source`, past ones too, to `target`; return how many."""
    return int(Budget.objects.filter(department=source).update(department=target))
