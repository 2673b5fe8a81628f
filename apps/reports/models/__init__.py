"""Facts, what those of an order add up to by day, and the views people keep of them."""

from apps.reports.models.fact import ReportFact
from apps.reports.models.order_day import ReportOrderDay
from apps.reports.models.view import SavedView

__all__ = ["ReportFact", "ReportOrderDay", "SavedView"]
