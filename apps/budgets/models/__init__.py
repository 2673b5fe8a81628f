"""Budgets, their ledger, and transfers."""

from apps.budgets.models.budget import (
    Budget,
    BudgetEntry,
    BudgetReservation,
    BudgetTransfer,
    usage_state,
)

__all__ = ["Budget", "BudgetEntry", "BudgetReservation", "BudgetTransfer", "usage_state"]
