"""The back office of invoices and statements: forms that call the services."""

from apps.invoices.admin import (
    applications,
    bank_receipts,
    dashboard,
    invoices,
    red_letters,
    statements,
    titles,
)
from apps.office.first_page import WORK_PARTS

__all__ = [
    "applications",
    "bank_receipts",
    "dashboard",
    "invoices",
    "red_letters",
    "statements",
    "titles",
]

for part in (
    dashboard.build_applications_part,
    dashboard.build_failures_part,
    dashboard.build_red_part,
    dashboard.build_receipts_part,
    dashboard.build_disputes_part,
):
    WORK_PARTS.add(part)
