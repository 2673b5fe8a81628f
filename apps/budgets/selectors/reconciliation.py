"""Reconciliation: compare the columns of budgets and reservations with the ledger and the
waiting transfers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from django.db import connection
from django.db.models import Sum

from apps.budgets.enums import EntryKind, TransferStatus
from apps.budgets.models import Budget, BudgetEntry, BudgetTransfer
from apps.common.books import Difference, in_batches
from apps.common.money import ZERO, yuan

Moved = defaultdict[str, Decimal]


def reconcile_budgets() -> list[Difference]:
    """Return all differences between the columns and the ledger; empty if there are none."""
    return [*reconcile_budget_columns(), *reconcile_reservations()]


def reconcile_budget_columns() -> Iterator[Difference]:
    """Yield the budget columns that differ from the ledger or the waiting transfers, in 元."""
    for budgets in in_batches(Budget.objects.all()):
        moved: defaultdict[int, Moved] = defaultdict(lambda: defaultdict(lambda: ZERO))
        rows = BudgetEntry.objects.filter(budget__in=[budget.pk for budget in budgets]).order_by()
        for budget_id, kind, total in rows.values_list("budget_id", "kind").annotate(
            total=Sum("amount")
        ):
            moved[budget_id][kind] = total
        waiting = BudgetTransfer.objects.filter(
            source__in=[budget.pk for budget in budgets], status=TransferStatus.WAITING
        ).order_by()
        held = dict(waiting.values_list("source_id").annotate(total=Sum("amount")))
        for budget in budgets:
            yield from _compare_columns(
                f"预算 {budget.pk}（{budget.name}）",
                budget,
                moved[budget.pk],
                held.get(budget.pk, ZERO),
            )


def _compare_columns(
    subject: str, budget: Budget, moved: Moved, held: Decimal
) -> Iterator[Difference]:
    columns = {
        "额度": (
            budget.amount,
            moved[EntryKind.ALLOCATE]
            + moved[EntryKind.ADJUST]
            + moved[EntryKind.CARRY_IN]
            - moved[EntryKind.CARRY_OUT],
        ),
        "已预占": (
            budget.reserved,
            moved[EntryKind.RESERVE] - moved[EntryKind.RELEASE] - moved[EntryKind.CONSUME],
        ),
        "已使用": (budget.consumed, moved[EntryKind.CONSUME] - moved[EntryKind.REFUND]),
        "调出待审": (budget.held, held),
    }
    for figure, (stored, ledger) in columns.items():
        if stored != ledger:
            yield Difference(subject, figure, stored, ledger)


# Ledger entries reference a reservation only by the order number. The database joins them and
# returns only the differences.
DIFFERING_RESERVATIONS = """
    SELECT reference, amount, consumed, reserved, used
    FROM (
        SELECT held.id, held.reference, held.amount, held.consumed,
               COALESCE(SUM(CASE moved.kind WHEN 'reserve' THEN moved.amount
                                            WHEN 'release' THEN -moved.amount
                                            WHEN 'consume' THEN -moved.amount END), 0) AS reserved,
               COALESCE(SUM(CASE moved.kind WHEN 'consume' THEN moved.amount
                                            WHEN 'refund' THEN -moved.amount END), 0) AS used
        FROM budgets_budgetreservation held
        LEFT JOIN budgets_budgetentry moved
            ON moved.budget_id = held.budget_id AND moved.reference = held.reference
        GROUP BY held.id, held.reference, held.amount, held.consumed
    ) compared
    WHERE amount <> reserved OR consumed <> used
    ORDER BY id
"""


def reconcile_reservations() -> Iterator[Difference]:
    """Yield the reservations of all groups whose columns differ from the ledger, in 元."""
    with connection.cursor() as cursor:
        cursor.execute(DIFFERING_RESERVATIONS)
        found = cursor.fetchall()
    for reference, *cents in found:
        amount, consumed, reserved, used = (yuan(Decimal(int(each)) / 100) for each in cents)
        if amount != reserved:
            yield Difference(f"预算预占 {reference}", "预占中", amount, reserved)
        if consumed != used:
            yield Difference(f"预算预占 {reference}", "已使用", consumed, used)
