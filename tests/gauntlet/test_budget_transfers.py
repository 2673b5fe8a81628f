"""Parallel transfers, reservations and changes of budgets, with real processes: no cent is
created, lost or used twice.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest
from django.db.models import Sum
from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPeriod, BudgetPolicy
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_manage import BudgetChange, BudgetForm, budget_change, budget_open
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.services.budget_transfer import (
    budget_transfer,
    transfer_approve,
    transfer_reject,
    transfer_withdraw,
)
from apps.budgets.tests.factories import make_budget, make_transfer
from apps.org.enums import AccountType
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pair(ga: Account) -> tuple[Budget, Budget]:
    """Two budgets of 1,000.00 with policy block."""
    return make_budget(enterprise=ga.enterprise, name="甲"), make_budget(
        enterprise=ga.enterprise, name="乙"
    )


def test_transfers_both_ways_leave_the_sum_and_do_not_wait_for_each_other(
    ga: Account, pair: tuple[Budget, Budget]
) -> None:
    one, other = pair
    there = partial(
        budget_transfer,
        actor=ga,
        source_id=one.pk,
        target_id=other.pk,
        amount=Decimal("30.00"),
        reason="补足",
    )
    back = partial(
        budget_transfer,
        actor=ga,
        source_id=other.pk,
        target_id=one.pk,
        amount=Decimal("20.00"),
        reason="退回",
    )

    outcomes = run_race([there, back] * 20)

    assert all(outcome.ok for outcome in outcomes)
    assert list(Budget.objects.order_by("pk").values_list("amount", flat=True)) == [
        Decimal("800.00"),
        Decimal("1200.00"),
    ]
    assert reconcile_budgets() == []


def test_transfer_never_takes_amounts_reserved_by_orders(
    ga: Account, pair: tuple[Budget, Budget]
) -> None:
    one, other = pair
    hold = [
        partial(budget_reserve, actor=ga, budget=one, amount=Decimal("100.00"), reference=f"SO{n}")
        for n in range(10)
    ]
    move = partial(
        budget_transfer,
        actor=ga,
        source_id=one.pk,
        target_id=other.pk,
        amount=Decimal("100.00"),
        reason="补足",
    )

    outcomes = run_race([work for held in hold for work in (held, move)])

    one.refresh_from_db()
    assert sum(outcome.ok for outcome in outcomes) == 10
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"budget_exceeded"}
    assert (one.available, one.amount + Decimal(Budget.objects.get(pk=other.pk).amount)) == (
        Decimal("0.00"),
        Decimal("2000.00"),
    )
    assert Budget.objects.aggregate(held=Sum("reserved"))["held"] == one.reserved
    assert reconcile_budgets() == []


def test_a_transfer_is_decided_once_however_many_decide_at_once(ga: Account) -> None:
    second, third = (
        AccountFactory(department=ga.department, username=name, kind=AccountType.GROUP_ADMIN)
        for name in ("b", "c")
    )
    transfer = make_transfer(requester=ga, enterprise=ga.enterprise)
    agree = [
        partial(transfer_approve, actor=actor, transfer_id=transfer.pk) for actor in (second, third)
    ]
    others = [
        partial(transfer_reject, actor=third, transfer_id=transfer.pk, reason="不必"),
        partial(transfer_withdraw, actor=ga, transfer_id=transfer.pk),
    ]

    outcomes = run_race([*agree, *others] * 5)

    transfer.refresh_from_db()
    moved = Decimal("100.00") if transfer.status == "approved" else Decimal("0.00")
    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_state"}
    assert list(Budget.objects.order_by("pk").values_list("amount", "held")) == [
        (Decimal("1000.00") - moved, Decimal("0.00")),
        (Decimal("1000.00") + moved, Decimal("0.00")),
    ]
    assert BudgetEntry.objects.filter(kind="adjust").count() == (2 if moved else 0)
    assert reconcile_budgets() == []


def test_concurrent_renames_and_new_budgets_leave_one_budget_with_the_name(ga: Account) -> None:
    today = timezone.localdate()
    year = (today.replace(month=1, day=1), today.replace(month=12, day=31))
    pair = [make_budget(enterprise=ga.enterprise, name=name, days=year) for name in "甲乙"]
    owner, period = (BudgetOwner.ENTERPRISE, ga.enterprise_id or 0), (BudgetPeriod.YEAR, today)
    opened = partial(
        budget_open,
        actor=ga,
        form=BudgetForm("丙", *owner, *period, Decimal("1.00"), BudgetPolicy.WARN),
    )
    renamed = [
        partial(budget_change, actor=ga, budget_id=row.pk, change=BudgetChange(name="丙"))
        for row in pair
    ]

    outcomes = run_race([*renamed, opened] * 4)

    # Whoever was renamed first may be "renamed" to the same name again; nobody else gets it.
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"validation"}
    assert Budget.objects.filter(name="丙").count() == 1
