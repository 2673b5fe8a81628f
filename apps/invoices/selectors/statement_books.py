"""Reconciliation of statements: each figure equals the sum of its lines, and each opening
equals the previous closing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from django.db.models import Sum

from apps.common.books import Difference, in_batches
from apps.common.money import ZERO
from apps.invoices.models import Statement, StatementLine, StatementProgress
from apps.invoices.selectors.statement_facts import Window, facts_untold
from apps.invoices.statement_enums import FIGURE_KINDS, StatementFigure
from apps.org.models import Enterprise

# A transaction that is open during a run is covered by the next run, so recent rows are not
# checked.
UNSURE = timedelta(hours=2)


def statement_differences() -> Iterator[Difference]:
    """Yield each figure that differs from its lines, each opening that differs from the
    previous closing, and each fact without a line.
    """
    for enterprises in in_batches(Enterprise.objects.only("pk"), size=200):
        rows = list(
            Statement.objects.filter(enterprise__in=[row.pk for row in enterprises]).order_by(
                "enterprise_id", "month"
            )
        )
        sums: defaultdict[int, dict[str, Decimal]] = defaultdict(dict)
        lines = StatementLine.objects.filter(statement__in=rows).order_by()
        for statement_id, kind, total in lines.values_list("statement_id", "kind").annotate(
            total=Sum("amount")
        ):
            sums[statement_id][kind] = total
        closing: dict[int, Decimal] = {}
        for row in rows:
            opening = closing.get(row.enterprise_id, ZERO)
            closing[row.enterprise_id] = row.closing
            yield from _of(row, opening, sums[row.pk])
    yield from _untold()


def _untold() -> Iterator[Difference]:
    """Yield the facts that existed at the last run but are in no statement."""
    progress = StatementProgress.objects.filter(told_until__isnull=False).order_by("pk")
    for enterprise_id, told_until in progress.values_list("enterprise_id", "told_until"):
        for fact in facts_untold(
            Window(enterprise_id, before=told_until, until=told_until - UNSURE)
        ):
            yield Difference(
                f"企业 {enterprise_id} 的{fact.kind.label} {fact.reference}",
                "对账明细",
                "未记入",
                fact.amount,
            )


def _of(row: Statement, opening: Decimal, sums: dict[str, Decimal]) -> Iterator[Difference]:
    subject = f"对账单 {row.statement_no}"
    if row.opening != opening:
        yield Difference(subject, "期初应付", row.opening, opening)
    for figure, kinds in FIGURE_KINDS.items():
        total = sum((sums.get(kind, ZERO) for kind in kinds), ZERO)
        if getattr(row, figure) != total:
            yield Difference(
                subject, str(StatementFigure(figure).label), getattr(row, figure), total
            )
