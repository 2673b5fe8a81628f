"""The proof that the columns of each budget, and of each reservation, equal the sums of the ledger and of the transfers that wait."""

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


def budget_differences() -> list[Difference]:
    """Return every difference between the columns and the ledger; an empty list when the books are right."""
    return [*budget_columns(), *reservation_columns()]


def budget_columns() -> Iterator[Difference]:
    """Yield each budget's column that is not what its ledger says, or its waiting transfers, in 元."""
    for budgets in in_batches(Budget.objects.all()):
        moved: defaultdict[int, Moved] = defaultdict(lambda: defaultdict(lambda: ZERO))
        rows = BudgetEntry.objects.filter(budget__in=[budget.pk for budget in budgets]).order_by()
        for budget_id, kind, total in rows.values_list("budget_id", "kind").annotate(total=Sum("amount")):
            moved[budget_id][kind] = total
        waiting = BudgetTransfer.objects.filter(source__in=[budget.pk for budget in budgets], status=TransferStatus.WAITING).order_by()
        held = dict(waiting.values_list("source_id").annotate(total=Sum("amount")))
        for budget in budgets:
            yield from _differing(f"预算 {budget.pk}（{budget.name}）", budget, moved[budget.pk], held.get(budget.pk, ZERO))


def _differing(subject: str, budget: Budget, moved: Moved, held: Decimal) -> Iterator[Difference]:
    columns = {
        "额度": (
            budget.amount,
            moved[EntryKind.ALLOCATE] + moved[EntryKind.ADJUST] + moved[EntryKind.CARRY_IN] - moved[EntryKind.CARRY_OUT],
        ),
        "已预占": (budget.reserved, moved[EntryKind.RESERVE] - moved[EntryKind.RELEASE] - moved[EntryKind.CONSUME]),
        "已使用": (budget.consumed, moved[EntryKind.CONSUME] - moved[EntryKind.REFUND]),
        "调出待审": (budget.held, held),
    }
    for figure, (stored, ledger) in columns.items():
        if stored != ledger:
            yield Difference(subject, figure, stored, ledger)


# The ledger has no key of a reservation but the order's number: one join in the database, which answers what differs alone.
HELD = """
    SELECT held.reference, held.amount, held.consumed, COALESCE(SUM(CASE moved.kind WHEN 'reserve' THEN moved.amount
           WHEN 'release' THEN -moved.amount WHEN 'consume' THEN -moved.amount END), 0) AS reserved,
           COALESCE(SUM(CASE moved.kind WHEN 'consume' THEN moved.amount WHEN 'refund' THEN -moved.amount END), 0) AS used
    FROM budgets_budgetreservation held
    LEFT JOIN budgets_budgetentry moved ON moved.budget_id = held.budget_id AND moved.reference = held.reference
    GROUP BY held.id, held.reference, held.amount, held.consumed
    HAVING held.amount <> COALESCE(SUM(CASE moved.kind WHEN 'reserve' THEN moved.amount
           WHEN 'release' THEN -moved.amount WHEN 'consume' THEN -moved.amount END), 0)
        OR held.consumed <> COALESCE(SUM(CASE moved.kind WHEN 'consume' THEN moved.amount WHEN 'refund' THEN -moved.amount END), 0)
    ORDER BY held.id
"""


def reservation_columns() -> Iterator[Difference]:
    """Yield each order's reservation whose columns are not what the ledger says under its number, in 元; of all groups."""
    with connection.cursor() as cursor:
        cursor.execute(HELD)
        found = cursor.fetchall()
    for reference, *cents in found:
        amount, consumed, reserved, used = (yuan(Decimal(int(each)) / 100) for each in cents)
        if amount != reserved:
            yield Difference(f"预算预占 {reference}", "预占中", amount, reserved)
        if consumed != used:
            yield Difference(f"预算预占 {reference}", "已使用", consumed, used)
