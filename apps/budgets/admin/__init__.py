"""预算 in the back office: four figures and the ledger behind them; money moves by the services alone."""

from apps.budgets.admin import budgets

__all__ = ["budgets"]
