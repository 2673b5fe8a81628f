"""Facts."""

from apps.reports.models.fact import ReportFact

__all__ = ["ReportFact"]
