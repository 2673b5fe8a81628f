"""Back office: budgets with their ledger. Amounts change only through the services."""

from apps.budgets.admin import budgets

__all__ = ["budgets"]
