"""The list of 预算余额: filters, sums and row data."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.budgets.enums import BudgetPolicy
from apps.budgets.models import Budget
from apps.budgets.services.budget_moves import budget_consume, budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.common.testing import ApiClient
from apps.orders.tests.factories import FreightRegionFactory, make_rule, place_order, settle_in
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import DepartmentFactory

pytestmark = pytest.mark.django_db


def list_names(actor: Account, **query: object) -> list[str]:
    return [row["Name"] for row in ApiClient(actor).get("/api/Budget", query).body["Items"]]


def reserve_amount(buyer: Account, budget: Budget, amount: str, reference: str = "SO1") -> None:
    budget_reserve(actor=buyer, budget=budget, amount=Decimal(amount), reference=reference)


def get_first(actor: Account) -> dict[str, Any]:
    row: dict[str, Any] = ApiClient(actor).get("/api/Budget").body["Items"][0]
    return row


@pytest.mark.parametrize(
    ("used", "state"),
    [
        ("0.00", "normal"),
        ("799.99", "normal"),
        ("800.00", "near"),
        ("999.99", "near"),
        ("1000.00", "full"),
    ],
)
def test_the_state_turns_at_80_and_at_100_percent(
    ga: Account, buyer: Account, enterprise: Enterprise, used: str, state: str
) -> None:
    reserve_amount(buyer, make_budget(enterprise=enterprise), used)

    assert get_first(ga)["State"] == state
    assert [len(list_names(ga, State=each)) for each in ("normal", "near", "full")] == [
        int(state == each) for each in ("normal", "near", "full")
    ]


def test_zero_budget_has_the_state_full(ga: Account, enterprise: Enterprise) -> None:
    make_budget(enterprise=enterprise, amount="0.00")

    assert (get_first(ga)["State"], len(list_names(ga, State="full"))) == ("full", 1)


def test_owner_path_runs_from_the_enterprise_to_the_team(
    ga: Account, buyer: Account, department: Department, enterprise: Enterprise
) -> None:
    team = DepartmentFactory(enterprise=enterprise, parent=department, name="平台组")
    make_budget(enterprise=enterprise, department=team)

    assert get_first(ga)["OwnerPath"] == [enterprise.name, department.name, "平台组"]


def test_department_filter_includes_child_departments_and_their_accounts(
    ga: Account, buyer: Account, department: Department, enterprise: Enterprise
) -> None:
    make_budget(enterprise=enterprise, name="企业")
    make_budget(
        enterprise=enterprise,
        department=DepartmentFactory(enterprise=enterprise, parent=department),
        name="下级",
    )
    make_budget(enterprise=enterprise, account=buyer, name="个人")
    make_budget(
        enterprise=enterprise, department=DepartmentFactory(enterprise=enterprise), name="其他部门"
    )

    assert sorted(list_names(ga, DepartmentId=department.pk)) == ["下级", "个人"]


def test_filters_narrow_the_list_and_its_sums_alike(
    ga: Account, buyer: Account, enterprise: Enterprise
) -> None:
    reserve_amount(buyer, make_budget(enterprise=enterprise, name="差旅"), "850.00")
    reserve_amount(
        buyer,
        make_budget(enterprise=enterprise, name="办公", policy=BudgetPolicy.WARN),
        "1200.00",
        "SO2",
    )

    sums = ApiClient(ga).get("/api/Budget/Summary", {"Policy": "warn"}).body

    assert list_names(ga, Policy="warn") == ["办公"]
    assert {
        key: sums[key] for key in ("Count", "Amount", "Reserved", "Available", "Near", "Full")
    } == {
        "Count": 1,
        "Amount": "1000.00",
        "Reserved": "1200.00",
        "Available": "-200.00",
        "Near": 0,
        "Full": 1,
    }


def test_summary_of_an_empty_budget_list_is_zero(ga: Account) -> None:
    sums = ApiClient(ga).get("/api/Budget/Summary").body

    assert (sums["Count"], sums["Amount"], sums["Available"], sums["CanKeep"]) == (
        0,
        "0.00",
        "0.00",
        True,
    )


@pytest.mark.parametrize(
    ("when", "found"),
    [
        ("current", ["现在"]),
        ("ended", ["过去"]),
        ("upcoming", ["将来"]),
        ("open", ["将来", "现在"]),
        (None, ["将来", "现在", "过去"]),
    ],
)
def test_when_follows_the_period(
    ga: Account, enterprise: Enterprise, when: str | None, found: list[str]
) -> None:
    make_budget(enterprise=enterprise, name="现在")
    for name, year in (("过去", 2019), ("将来", 2100)):
        pk = make_budget(enterprise=enterprise, name=name).pk
        Budget.objects.filter(pk=pk).update(period_from=f"{year}-01-01", period_to=f"{year}-12-31")

    assert list_names(ga, **({"When": when} if when else {})) == found


def test_forecast_counts_only_orders_in_approval(
    ga: Account, buyer: Account, approver: Account, enterprise: Enterprise
) -> None:
    settle_in(buyer)
    FreightRegionFactory()
    budget = make_budget(enterprise=enterprise)
    confirmed = place_order(buyer)
    make_rule(buyer, approver)
    waiting = [place_order(buyer), place_order(buyer)]

    held = sum((order.total_amount for order in waiting), Decimal("0.00"))
    row = get_first(ga)
    assert (row["Awaiting"], row["Reserved"]) == (
        {"Amount": str(held), "Count": 2},
        str(held + confirmed.total_amount),
    )
    orders = ApiClient(ga).get(f"/api/Budget/{budget.pk}/Awaiting").body
    assert [row["OrderNo"] for row in orders] == [order.order_no for order in reversed(waiting)]


def test_budget_figure_lists_its_ledger_entries(
    ga: Account, buyer: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    held = budget_reserve(actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1")
    budget_consume(actor=buyer, reservation=held, amount=Decimal("120.00"))

    def kinds(figure: str) -> list[str]:
        return [
            row["Kind"]
            for row in ApiClient(ga)
            .get(f"/api/Budget/{budget.pk}/Entries", {"Figure": figure})
            .body["Items"]
        ]

    assert (kinds("amount"), kinds("reserved"), kinds("consumed")) == (
        ["allocate"],
        ["consume", "reserve"],
        ["consume"],
    )


def test_buyer_sees_usable_budgets_without_edit_rights(
    buyer: Account, department: Department, enterprise: Enterprise
) -> None:
    make_budget(enterprise=enterprise, department=department, name="本部门")
    make_budget(
        enterprise=enterprise, department=DepartmentFactory(enterprise=enterprise), name="其他部门"
    )

    assert list_names(buyer) == ["本部门"]
    assert (
        get_first(buyer)["CanKeep"],
        ApiClient(buyer).get("/api/Budget/Summary").body["CanKeep"],
    ) == (False, False)


def test_budget_list_takes_6_queries(
    ga: Account, buyer: Account, enterprise: Enterprise, django_assert_num_queries: Any
) -> None:
    for number in range(15):
        department = DepartmentFactory(enterprise=enterprise)
        reserve_amount(
            buyer, make_budget(enterprise=enterprise, department=department), "10.00", f"SO{number}"
        )
    client = ApiClient(ga)
    client.get("/api/Budget")
    with django_assert_num_queries(6):
        client.get("/api/Budget", {"When": "current", "State": "normal", "Keyword": "预算"})
