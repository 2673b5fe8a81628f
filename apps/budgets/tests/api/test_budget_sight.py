"""A buyer sees the whole ledger of the enterprise's budget, but of colleagues' orders only the
amounts.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.common.testing import ApiClient
from apps.orders.models import Order
from apps.orders.tests.factories import FreightRegionFactory, make_rule, place_order, settle_in
from apps.org.enums import DataScope
from apps.org.models import Account, Enterprise, Role
from apps.org.tests.factories import AccountFactory, DepartmentFactory

pytestmark = pytest.mark.django_db

Row = tuple[str, str, str, str]


@pytest.fixture
def budget(enterprise: Enterprise) -> Budget:
    return make_budget(enterprise=enterprise)


@pytest.fixture
def colleague(buyer: Account, enterprise: Enterprise) -> Account:
    """A colleague of another department. Both order on the enterprise's budget and see only
    their own orders.
    """
    return AccountFactory(
        department=DepartmentFactory(enterprise=enterprise),
        nickname="邻座",
        roles=list(buyer.roles.all()),
    )


@pytest.fixture
def orders(buyer: Account, colleague: Account, budget: Budget) -> list[Order]:
    """One order of each colleague."""
    FreightRegionFactory()
    settle_in(buyer)
    return [place_order(account) for account in (buyer, colleague)]


def list_ledger(account: Account, budget: Budget) -> list[Row]:
    rows = ApiClient(account).get(f"/api/Budget/{budget.pk}/Entries").body["Items"]
    return [(row["Amount"], row["OrderNo"], row["By"], row["Note"]) for row in rows]


def test_ledger_hides_the_number_of_a_colleagues_order(
    ga: Account, buyer: Account, budget: Budget, orders: list[Order]
) -> None:
    BudgetEntry.objects.filter(reference=orders[1].order_no).update(note="合并采购 打印纸")
    own, others = orders
    allocated = ("1000.00", "", "系统", "预算拨款")

    assert list_ledger(buyer, budget) == [
        (str(others.total_amount), "", "", "他人的订单"),
        (str(own.total_amount), own.order_no, "小采", ""),
        allocated,
    ]
    assert list_ledger(ga, budget) == [
        (str(others.total_amount), others.order_no, "邻座", "合并采购 打印纸"),
        (str(own.total_amount), own.order_no, "小采", ""),
        allocated,
    ]


def test_forecast_hides_the_number_of_a_colleagues_order(
    buyer: Account, approver: Account, colleague: Account, budget: Budget
) -> None:
    FreightRegionFactory()
    settle_in(buyer)
    make_rule(buyer, approver)
    own, others = place_order(buyer), place_order(colleague)

    def awaiting(account: Account) -> list[tuple[str, str, str]]:
        rows = ApiClient(account).get(f"/api/Budget/{budget.pk}/Awaiting").body
        return [(row["Amount"], row["OrderNo"], row["Note"]) for row in rows]

    assert awaiting(buyer) == [
        (str(others.total_amount), "", "他人的订单"),
        (str(own.total_amount), own.order_no, ""),
    ]
    # The approver has a task of both orders and may open both.
    assert awaiting(approver) == [
        (str(others.total_amount), others.order_no, ""),
        (str(own.total_amount), own.order_no, ""),
    ]


@pytest.mark.parametrize(
    ("scope", "queries"),
    [(DataScope.OWN, 8), (DataScope.DEPARTMENT, 10), (DataScope.ENTERPRISE, 8)],
)
def test_ledger_page_takes_a_fixed_number_of_queries(
    buyer: Account, budget: Budget, scope: DataScope, queries: int, django_assert_num_queries: Any
) -> None:
    Role.objects.filter(accounts=buyer).update(data_scope=scope)
    for number in range(15):
        budget_reserve(actor=buyer, budget=budget, amount=Decimal("10.00"), reference=f"SO{number}")
    client = ApiClient(buyer)
    client.get(f"/api/Budget/{budget.pk}/Entries")
    with django_assert_num_queries(queries):
        client.get(f"/api/Budget/{budget.pk}/Entries")
