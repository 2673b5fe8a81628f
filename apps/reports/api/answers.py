"""Response serializers of the reports: totals, comparisons, charts and the page around the
rows.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer, MoneyField
from apps.reports.api import rows
from apps.reports.api.rows import PercentField
from apps.reports.enums import Basis, Preset, ReportName
from apps.reports.selectors.reports import Report


class ReportChangeSerializer(serializers.Serializer[Any]):
    """Amount of the comparison period, and the growth against it in percent."""

    From = serializers.DateField(source="window.since")
    To = serializers.DateField(source="window.until")
    Amount = MoneyField(source="amount")
    Change = PercentField(source="percent")


class ReportTrendPointSerializer(serializers.Serializer[Any]):
    """One day or month of the trend. LastYear is the same day or month one year earlier."""

    From = serializers.DateField(source="window.since")
    To = serializers.DateField(source="window.until")
    Amount = MoneyField(source="amount")
    LastYear = MoneyField(source="year_before")


class ReportSliceSerializer(serializers.Serializer[Any]):
    """A part of the total. Key is the filter value that selects this part."""

    Key = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")
    Amount = MoneyField(source="amount")


class ReportHeatCellSerializer(serializers.Serializer[Any]):
    """Amount of a department on a weekday. Key is the department's id. Weekday 1 is Monday."""

    Key = serializers.CharField(source="key")
    Weekday = serializers.IntegerField(source="weekday")
    Amount = MoneyField(source="amount")


class ReportChartsSerializer(serializers.Serializer[Any]):
    Share = ReportSliceSerializer(source="share", many=True)
    Top = ReportSliceSerializer(source="top", many=True)
    Departments = ReportSliceSerializer(source="departments", many=True)
    Heat = ReportHeatCellSerializer(source="heat", many=True)


class ReportTotalsSerializer(serializers.Serializer[Any]):
    """Totals of all rows, not only of the page."""

    Amount = MoneyField(source="summary.totals.amount")
    TaxAmount = MoneyField(source="summary.totals.tax")
    NetAmount = MoneyField(source="summary.totals.net")
    Quantity = serializers.IntegerField(source="summary.totals.quantity")
    Orders = serializers.IntegerField(source="orders")


class ReportHeadSerializer(AnswerSerializer):
    """A report without its rows. Charts is null if the request did not include charts."""

    Basis = serializers.ChoiceField(Basis.choices, source="question.basis")
    Period = serializers.ChoiceField(Preset.choices, source="question.preset")
    From = serializers.DateField(source="windows.window.since")
    To = serializers.DateField(source="windows.window.until")
    Totals = ReportTotalsSerializer(source="*")
    Previous = ReportChangeSerializer(source="summary.previous")
    LastYear = ReportChangeSerializer(source="summary.year_before")
    Trend = ReportTrendPointSerializer(source="summary.trend", many=True)
    Charts = ReportChartsSerializer(source="charts", allow_null=True)


ROWS: dict[str, type[serializers.Serializer[Any]]] = {
    ReportName.ORDER: rows.ReportOrderRowSerializer,
    ReportName.ORDER_DETAIL: rows.ReportDetailRowSerializer,
    ReportName.PRODUCT: rows.ReportProductRowSerializer,
    ReportName.DEPARTMENT: rows.ReportDepartmentRowSerializer,
    ReportName.PURCHASER: rows.ReportPurchaserRowSerializer,
}


def page_schema(name: str) -> Any:
    """Return the response schema of a report's page."""
    whole = {key: serializers.IntegerField() for key in ("Total", "PageIndex", "PageSize")}
    return inline_serializer(
        f"Report{name}Page",
        {**ReportHeadSerializer().get_fields(), "Items": ROWS[name](many=True), **whole},
    )


def page_answer(report: Report, *, index: int, size: int) -> dict[str, Any]:
    """Return the response body of a report."""
    items = ROWS[report.name](report.rows, many=True, context={"report": report}).data
    return {
        **ReportHeadSerializer.answer(report),
        "Items": items,
        "Total": report.total,
        "PageIndex": index,
        "PageSize": size,
    }
