"""The back office of invoices and statements: forms that call the services."""

from apps.invoices.admin import applications, invoices, qualifications, red
from apps.invoices.admin.statements import StatementAdmin

__all__ = ["StatementAdmin", "applications", "invoices", "qualifications", "red"]
