"""The departments that an administrator may give to an account, by the data scope."""

from __future__ import annotations

from apps.org.enums import DataScope
from apps.org.models import Account, Department, Group
from apps.org.selectors.accounts import list_assignable_departments
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)


def test_the_scope_of_an_enterprise_ends_at_the_enterprise(
    group: Group, department: Department, ga: Account
) -> None:
    role = RoleFactory(group=group, code="hr", data_scope=DataScope.ENTERPRISE)
    admin = AccountFactory(department=department, username="hr", roles=[role])
    sister = DepartmentFactory(enterprise=EnterpriseFactory(group=group), name="物流部")

    assert list(list_assignable_departments(actor=admin)) == [department]
    assert set(list_assignable_departments(actor=ga)) == {department, sister}
