"""The effect of moves on the columns and the ledger."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_manage import budget_adjust
from apps.budgets.services.budget_moves import budget_consume, budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.budgets.tests.moves import budget_refund, budget_release
from apps.org.models import Account, Enterprise

pytestmark = pytest.mark.django_db


def reload(budget: Budget) -> Budget:
    return Budget.objects.get(pk=budget.pk)


def test_reservation_reduces_the_available_amount(buyer: Account, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)

    budget_reserve(actor=buyer, budget=budget, amount=Decimal("300.50"), reference="SO1")

    assert reload(budget).available == Decimal("699.50")


def test_blocking_budget_refuses_one_fen_too_much_and_writes_nothing(
    buyer: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)

    with pytest.raises(BudgetExceeded, match=r"可用 ¥1,000\.00，本单需要 ¥1,000\.01"):
        budget_reserve(actor=buyer, budget=budget, amount=Decimal("1000.01"), reference="SO1")

    assert (reload(budget).reserved, BudgetEntry.objects.filter(kind="reserve").count()) == (
        Decimal("0.00"),
        0,
    )


def test_a_warning_budget_may_be_overdrawn(buyer: Account, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise, policy=BudgetPolicy.WARN)

    budget_reserve(actor=buyer, budget=budget, amount=Decimal("1200.00"), reference="SO1")

    assert reload(budget).available == Decimal("-200.00")


def test_repeated_release_returns_the_amount_once(buyer: Account, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)
    reservation = budget_reserve(
        actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1"
    )

    budget_release(actor=buyer, reservation=reservation)
    budget_release(actor=buyer, reservation=reservation)

    assert reload(budget).available == Decimal("1000.00")
    assert BudgetEntry.objects.filter(kind="release").count() == 1


def test_consuming_moves_from_reserved_to_consumed_and_never_more_than_reserved(
    buyer: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    reservation = budget_reserve(
        actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1"
    )

    budget_consume(actor=buyer, reservation=reservation, amount=Decimal("500.00"))

    assert (reload(budget).reserved, reload(budget).consumed) == (
        Decimal("0.00"),
        Decimal("300.00"),
    )


def test_refund_above_the_consumed_amount_is_capped(buyer: Account, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)
    reservation = budget_reserve(
        actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1"
    )
    budget_consume(actor=buyer, reservation=reservation, amount=Decimal("100.00"))

    budget_refund(actor=buyer, reservation=reservation, amount=Decimal("250.00"))

    assert (reload(budget).reserved, reload(budget).consumed) == (
        Decimal("200.00"),
        Decimal("0.00"),
    )


def test_budget_reduction_below_the_reserved_amount_is_refused(
    buyer: Account, ga: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1")

    with pytest.raises(BudgetExceeded, match="低于已预占与已使用之和"):
        budget_adjust(actor=ga, budget=budget, delta=Decimal("-700.01"), note="收紧")

    assert reload(budget).amount == Decimal("1000.00")


def test_the_database_itself_refuses_an_overdrawn_blocking_budget(enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)

    with pytest.raises(IntegrityError), transaction.atomic():
        Budget.objects.filter(pk=budget.pk).update(reserved=Decimal("1000.01"))


def test_the_books_agree_after_every_kind_of_move(
    buyer: Account, ga: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    reservation = budget_reserve(
        actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1"
    )
    budget_consume(actor=buyer, reservation=reservation, amount=Decimal("120.00"))
    budget_refund(actor=buyer, reservation=reservation, amount=Decimal("20.00"))
    budget_release(actor=buyer, reservation=reservation)
    budget_adjust(actor=ga, budget=budget, delta=Decimal("50.00"), note="追加")

    assert reconcile_budgets() == []


def test_reconciliation_reports_a_column_changed_without_a_ledger_entry(
    enterprise: Enterprise,
) -> None:
    budget = make_budget(enterprise=enterprise)
    Budget.objects.filter(pk=budget.pk).update(consumed=Decimal("1.00"))

    assert [(row.figure, row.stored, row.facts) for row in reconcile_budgets()] == [
        ("已使用", Decimal("1.00"), Decimal("0.00")),
        ("已使用（含下级）", Decimal("1.00"), Decimal("0.00")),
    ]
