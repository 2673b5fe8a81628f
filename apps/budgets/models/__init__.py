"""Budgets and the ledger behind each of their figures."""

from apps.budgets.models.budget import Budget, BudgetEntry, BudgetReservation

__all__ = ["Budget", "BudgetEntry", "BudgetReservation"]
