"""Budgets and the ledger behind each of their figures."""

from apps.budgets.models.budget import Budget, BudgetEntry, BudgetReservation, usage_state

__all__ = ["Budget", "BudgetEntry", "BudgetReservation", "usage_state"]
