"""The measurements of bench_budgets. Runs in its own process on its own database; prints JSON."""

from __future__ import annotations

from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING

from bench.in_process import print_measure
from bench.orders_measure import measure_p50
from bench.scale import size

if TYPE_CHECKING:
    from apps.budgets.models import Budget
    from apps.org.models import Account

NODES = size(2_000, 20, "BENCH_BUDGETS")
# The children of each budget: with 2,000 budgets the tree has seven levels.
WIDTH = 3
RUNS = size(15, 2)


def grow(account: Account) -> list[Budget]:
    """Return a tree of NODES budgets, the topmost first. The topmost belongs to the enterprise, the
    last three to the account, the others to another department.
    """
    from apps.budgets.tests.factories import make_budget
    from apps.org.models import Enterprise
    from apps.org.tests.factories import DepartmentFactory

    enterprise = Enterprise.objects.get(pk=account.enterprise_id)
    beside = DepartmentFactory(enterprise=enterprise, code="BESIDE")
    rows: list[Budget] = []
    for number in range(NODES):
        parent = rows[(number - 1) // WIDTH] if rows else None
        is_own = number >= NODES - 3
        rows.append(
            make_budget(
                enterprise=enterprise,
                department=beside if rows and not is_own else None,
                account=account if is_own else None,
                name=f"预算 {number}",
                amount="1000000.00",
                parent=parent,
            )
        )
    return rows


def measure() -> dict[str, float]:
    """Return the times over the tree in ms, by name, and the number of differences."""
    from django.db import connection, transaction

    from apps.budgets.models import Budget
    from apps.budgets.selectors.budget_choice import get_usable_budgets
    from apps.budgets.selectors.budget_list import get_awaiting_by_budget, sum_budgets
    from apps.budgets.selectors.budgets import reconcile_tree
    from apps.budgets.services.budget_moves import budget_reserve
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.org.tests.factories import AccountFactory, DepartmentFactory

    with platform_scope(reason="bench"):
        account = AccountFactory(department=DepartmentFactory(code="TOP"))
        with tenant_scope(group_id=account.group_id), transaction.atomic():
            rows = grow(account)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    numbers = count()
    with tenant_scope(group_id=account.group_id):
        result = {
            "sums without parent and child": measure_p50(
                lambda: sum_budgets(Budget.objects.all()), rounds=RUNS
            ),
            "the budgets of an order with all parents": measure_p50(
                lambda: get_usable_budgets(actor=account), rounds=RUNS
            ),
            "a reservation on the lowest level": measure_p50(
                lambda: budget_reserve(
                    actor=account,
                    budget=rows[-1],
                    amount=Decimal("1.00"),
                    reference=f"SO{next(numbers)}",
                ),
                rounds=RUNS,
            ),
            "the part in approval of twenty rows": measure_p50(
                lambda: get_awaiting_by_budget(rows[:20]), rounds=RUNS
            ),
        }
    with platform_scope(reason="bench"):
        result["check of the tree"] = measure_p50(lambda: list(reconcile_tree()), rounds=RUNS)
        result["differences"] = sum(1 for _ in reconcile_tree())
    return result


if __name__ == "__main__":
    print_measure(measure)
