"""Back office: staff create and adjust budgets through the services; the columns are read-only."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.periods import get_period_around
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.tests.factories import make_budget
from apps.common.tenancy import no_scope
from apps.org.models import Department, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import create_staff, open_office

pytestmark = pytest.mark.django_db
LIST = "/admin/budgets/budget/"


@pytest.fixture
def finance() -> Client:
    return open_office(create_staff("财务"))


def post(client: Client, path: str, **fields: object) -> Any:
    with no_scope():
        return client.post(f"{LIST}{path}", fields)


def get_new(client: Client, enterprise: Enterprise, **fields: object) -> Any:
    plain: dict[str, object] = {
        "name": "季度预算",
        "enterprise": enterprise.pk,
        "owner_type": "enterprise",
        "period": "quarter",
    }
    return post(
        client,
        "add/",
        **{
            **plain,
            "period_from": "2026-05-20",
            "amount": "800.50",
            "policy": "block",
            "rollover": "none",
            **fields,
        },
    )


def test_a_new_budget_has_its_allocation_in_the_ledger(
    finance: Client, enterprise: Enterprise
) -> None:
    assert get_new(finance, enterprise).status_code == 302
    budget = Budget.objects.get()
    assert (budget.amount, budget.period_from, budget.period_to) == (
        Decimal("800.50"),
        date(2026, 4, 1),
        date(2026, 6, 30),
    )
    assert list(BudgetEntry.objects.values_list("kind", "amount")) == [
        ("allocate", Decimal("800.50"))
    ]


def test_budget_form_refuses_a_department_of_another_enterprise(
    finance: Client, department: Department
) -> None:
    other = EnterpriseFactory(group=department.group)
    page = get_new(finance, other, owner_type="department", department=department.pk)
    assert "部门须属于所选企业" in page.content.decode()
    assert not Budget.objects.exists()


def test_an_adjustment_is_written_with_its_note(finance: Client, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)
    assert (
        post(finance, f"{budget.pk}/adjust/", delta="-200.00", note="调至项目部").status_code == 302
    )
    entry = BudgetEntry.objects.get(kind="adjust")
    assert (Budget.objects.get().amount, entry.amount, entry.note) == (
        Decimal("800.00"),
        Decimal("-200.00"),
        "调至项目部",
    )
    assert reconcile_budgets() == []


def test_budget_adjustment_below_reserved_and_consumed_is_refused(
    finance: Client, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    Budget.objects.update(reserved=Decimal("200.00"), consumed=Decimal("50.50"))
    page = post(finance, f"{budget.pk}/adjust/", delta="-749.51", note="误")
    assert (
        "调整后的额度 ¥250.49 低于已预占与已使用之和 ¥250.50（含待审批的调出），请减少调减金额"
    ) in page.content.decode()
    assert Budget.objects.get().amount == Decimal("1000.00")


def test_the_columns_cannot_be_typed_into(finance: Client, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)
    assert post(finance, f"{budget.pk}/change/", amount="5", reserved="0").status_code == 403
    assert Budget.objects.get().amount == Decimal("1000.00")


def test_the_page_shows_figures_and_ledger_without_a_save_button(
    finance: Client, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    with no_scope():
        page = finance.get(f"{LIST}{budget.pk}/change/").content.decode()
    assert "预算拨款" in page
    assert 'name="_save"' not in page


@pytest.mark.parametrize(
    ("job", "looks", "adjusts"), [("客服", 200, 403), ("商品", 403, 403), ("系统", 403, 403)]
)
def test_staff_roles_decide_on_budget_view_and_adjustment(
    enterprise: Enterprise, job: str, looks: int, adjusts: int
) -> None:
    budget = make_budget(enterprise=enterprise)
    client = open_office(create_staff(job))
    with no_scope():
        assert client.get(LIST).status_code == looks
    assert post(client, f"{budget.pk}/adjust/", delta="1", note="加").status_code == adjusts


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("month", (2028, 2, 1), (2028, 2, 29)),
        ("quarter", (2028, 1, 1), (2028, 3, 31)),
        ("year", (2028, 1, 1), (2028, 12, 31)),
    ],
)
def test_a_period_is_whole(
    period: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    assert get_period_around(period=period, day=date(2028, 2, 14)) == (date(*first), date(*last))
