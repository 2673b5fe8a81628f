"""Rollover: the remaining amount moves into the next period once, as two linked entries."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest

from apps.budgets.enums import BudgetPeriod, BudgetPolicy, BudgetRollover, EntryKind
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.periods import get_period_around
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_carry import budget_carry, budgets_carry
from apps.budgets.services.budget_manage import budget_adjust
from apps.budgets.services.budget_moves import budget_consume, budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.budgets.tests.moves import budget_refund, budget_release
from apps.common.background.periodic import list_periodic_jobs
from apps.common.tenancy import platform_scope
from apps.org.models import Account, Department, Enterprise

pytestmark = pytest.mark.django_db
SHANGHAI, UTC = ZoneInfo("Asia/Shanghai"), ZoneInfo("UTC")
YEAR, QUARTER, MONTH = BudgetPeriod.YEAR, BudgetPeriod.QUARTER, BudgetPeriod.MONTH


@contextmanager
def clock(*at: int, zone: ZoneInfo = SHANGHAI) -> Generator[None]:
    moment = datetime(*at, tzinfo=zone)
    with patch("django.utils.timezone.now", lambda: moment):
        yield


def carry() -> int:
    with platform_scope(reason="test"):
        return budgets_carry()


Make = Callable[..., Budget]


@pytest.fixture
def make(enterprise: Enterprise) -> Make:
    """Create a budget for the period around a day; by default 1,000.00 with rollover ALL."""

    def made(
        day: date, *, period: str = MONTH, rollover: str = BudgetRollover.ALL, **more: Any
    ) -> Budget:
        return make_budget(
            enterprise=enterprise,
            period=period,
            days=get_period_around(period=period, day=day),
            rollover=rollover,
            **more,
        )

    return made


def test_budget_is_carried_over_once(make: Make) -> None:
    with clock(2028, 2, 10):
        budget = make(date(2028, 2, 10))

    with clock(2028, 3, 1), platform_scope(reason="test"):
        answers = [budget_carry(budget_id=budget.pk, group_id=budget.group_id) for _ in range(2)]

    assert answers == [True, False]


def list_figures() -> list[tuple[str, Decimal]]:
    return [
        (f"{row.period_from} {row.period_to}", row.amount)
        for row in Budget.objects.order_by("period_from", "pk")
    ]


@pytest.mark.parametrize(
    ("period", "day", "end", "following"),
    [
        (MONTH, date(2028, 2, 10), (2028, 3, 1), "2028-03-01 2028-03-31"),
        (MONTH, date(2027, 2, 10), (2027, 3, 1), "2027-03-01 2027-03-31"),
        (MONTH, date(2027, 12, 31), (2028, 1, 1), "2028-01-01 2028-01-31"),
        (MONTH, date(2028, 1, 31), (2028, 2, 1), "2028-02-01 2028-02-29"),
        (QUARTER, date(2027, 12, 1), (2028, 1, 1), "2028-01-01 2028-03-31"),
        (YEAR, date(2027, 6, 1), (2028, 1, 1), "2028-01-01 2028-12-31"),
    ],
)
def test_carry_over_opens_the_following_period(
    make: Make, period: str, day: date, end: tuple[int, ...], following: str
) -> None:
    make(day, period=period)

    with clock(*end):
        assert carry() == 1

    assert list_figures()[1] == (following, Decimal("1000.00"))
    assert list_figures()[0][1] == Decimal("0.00")
    assert reconcile_budgets() == []


def test_carry_over_waits_until_the_end_of_february_29(make: Make) -> None:
    make(date(2028, 2, 1))

    with clock(2028, 2, 29, 23, 59, 59):
        assert carry() == 0


def test_budget_period_ends_at_midnight_in_shanghai_for_any_server_zone(make: Make) -> None:
    make(date(2026, 12, 1), period=YEAR)

    with clock(2026, 12, 31, 15, 59, 59, zone=UTC):
        assert carry() == 0
    with clock(2026, 12, 31, 16, 0, 0, zone=UTC):
        assert carry() == 1


def test_carry_over_creates_a_missing_parent_budget_of_zero(make: Make) -> None:
    top = make(date(2027, 12, 1), period=YEAR, rollover=BudgetRollover.NONE, name="企业年度")
    make(date(2027, 12, 1), name="部门", parent=top)

    with clock(2028, 1, 1):
        assert carry() == 1

    child = Budget.objects.get(name="部门", period_from=date(2028, 1, 1))
    assert child.amount == Decimal("1000.00")
    assert child.parent is not None
    assert (child.parent.name, child.parent.period_from) == ("企业年度", date(2028, 1, 1))
    assert (child.parent.amount, child.parent.policy) == (Decimal("0.00"), top.policy)
    assert reconcile_budgets() == []


def test_carry_over_writes_linked_entries_in_both_ledgers(make: Make) -> None:
    old = make(date(2026, 11, 1), name="差旅")
    with clock(2026, 12, 1):
        carry()

    gone, come = BudgetEntry.objects.filter(
        kind__in=(EntryKind.CARRY_OUT, EntryKind.CARRY_IN)
    ).order_by("pk")
    assert (gone.budget_id, gone.amount, gone.note) == (
        old.pk,
        Decimal("1000.00"),
        "结转至“差旅”（2026 年 12 月）",
    )
    assert (come.kind, come.amount, come.note, come.actor) == (
        "carry_in",
        Decimal("1000.00"),
        "自“差旅”（2026 年 11 月）结转",
        None,
    )
    assert (gone.counterpart, come.counterpart) == (come, gone)


def test_carry_over_adds_to_an_existing_budget_of_the_next_period(make: Make) -> None:
    make(date(2026, 11, 1))
    make(date(2026, 12, 1), amount="300.00", rollover=BudgetRollover.NONE)

    with clock(2026, 12, 1):
        carry()

    assert list_figures() == [
        ("2026-11-01 2026-11-30", Decimal("0.00")),
        ("2026-12-01 2026-12-31", Decimal("1300.00")),
    ]


def test_a_renamed_only_successor_is_found_a_choice_of_two_is_not_guessed(make: Make) -> None:
    make(date(2026, 11, 1), name="十一月")
    make(date(2026, 12, 1), name="十二月", amount="300.00", rollover=BudgetRollover.NONE)
    with clock(2026, 12, 1):
        carry()
    assert list_figures()[1:] == [("2026-12-01 2026-12-31", Decimal("1300.00"))]

    make(date(2027, 3, 1), name="甲")
    make(date(2027, 4, 1), name="乙", amount="1.00", rollover=BudgetRollover.NONE)
    make(date(2027, 4, 1), name="丙", amount="2.00", rollover=BudgetRollover.NONE)
    with clock(2027, 4, 1):
        carry()
    april = (
        Budget.objects.filter(period_from=date(2027, 4, 1))
        .order_by("name")
        .values_list("name", "amount")
    )
    assert sorted(april) == [
        ("丙", Decimal("2.00")),
        ("乙", Decimal("1.00")),
        ("甲", Decimal("1000.00")),
    ]


def test_carry_over_is_limited_by_the_cap_and_keeps_the_settings(make: Make) -> None:
    make(
        date(2026, 11, 1),
        rollover=BudgetRollover.CAP,
        rollover_cap=Decimal("250.00"),
        policy=BudgetPolicy.WARN,
    )

    with clock(2026, 12, 1):
        carry()

    following = Budget.objects.get(period_from=date(2026, 12, 1))
    assert (following.amount, following.policy, following.rollover, following.rollover_cap) == (
        Decimal("250.00"),
        "warn",
        "cap",
        Decimal("250.00"),
    )
    assert list_figures()[0][1] == Decimal("750.00")


def test_budget_without_rollover_is_not_carried_over(make: Make) -> None:
    make(date(2026, 11, 1), rollover=BudgetRollover.NONE)
    with clock(2026, 12, 1):
        assert carry() == 0
    assert Budget.objects.count() == 1


def test_carry_over_leaves_reserved_and_later_released_amounts_in_the_old_budget(
    make: Make, ga: Account
) -> None:
    old = make(date(2026, 11, 1))
    with clock(2026, 11, 30):
        held = budget_reserve(actor=ga, budget=old, amount=Decimal("300.00"), reference="SO1")
        used = budget_reserve(actor=ga, budget=old, amount=Decimal("200.00"), reference="SO2")
        budget_consume(actor=ga, reservation=used, amount=Decimal("200.00"))
    with clock(2026, 12, 1):
        carry()
    old.refresh_from_db()
    assert (old.amount, old.reserved, old.consumed, old.available) == tuple(
        map(Decimal, ("500.00", "300.00", "200.00", "0.00"))
    )

    with clock(2026, 12, 5):
        budget_release(actor=ga, reservation=held)
        budget_refund(actor=ga, reservation=used, amount=Decimal("50.00"))
        assert carry() == 0

    old.refresh_from_db()
    assert old.available == Decimal("350.00")
    assert list_figures()[1][1] == Decimal("500.00")
    assert reconcile_budgets() == []


def test_repeated_carry_over_changes_nothing(make: Make, ga: Account) -> None:
    old = make(date(2026, 11, 1))
    with clock(2026, 12, 1):
        assert [carry(), carry()] == [1, 0]
        budget_adjust(actor=ga, budget=old, delta=Decimal("10.00"), note="补记")
        assert carry() == 0
    assert list_figures()[1][1] == Decimal("1000.00")


def test_carry_over_of_an_overdrawn_budget_creates_no_budget(make: Make, ga: Account) -> None:
    old = make(date(2026, 11, 1), policy=BudgetPolicy.WARN, amount="100.00")
    with clock(2026, 11, 30):
        budget_reserve(actor=ga, budget=old, amount=Decimal("300.00"), reference="SO1")
    with clock(2026, 12, 1):
        assert carry() == 1
    assert list_figures() == [("2026-11-01 2026-11-30", Decimal("100.00"))]


def test_carry_over_after_a_standstill_processes_each_month(make: Make) -> None:
    make(date(2026, 11, 1))
    with clock(2027, 2, 3):
        assert carry() == 3
    assert list_figures() == [
        ("2026-11-01 2026-11-30", Decimal("0.00")),
        ("2026-12-01 2026-12-31", Decimal("0.00")),
        ("2027-01-01 2027-01-31", Decimal("0.00")),
        ("2027-02-01 2027-02-28", Decimal("1000.00")),
    ]
    assert reconcile_budgets() == []


def test_carry_over_opens_no_budget_for_a_disabled_department(
    make: Make, department: Department
) -> None:
    make(date(2026, 11, 1), department=department)
    Department.objects.update(is_active=False)
    with clock(2026, 12, 1):
        assert carry() == 1
    assert list_figures() == [("2026-11-01 2026-11-30", Decimal("1000.00"))]


def test_failed_carry_over_does_not_stop_other_budgets(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    bad = make(date(2026, 11, 1), name="甲")
    make(date(2026, 11, 1), name="乙")
    from apps.budgets.services import budget_carry as module

    real = module.budget_carry

    def failing(**expected: int) -> bool:
        if expected["budget_id"] == bad.pk:
            raise RuntimeError
        return real(**expected)

    with clock(2026, 12, 1), patch.object(module, "budget_carry", failing):
        assert carry() == 1


def test_carry_over_of_a_month_waits_for_the_month_before_it(make: Make) -> None:
    first = make(date(2026, 11, 1))
    make(date(2026, 12, 1))
    from apps.budgets.services import budget_carry as module

    real = module.budget_carry

    def failing(**expected: int) -> bool:
        if expected["budget_id"] == first.pk:
            raise RuntimeError
        return real(**expected)

    with clock(2027, 1, 4), patch.object(module, "budget_carry", failing):
        assert carry() == 0
    with clock(2027, 1, 4):
        assert carry() == 2
    assert list_figures() == [
        ("2026-11-01 2026-11-30", Decimal("0.00")),
        ("2026-12-01 2026-12-31", Decimal("0.00")),
        ("2027-01-01 2027-01-31", Decimal("2000.00")),
    ]


def test_carry_over_is_a_periodic_job() -> None:
    assert "budgets.carry" in {job.name for job in list_periodic_jobs()}
