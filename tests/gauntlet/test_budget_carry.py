"""Two runners and orders at the end of a period: each budget rolls over once, and no cent is
created, lost or used twice.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from functools import partial
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest

from apps.budgets.enums import BudgetPeriod, BudgetPolicy, BudgetRollover, EntryKind
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_carry import budgets_carry
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.budgets.tests.moves import budget_release
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import platform_scope, tenant_scope
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.models import Account, Address
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
NOVEMBER, DECEMBER = (
    (date(2026, 11, 1), date(2026, 11, 30)),
    (date(2026, 12, 1), date(2026, 12, 31)),
)


def carry() -> int:
    """Run the periodic job as on the first morning of December."""
    morning = datetime(2026, 12, 1, tzinfo=ZoneInfo("Asia/Shanghai"))
    with patch("django.utils.timezone.now", lambda: morning), platform_scope(reason="race"):
        return budgets_carry()


def submit(buyer_id: int, group_id: int, address_id: int) -> str:
    """Order the cart's contents that same morning."""
    morning = datetime(2026, 12, 1, tzinfo=ZoneInfo("Asia/Shanghai"))
    with patch("django.utils.timezone.now", lambda: morning), tenant_scope(group_id=group_id):
        return order_submit(
            actor=Account.objects.get(pk=buyer_id), form=CheckoutForm(address_id=address_id)
        ).order_no


@pytest.fixture
def budgets(ga: Account) -> list[Budget]:
    """Five budgets of November, 1,000.00 each, with policy block and full roll-over."""
    terms = {"days": NOVEMBER, "period": BudgetPeriod.MONTH, "rollover": BudgetRollover.ALL}
    return [
        make_budget(enterprise=ga.enterprise, name=f"预算{number}", **terms) for number in range(5)
    ]


def test_two_runners_carry_each_budget_once(budgets: list[Budget]) -> None:
    settled = run_race([carry] * 8)

    assert sum(outcome.value for outcome in settled) == len(budgets)
    assert BudgetEntry.objects.filter(kind=EntryKind.CARRY_OUT).count() == len(budgets)
    december = (
        Budget.objects.filter(period_from=date(2026, 12, 1))
        .order_by("name")
        .values_list("name", "amount")
    )
    assert list(december) == [(row.name, Decimal("1000.00")) for row in budgets]
    assert reconcile_budgets() == []


def test_orders_and_releases_at_midnight_neither_lose_nor_double_a_cent(
    ga: Account, budgets: list[Budget]
) -> None:
    one = budgets[0]
    for number in range(4):
        budget_reserve(actor=ga, budget=one, amount=Decimal("100.00"), reference=f"BEFORE{number}")
    held = list(BudgetReservation.objects.order_by("pk"))
    late = [
        partial(budget_reserve, actor=ga, budget=one, amount=Decimal("90.00"), reference=f"LATE{n}")
        for n in range(8)
    ]
    freed = [partial(budget_release, actor=ga, reservation=row) for row in held]

    run_race([carry, *late, *freed, carry])

    old = Budget.objects.get(pk=one.pk)
    new = Budget.objects.filter(name=one.name, period_from=date(2026, 12, 1)).first()
    assert old.amount + (new.amount if new else Decimal(0)) == Decimal("1000.00")
    assert old.available >= 0
    assert BudgetEntry.objects.filter(budget=one, kind=EntryKind.CARRY_OUT).count() <= 1
    assert reconcile_budgets() == []


def test_budget_carry_over_runs_beside_orders_without_a_deadlock(shopper: Account) -> None:
    """A warning budget is locked before the order is written. The order refers to the
    enterprise, which the roll-over locks.
    """
    assert shopper.enterprise is not None
    terms = {
        "enterprise": shopper.enterprise,
        "policy": BudgetPolicy.WARN,
        "amount": "100000.00",
        "period": BudgetPeriod.MONTH,
    }
    for number in range(15):
        make_budget(**terms, name=f"预算{number}", days=NOVEMBER, rollover=BudgetRollover.ALL)
        make_budget(**terms, name=f"预算{number}", days=DECEMBER)
    paper = ProductFactory(stock=1000)
    address = Address.objects.values_list("pk", flat=True).first()
    buyers = [
        AccountFactory(department=shopper.department, roles=list(shopper.roles.all()))
        for _ in range(15)
    ]
    for buyer in buyers:
        fill_cart(buyer, (paper, 1))

    outcomes = run_race(
        [carry, *(partial(submit, buyer.pk, buyer.group_id, address) for buyer in buyers)]
    )

    assert [outcome.fault for outcome in outcomes if not outcome.ok] == []
    assert Order.objects.count() == len(buyers)
    assert not Budget.objects.filter(rolled_at=None, period_to__lt=DECEMBER[0]).exists()
    assert reconcile_budgets() == []
