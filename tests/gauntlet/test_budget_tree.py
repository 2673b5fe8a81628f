"""Budgets below one parent under concurrent orders, with real processes: no level is overdrawn, and
no change of the tree loses or repeats a use.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import partial

import pytest
from django.db.models import Sum

from apps.budgets.models import Budget, BudgetReservation
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_manage import BudgetChange, budget_change
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.budgets.tests.moves import budget_release
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import PaymentKind
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def order_on(budget: Budget, actor: Account, item_id: int) -> str:
    """Order one cart line on the budget and return the number of the order. Not on account, so
    that only the budgets are locked.
    """
    form = CheckoutForm(
        lines=(SeenLine(item_id),), budget_id=budget.pk, payment_kind=PaymentKind.TRANSFER
    )
    return order_submit(actor=actor, form=form).order_no


@pytest.fixture
def tree(ga: Account) -> tuple[Budget, Budget, Budget]:
    """A parent of 1,000.00 above two budgets of 600.00 each; all with policy block."""
    whole = make_budget(enterprise=ga.enterprise, name="总", amount="1000.00")
    one, other = (
        make_budget(enterprise=ga.enterprise, name=name, amount="600.00", parent=whole)
        for name in "甲乙"
    )
    return whole, one, other


def test_orders_at_once_overdraw_neither_the_budgets_nor_their_parent(
    ga: Account, tree: tuple[Budget, Budget, Budget]
) -> None:
    works = [
        partial(budget_reserve, actor=ga, budget=row, amount=Decimal("50.00"), reference=f"{n}")
        for n in range(60)
        for row in [tree[1 + n % 2]]
    ]

    outcomes = run_race(works)

    # Each budget takes 12 orders alone; the parent takes 20 of both together.
    assert Counter(outcome.code for outcome in outcomes) == {"": 20, "budget_exceeded": 40}
    whole, *lower = Budget.objects.order_by("pk")
    assert (whole.available, sum(row.reserved for row in lower)) == (0, Decimal("1000.00"))
    assert any("上级预算“总”" in outcome.text for outcome in outcomes)
    assert reconcile_budgets() == []


def test_orders_at_once_use_the_rest_of_a_parent_without_approval_once(shopper: Account) -> None:
    """The budgets below block at 30.00 each. Their parent has 15.00 and asks for approval."""
    assert shopper.enterprise
    enterprise, product = shopper.enterprise, ProductFactory(stock=100)
    whole = make_budget(enterprise=enterprise, amount="15.00", policy="approve")
    lower = [
        make_budget(enterprise=enterprise, name=name, amount="30.00", parent=whole)
        for name in "甲乙"
    ]
    roles = list(shopper.roles.all())
    works = [
        partial(order_on, budget, person, fill_cart(person, (product, 1))[0].pk)
        for budget in lower
        for person in AccountFactory.create_batch(6, department=shopper.department, roles=roles)
    ]

    outcomes = run_race(works, processes=len(works))

    assert Counter(outcome.code for outcome in outcomes) == {"": 6, "budget_exceeded": 6}
    assert Counter(Order.objects.values_list("status", flat=True)) == {
        "pending_confirm": 1,
        "pending_approval": 5,
    }
    assert [row.available for row in Budget.objects.filter(parent=whole)] == [0, 0]
    assert Budget.objects.get(pk=whole.pk).reserved == Decimal("60.00")
    assert_books_balance()


def test_a_budget_that_changes_its_parent_meanwhile_counts_once(
    ga: Account, tree: tuple[Budget, Budget, Budget]
) -> None:
    whole, one, _ = tree
    second = make_budget(enterprise=ga.enterprise, name="总二", amount="1000.00")
    early = [
        budget_reserve(actor=ga, budget=one, amount=Decimal("10.00"), reference=f"EARLY{n}")
        for n in range(10)
    ]
    moves = [
        partial(
            budget_change,
            actor=ga,
            budget_id=one.pk,
            change=BudgetChange(is_parent_changed=True, parent_id=parent),
        )
        for parent in (second.pk, None, whole.pk) * 4
    ]
    orders = [
        partial(budget_reserve, actor=ga, budget=one, amount=Decimal("10.00"), reference=f"LATE{n}")
        for n in range(12)
    ]
    freed = [partial(budget_release, actor=ga, reservation=row) for row in early]

    outcomes = run_race([*moves, *orders, *freed])

    assert {outcome.code for outcome in outcomes} <= {"", "stale"}
    assert BudgetReservation.objects.aggregate(held=Sum("amount"))["held"] == (
        Budget.objects.get(pk=one.pk).reserved
    )
    assert reconcile_budgets() == []


def test_two_budgets_put_under_each_other_at_once_form_no_cycle(ga: Account) -> None:
    one, other = (make_budget(enterprise=ga.enterprise, name=name) for name in "甲乙")
    changes = [
        partial(
            budget_change,
            actor=ga,
            budget_id=row.pk,
            change=BudgetChange(is_parent_changed=True, parent_id=parent.pk),
        )
        for row, parent in ((one, other), (other, one))
    ]

    outcomes = run_race(changes * 5)

    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"validation"}
    assert Budget.objects.filter(parent__isnull=False).count() == 1
    assert reconcile_budgets() == []
