"""Helpers for exports: many facts of one order line, and the workbook of a job."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.core.files.storage import default_storage
from python_calamine import CalamineWorkbook

from apps.orders.models import Order
from apps.reports.models import ExportJob, ReportFact, ReportOrderDay
from apps.reports.selectors.facts import sum_days
from apps.reports.selectors.question import ReportQuestion
from apps.reports.services.exports import export_start


def create_facts(order: Order, count: int) -> Decimal:
    """Write `count` more facts of the order's first line, with amounts of 0.01, 0.02 … 元, and
    their daily sums. Return the total of the new amounts.
    """
    first = ReportFact.objects.filter(order=order, order_line__isnull=False).first()
    assert first is not None
    fields = {
        field.attname: getattr(first, field.attname)
        for field in ReportFact._meta.concrete_fields
        if field.attname != "id"
    }
    amounts = [Decimal(number) / 100 for number in range(1, count + 1)]
    rows = [
        ReportFact(
            **fields
            | {
                "source_id": 10_000_000 + number,
                "amount": amount,
                "tax_amount": Decimal("0.00"),
                "quantity": 1,
            }
        )
        for number, amount in enumerate(amounts)
    ]
    ReportFact.objects.bulk_create(rows, batch_size=2000)
    ReportOrderDay.objects.filter(order=order).delete()
    ReportOrderDay.objects.bulk_create(sum_days(ReportFact.objects.filter(order=order)))
    return sum(amounts, Decimal(0))


def start_export(actor: Any, report: str = "OrderDetail", **question: Any) -> ExportJob:
    return export_start(actor=actor, report=report, question=ReportQuestion(**question), sort="")


def read_rows(job: ExportJob) -> list[list[Any]]:
    """Return the rows of the job's only file: the header first, the totals last."""
    _, names = default_storage.listdir("exports")
    assert names == [f"{job.key}.xlsx"]
    with default_storage.open(f"exports/{job.key}.xlsx") as file:
        book = CalamineWorkbook.from_filelike(file)
        rows: list[list[Any]] = book.get_sheet_by_name(book.sheet_names[1]).to_python()
    return rows


def sum_amounts(rows: list[list[Any]]) -> Decimal:
    """Return the sum of the column 含税金额 without the row of totals."""
    at = rows[0].index("含税金额")
    return Decimal(sum(round(row[at] * 100) for row in rows[1:-1])) / 100
