"""The proof that the columns of each budget equal the sums of its ledger."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Sum

from apps.budgets.enums import EntryKind
from apps.budgets.models import Budget, BudgetEntry
from apps.common.money import ZERO


@dataclass(frozen=True, slots=True)
class BookDifference:
    """A budget whose column is not what its ledger says, in 元."""

    budget_id: int
    column: str
    stored: Decimal
    ledger: Decimal


def budget_differences() -> list[BookDifference]:
    """Return every difference between a budget's columns and its ledger; an empty list when the books are right."""
    sums: dict[int, dict[str, Decimal]] = {}
    for budget_id, kind, total in BudgetEntry.objects.order_by().values_list("budget_id", "kind").annotate(total=Sum("amount")):
        sums.setdefault(budget_id, {})[kind] = total
    found: list[BookDifference] = []
    for budget in Budget.objects.all():
        by_kind = sums.get(budget.pk, {})
        moved = {kind: by_kind.get(kind, ZERO) for kind in EntryKind.values}
        expected = {
            "amount": moved["allocate"] + moved["adjust"] + moved["carry_in"] - moved["carry_out"],
            "reserved": moved["reserve"] - moved["release"] - moved["consume"],
            "consumed": moved["consume"] - moved["refund"],
        }
        found += [
            BookDifference(budget.pk, column, getattr(budget, column), ledger)
            for column, ledger in expected.items()
            if getattr(budget, column) != ledger
        ]
    return found
