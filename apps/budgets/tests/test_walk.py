"""The sum of the ledger is the balance, whatever was done in whatever order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget, BudgetReservation
from apps.budgets.selectors.books import budget_differences
from apps.budgets.services.budget_allocate import budget_adjust
from apps.budgets.services.budget_moves import budget_consume, budget_refund, budget_release, budget_reserve
from apps.budgets.services.budget_transfer import budget_transfer
from apps.budgets.tests.factories import make_budget
from apps.org.models import Account, Enterprise

pytestmark = pytest.mark.django_db
MOVES = ("reserve", "release", "consume", "refund", "adjust", "transfer")
fen = st.integers(1, 60_000).map(lambda amount: Decimal(amount) / 100)
steps = st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 7), fen, st.booleans()), max_size=25)


def step(ga: Account, budgets: list[Budget], number: int, move: tuple[str, int, Decimal, bool]) -> None:
    """One move at a budget, or at one of its reservations; a refusal leaves everything as it was."""
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
            budget_transfer(actor=ga, source_id=budget.pk, target_id=other, amount=amount, reason="补足")
        case "release":
            budget_release(actor=ga, reservation=reservation, amount=None if turned else amount)
        case "consume":
            budget_consume(actor=ga, reservation=reservation, amount=amount)
        case "refund":
            budget_refund(actor=ga, reservation=reservation, amount=amount)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=steps)
def test_the_ledger_sums_to_the_balance_after_every_step(ga: Account, enterprise: Enterprise, moves: list[Any]) -> None:
    with transaction.atomic():
        budgets = [make_budget(enterprise=enterprise, policy=policy, name=policy) for policy in (BudgetPolicy.BLOCK, BudgetPolicy.WARN)]
        for number, move in enumerate(moves):
            try:
                with transaction.atomic():
                    step(ga, budgets, number, move)
            except BudgetExceeded:
                pass
            assert budget_differences() == []
            assert all(row.available >= 0 for row in Budget.objects.filter(policy=BudgetPolicy.BLOCK))
        transaction.set_rollback(True)
