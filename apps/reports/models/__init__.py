"""Report facts, their daily sums per order, exports, saved views and subscriptions."""

from apps.reports.models.export_job import ExportJob
from apps.reports.models.fact import ReportFact
from apps.reports.models.order_day import ReportOrderDay
from apps.reports.models.subscription import (
    ReportLetter,
    ReportRecipient,
    ReportSend,
    ReportSubscription,
)
from apps.reports.models.view import SavedView

__all__ = [
    "ExportJob",
    "ReportFact",
    "ReportLetter",
    "ReportOrderDay",
    "ReportRecipient",
    "ReportSend",
    "ReportSubscription",
    "SavedView",
]
