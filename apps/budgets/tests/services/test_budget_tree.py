"""Budgets below other budgets: figures on every level, refusals with the name of the level, and
changes of the tree.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.budgets.selectors.budget_choice import get_usable_budgets
from apps.budgets.selectors.budget_list import Awaiting, get_awaiting_by_budget, sum_budgets
from apps.budgets.selectors.budget_tree import MAX_LEVELS
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_manage import BudgetChange, budget_change
from apps.budgets.services.budget_moves import budget_consume, budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.budgets.tests.moves import budget_refund, budget_release
from apps.common.errors import ValidationFailed
from apps.common.tenancy import tenant_scope
from apps.common.testing import assert_queries
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory

pytestmark = pytest.mark.django_db

D = Decimal


@pytest.fixture
def levels(enterprise: Enterprise) -> list[Budget]:
    """Three budgets, each below the next: 300.00, 500.00 and 1,000.00, all with policy block."""
    top = make_budget(enterprise=enterprise, name="企业年度", amount="1000.00")
    middle = make_budget(enterprise=enterprise, name="部门", amount="500.00", parent=top)
    low = make_budget(enterprise=enterprise, name="个人", amount="300.00", parent=middle)
    return [low, middle, top]


def list_used_amounts(*budgets: Budget) -> list[tuple[Decimal, Decimal]]:
    """Return (reserved, consumed) of each budget in the database."""
    rows = Budget.objects.in_bulk([budget.pk for budget in budgets])
    return [(rows[budget.pk].reserved, rows[budget.pk].consumed) for budget in budgets]


def move(ga: Account, budget: Budget, parent: Budget | None) -> Budget:
    change = BudgetChange(is_parent_changed=True, parent_id=parent.pk if parent else None)
    return budget_change(actor=ga, budget_id=budget.pk, change=change)


def test_lowest_budget_of_an_owner_is_the_default(buyer: Account, levels: list[Budget]) -> None:
    usable = get_usable_budgets(actor=buyer)

    assert usable.choices == levels
    assert usable.choose(None) == levels[0]


def test_budget_movement_counts_once_on_every_level(buyer: Account, levels: list[Budget]) -> None:
    reservation = budget_reserve(actor=buyer, budget=levels[0], amount=D("200.00"), reference="SO1")
    budget_consume(actor=buyer, reservation=reservation, amount=D("150.00"))
    budget_refund(actor=buyer, reservation=reservation, amount=D("30.00"))
    budget_release(actor=buyer, reservation=reservation, amount=D("20.00"))

    assert list_used_amounts(*levels) == [(D("30.00"), D("120.00"))] * 3
    assert reconcile_budgets() == []


def test_waiting_orders_count_in_parents_of_a_budget_outside_the_page(
    buyer: Account, levels: list[Budget], monkeypatch: pytest.MonkeyPatch
) -> None:
    low, _, top = levels
    budget_reserve(actor=buyer, budget=low, amount=D("200.00"), reference="SO1")
    waiting = BudgetReservation.objects.values("reference")
    monkeypatch.setattr("apps.budgets.selectors.budget_list.AWAITING_REFERENCES", [lambda: waiting])

    once = Awaiting(D("200.00"), 1)
    assert get_awaiting_by_budget([low, top]) == {low.pk: once, top.pk: once}
    assert get_awaiting_by_budget([top]) == {top.pk: once}


def test_the_ledger_of_a_parent_names_the_budget_below(
    buyer: Account, levels: list[Budget]
) -> None:
    budget_reserve(actor=buyer, budget=levels[0], amount=D("200.00"), reference="SO1")

    entries = BudgetEntry.objects.filter(reference="SO1").order_by("pk")
    assert [(row.budget_id, row.origin_id, row.amount) for row in entries] == [
        (levels[0].pk, None, D("200.00")),
        (levels[1].pk, levels[0].pk, D("200.00")),
        (levels[2].pk, levels[0].pk, D("200.00")),
    ]


def test_exceeded_blocking_parent_is_named_in_the_refusal_and_nothing_is_reserved(
    buyer: Account, levels: list[Budget]
) -> None:
    budget_reserve(actor=buyer, budget=levels[1], amount=D("450.00"), reference="SO1")

    with pytest.raises(BudgetExceeded, match=r"“个人”的上级预算“部门”可用 ¥50\.00，本单需要 ¥60"):
        budget_reserve(actor=buyer, budget=levels[0], amount=D("60.00"), reference="SO2")

    assert list_used_amounts(*levels) == [
        (D("0.00"), D("0.00")),
        (D("450.00"), D("0.00")),
        (D("450.00"), D("0.00")),
    ]


def test_a_parent_that_only_warns_may_be_overdrawn(buyer: Account, levels: list[Budget]) -> None:
    Budget.objects.exclude(pk=levels[0].pk).update(policy=BudgetPolicy.WARN, amount=D("100.00"))

    budget_reserve(actor=buyer, budget=levels[0], amount=D("250.00"), reference="SO1")

    assert [row.available for row in Budget.objects.order_by("-pk")] == [
        D("50.00"),
        D("-150.00"),
        D("-150.00"),
    ]


def test_a_reservation_in_a_tree_costs_four_queries(buyer: Account, levels: list[Budget]) -> None:
    # The lock of the path, the UPDATE of all levels, the reservation and the ledger.
    with assert_queries(4):
        budget_reserve(actor=buyer, budget=levels[0], amount=D("1.00"), reference="SO1")


def test_sums_never_add_parent_and_child(buyer: Account, levels: list[Budget]) -> None:
    assert buyer.enterprise
    make_budget(enterprise=buyer.enterprise, name="另外", amount="7.00")
    budget_reserve(actor=buyer, budget=levels[0], amount=D("200.00"), reference="SO1")

    whole = sum_budgets(Budget.objects.all())
    part = sum_budgets(Budget.objects.filter(name__in=["个人", "部门"]))

    assert (whole.count, whole.amount, whole.reserved) == (4, D("1007.00"), D("200.00"))
    assert (part.count, part.amount, part.reserved) == (2, D("500.00"), D("200.00"))


def test_a_budget_takes_its_use_to_the_new_parent(
    buyer: Account, ga: Account, levels: list[Budget]
) -> None:
    assert buyer.enterprise
    other = make_budget(enterprise=buyer.enterprise, name="乙部门", parent=levels[2])
    reservation = budget_reserve(actor=buyer, budget=levels[0], amount=D("90.00"), reference="SO1")
    budget_consume(actor=buyer, reservation=reservation, amount=D("40.00"))

    move(ga, levels[0], other)

    assert list_used_amounts(levels[0], levels[1], other, levels[2]) == [
        (D("50.00"), D("40.00")),
        (D("0.00"), D("0.00")),
        (D("50.00"), D("40.00")),
        (D("50.00"), D("40.00")),
    ]
    # The common parent has no new entries.
    assert BudgetEntry.objects.filter(budget=levels[2], note__contains="移").count() == 0
    assert reconcile_budgets() == []


def test_a_new_parent_without_room_refuses_with_its_name(
    buyer: Account, ga: Account, levels: list[Budget]
) -> None:
    assert buyer.enterprise
    small = make_budget(enterprise=buyer.enterprise, name="小", amount="10.00")
    budget_reserve(actor=buyer, budget=levels[0], amount=D("90.00"), reference="SO1")

    with pytest.raises(BudgetExceeded, match=r"“小”可用 ¥10\.00，不足以计入.*¥90\.00"):
        move(ga, levels[0], small)

    assert Budget.objects.get(pk=levels[0].pk).parent_id == levels[1].pk


def test_budget_cannot_be_its_own_parent_or_a_child_of_its_child(
    ga: Account, levels: list[Budget]
) -> None:
    for parent in levels:
        with pytest.raises(ValidationFailed, match="不能是本预算或其下级"):
            move(ga, levels[2], parent)


def test_parent_of_another_enterprise_or_group_is_refused(
    ga: Account, levels: list[Budget], platform: None
) -> None:
    beside = make_budget(enterprise=EnterpriseFactory(group=ga.group), name="外")
    foreign = make_budget(enterprise=EnterpriseFactory(), name="别家")

    with tenant_scope(group_id=ga.group_id):
        with pytest.raises(ValidationFailed, match="须属于同一企业"):
            move(ga, levels[0], beside)
        with pytest.raises(ValidationFailed, match="上级预算不存在"):
            move(ga, levels[0], foreign)


def test_parent_with_a_period_outside_the_childs_period_is_refused(
    ga: Account, levels: list[Budget]
) -> None:
    assert ga.enterprise
    year = make_budget(
        enterprise=ga.enterprise, name="2098", days=(date(2098, 1, 1), date(2098, 12, 31))
    )

    with pytest.raises(ValidationFailed, match="“2098”的周期（2098 年）未包含本预算的周期"):
        move(ga, levels[0], year)


def test_a_tree_has_at_most_eight_levels(ga: Account, levels: list[Budget]) -> None:
    assert ga.enterprise
    rows: list[Budget] = []
    for number in range(MAX_LEVELS - 1):
        above = rows[-1] if rows else None
        rows.append(make_budget(enterprise=ga.enterprise, name=f"级{number}", parent=above))

    with pytest.raises(ValidationFailed, match="最多 8 级"):
        move(ga, levels[1], rows[-1])
    assert move(ga, levels[1], rows[-2]).parent == rows[-2]
