"""Property test: the sum of the ledger equals the balance after any sequence of moves."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.budgets.enums import BudgetPolicy, BudgetRollover, EntryKind
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_carry import budgets_carry
from apps.budgets.services.budget_manage import BudgetChange, budget_adjust, budget_change
from apps.budgets.services.budget_moves import budget_consume, budget_reserve
from apps.budgets.services.budget_transfer import budget_transfer
from apps.budgets.tests.factories import make_budget
from apps.budgets.tests.moves import budget_refund, budget_release
from apps.common.errors import ValidationFailed
from apps.common.tenancy import platform_scope
from apps.common.testing import examples
from apps.org.models import Account, Enterprise

pytestmark = pytest.mark.django_db
MOVES = ("reserve", "release", "consume", "refund", "adjust", "transfer", "carry", "parent")
fen = st.integers(1, 60_000).map(lambda amount: Decimal(amount) / 100)
steps = st.lists(
    st.tuples(st.sampled_from(MOVES), st.integers(0, 7), fen, st.booleans()), max_size=25
)


def take_step(
    ga: Account, budgets: list[Budget], number: int, move: tuple[str, int, Decimal, bool]
) -> None:
    """Make one move on a budget or a reservation. A refusal must change nothing."""
    kind, which, amount, turned = move
    budget = Budget.objects.get(pk=budgets[which % len(budgets)].pk)
    held = list(BudgetReservation.objects.order_by("pk"))
    reservation = held[which % len(held)] if held else None
    match kind:
        case "reserve":
            budget_reserve(actor=ga, budget=budget, amount=amount, reference=f"SO{number}")
        case "adjust":
            budget_adjust(actor=ga, budget=budget, delta=-amount if turned else amount, note="调整")
        case "transfer":
            other = next(row.pk for row in budgets if row.pk != budget.pk)
            budget_transfer(
                actor=ga, source_id=budget.pk, target_id=other, amount=amount, reason="补足"
            )
        case "release":
            budget_release(actor=ga, reservation=reservation, amount=None if turned else amount)
        case "consume":
            budget_consume(actor=ga, reservation=reservation, amount=amount)
        case "refund":
            budget_refund(actor=ga, reservation=reservation, amount=amount)
        case "parent":
            above = next(row.pk for row in budgets if row.name == "whole")
            change = BudgetChange(is_parent_changed=True, parent_id=above if turned else None)
            budget_change(actor=ga, budget_id=budget.pk, change=change)
        case "carry":
            end_year(budget.period_to)


def end_year(day: date) -> None:
    """Run the rollover on the first day of the next year, then set the clock back."""
    following = datetime(day.year + 1, 1, 1, tzinfo=ZoneInfo("Asia/Shanghai"))
    with patch("django.utils.timezone.now", lambda: following), platform_scope(reason="test"):
        budgets_carry()


def open_budgets(enterprise: Enterprise) -> list[Budget]:
    """Two budgets of one owner with rollover: a blocking one with ALL, and a warning one with a
    cap of 100.00. Both are below a blocking one of 1,500.00.
    """
    year = {"enterprise": enterprise, "days": (date(2098, 1, 1), date(2098, 12, 31))}
    whole = make_budget(**year, name="whole", amount="1500.00")
    block = make_budget(
        **year, parent=whole, policy=BudgetPolicy.BLOCK, name="block", rollover=BudgetRollover.ALL
    )
    warn = make_budget(
        **year,
        parent=whole,
        policy=BudgetPolicy.WARN,
        name="warn",
        rollover=BudgetRollover.CAP,
        rollover_cap=Decimal("100.00"),
    )
    return [block, warn, whole]


def assert_carried_in_pairs() -> None:
    """Assert that each carried-out amount was carried into another budget."""
    rows = {
        row.pk: row
        for row in BudgetEntry.objects.filter(kind__in=(EntryKind.CARRY_OUT, EntryKind.CARRY_IN))
    }
    for row in rows.values():
        other = rows[row.counterpart_id]
        assert (other.counterpart_id, other.amount, other.kind != row.kind) == (
            row.pk,
            row.amount,
            True,
        )


@settings(max_examples=examples(30))
@given(moves=steps)
def test_the_ledger_sums_to_the_balance_after_every_step(
    ga: Account, enterprise: Enterprise, moves: list[Any]
) -> None:
    with transaction.atomic():
        budgets = open_budgets(enterprise)
        for number, move in enumerate(moves):
            try:
                with transaction.atomic():
                    take_step(ga, budgets, number, move)
            except (BudgetExceeded, ValidationFailed):
                # Rolled back, so the checks of the step before still hold.
                continue
            assert reconcile_budgets() == []
            assert all(
                row.available >= 0 for row in Budget.objects.filter(policy=BudgetPolicy.BLOCK)
            )
            assert_carried_in_pairs()
            budgets = list(Budget.objects.order_by("pk"))
        transaction.set_rollback(True)
