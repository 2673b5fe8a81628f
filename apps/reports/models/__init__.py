"""Facts, and what those of an order add up to by day."""

from apps.reports.models.fact import ReportFact
from apps.reports.models.order_day import ReportOrderDay

__all__ = ["ReportFact", "ReportOrderDay"]
