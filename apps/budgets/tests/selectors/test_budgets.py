"""Which budgets an account may order on and see."""

from datetime import UTC, date, datetime
from unittest.mock import patch

import pytest

from apps.budgets.enums import BudgetPeriod
from apps.budgets.periods import get_period_around
from apps.budgets.selectors.budgets import list_usable_budgets, list_visible_budgets
from apps.budgets.tests.factories import make_budget
from apps.common.tenancy import tenant_scope
from apps.org.enums import PurchasingRight
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import DepartmentFactory

pytestmark = pytest.mark.django_db


def test_nearest_budget_is_listed_first(
    buyer: Account, department: Department, enterprise: Enterprise
) -> None:
    make_budget(enterprise=enterprise, name="企业")
    make_budget(enterprise=enterprise, department=department, name="部门")
    make_budget(enterprise=enterprise, account=buyer, name="个人")

    assert [row.name for row in list_usable_budgets(actor=buyer)] == ["个人", "部门", "企业"]


@pytest.mark.parametrize(
    ("moment", "month"),
    [
        ("2028-01-31T15:59:59", "一月"),
        ("2028-01-31T16:00:00", "二月"),
        ("2028-02-29T15:59:59", "二月"),
        ("2028-02-29T16:00:00", "三月"),
        ("2028-12-31T16:00:00", "次年一月"),
    ],
)
def test_the_month_is_that_of_shanghai_to_the_last_second(
    buyer: Account, enterprise: Enterprise, moment: str, month: str
) -> None:
    for name, day in (
        ("一月", date(2028, 1, 1)),
        ("二月", date(2028, 2, 1)),
        ("三月", date(2028, 3, 1)),
        ("次年一月", date(2029, 1, 1)),
    ):
        make_budget(
            enterprise=enterprise,
            name=name,
            days=get_period_around(period=BudgetPeriod.MONTH, day=day),
        )

    with patch(
        "django.utils.timezone.now", lambda: datetime.fromisoformat(moment).replace(tzinfo=UTC)
    ):
        assert [row.name for row in list_usable_budgets(actor=buyer)] == [month]


def test_the_budget_of_a_department_above_is_usable(
    buyer: Account, department: Department, enterprise: Enterprise
) -> None:
    above = DepartmentFactory(enterprise=enterprise, name="总部")
    department.parent = above
    department.save()
    make_budget(enterprise=enterprise, department=above, name="总部预算")

    assert [row.name for row in list_usable_budgets(actor=buyer)] == ["总部预算"]


def test_a_person_who_may_only_browse_sees_no_budget(
    limited: Account, enterprise: Enterprise
) -> None:
    make_budget(enterprise=enterprise)
    assert list_usable_budgets(actor=limited).count() == 1

    limited.roles.update(purchasing=PurchasingRight.BROWSE, menu_codes=[MenuCode.ORDER_LIST])
    viewer = Account.objects.get(pk=limited.pk)

    assert list(list_usable_budgets(actor=viewer)) == []
    assert list(list_visible_budgets(actor=viewer)) == []


def test_a_sibling_departments_budget_is_not_usable(buyer: Account, enterprise: Enterprise) -> None:
    sibling = DepartmentFactory(enterprise=enterprise, name="市场部")
    make_budget(enterprise=enterprise, department=sibling)

    assert list(list_usable_budgets(actor=buyer)) == []


def test_budget_of_another_group_is_not_usable(
    buyer: Account, other_ga: Account, enterprise: Enterprise
) -> None:
    make_budget(enterprise=enterprise)

    assert list_usable_budgets(actor=buyer).count() == 1
    with tenant_scope(group_id=other_ga.group_id):
        assert list(list_usable_budgets(actor=other_ga)) == []


def test_a_group_admin_sees_every_departments_budget(ga: Account, enterprise: Enterprise) -> None:
    sibling = DepartmentFactory(enterprise=enterprise, name="市场部")
    make_budget(enterprise=enterprise, department=sibling, name="市场部预算")

    assert [row.name for row in list_visible_budgets(actor=ga)] == ["市场部预算"]
