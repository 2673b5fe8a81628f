"""Statements in the back office."""

from apps.invoices.admin.statements import StatementAdmin

__all__ = ["StatementAdmin"]
