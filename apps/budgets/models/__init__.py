"""Budgets and the ledger behind each of their figures."""

from apps.budgets.models.budget import Budget, BudgetEntry, BudgetReservation, usage_state
from apps.budgets.models.transfer import BudgetTransfer

__all__ = ["Budget", "BudgetEntry", "BudgetReservation", "BudgetTransfer", "usage_state"]
