"""An account with the data scope of its enterprise sees nothing of the other enterprises."""

from __future__ import annotations

from datetime import date

import pytest

from apps.invoices.models import Statement
from apps.invoices.selectors.statements import list_visible_statements
from apps.invoices.selectors.titles import list_enterprises
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise, Group
from apps.org.tests.factories import AccountFactory, EnterpriseFactory, RoleFactory


@pytest.fixture
def finance(department: Department) -> Account:
    """An account with every menu code and the data scope of its enterprise."""
    role = RoleFactory(group=department.group, code="fin", data_scope=DataScope.ENTERPRISE)
    return AccountFactory(department=department, username="fin", roles=[role])


@pytest.fixture
def sister(group: Group) -> Enterprise:
    """Another enterprise of the group."""
    return EnterpriseFactory(group=group, code="YF02", name="云帆物流有限公司")


def test_statements_of_another_enterprise_are_not_visible(
    finance: Account, ga: Account, enterprise: Enterprise, sister: Enterprise
) -> None:
    for each in (enterprise, sister):
        Statement.objects.create(
            group=each.group,
            enterprise=each,
            statement_no=f"DZ{each.pk}",
            month=date(2026, 3, 1),
        )

    seen = list_visible_statements(actor=finance).values_list("enterprise__code", flat=True)
    assert list(seen) == ["YF01"]
    assert list_visible_statements(actor=ga).count() == 2


def test_invoices_of_another_enterprise_are_not_applied_for(
    finance: Account, buyer: Account, ga: Account, sister: Enterprise
) -> None:
    for actor in (finance, buyer):
        assert [each.code for each in list_enterprises(actor=actor)] == ["YF01"]
    assert [each.code for each in list_enterprises(actor=ga)] == ["YF01", "YF02"]
