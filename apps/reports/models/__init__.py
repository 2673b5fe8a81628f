"""Report facts, their daily sums per order, exports, saved views and subscriptions."""

from apps.reports.models.export_job import ExportJob
from apps.reports.models.fact import ReportFact, ReportOrderDay
from apps.reports.models.saved_view import (
    ReportLetter,
    ReportRecipient,
    ReportSend,
    ReportSubscription,
    SavedView,
)

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
