"""Accounts that all tests share. `group` opens its tenant scope for the test. A test that needs
no group uses none of these.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from apps.common.tenancy import platform_scope, tenant_scope
from apps.org.enums import AccountType, DataScope
from apps.org.menus import ENTRY_CODES, MenuCode
from apps.org.models import Account, Department, Enterprise, Group
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    GroupFactory,
    RoleFactory,
    StaffFactory,
)


@pytest.fixture
def group(db: None) -> Generator[Group]:
    """A customer group. Its tenant scope is open during the test."""
    group = GroupFactory(code="YF", name="云帆集团")
    with tenant_scope(group_id=group.pk):
        yield group


@pytest.fixture
def enterprise(group: Group) -> Enterprise:
    return EnterpriseFactory(group=group, code="YF01", name="云帆科技有限公司")


@pytest.fixture
def department(enterprise: Enterprise) -> Department:
    """行政部. Its head is `approver`."""
    return DepartmentFactory(enterprise=enterprise, code="YF01-ADM", name="行政部")


@pytest.fixture
def buyer(department: Department) -> Account:
    """A purchaser with every menu code and the data scope of own records."""
    role = RoleFactory(
        group=department.group, code="buyer", name="采购员", data_scope=DataScope.OWN
    )
    return AccountFactory(department=department, username="buyer", nickname="小采", roles=[role])


@pytest.fixture
def approver(department: Department) -> Account:
    """The head of `department`, with the data scope of the department subtree."""
    role = RoleFactory(
        group=department.group, code="head", name="部门负责人", data_scope=DataScope.DEPARTMENT
    )
    account = AccountFactory(
        department=department, username="approver", nickname="老审", roles=[role]
    )
    department.head = account
    department.save()
    return account


@pytest.fixture
def ga(department: Department) -> Account:
    """The administrator of the group: every menu code, data scope of the whole group."""
    return AccountFactory(
        department=department, username="ga", nickname="集管", kind=AccountType.GROUP_ADMIN
    )


@pytest.fixture
def limited(department: Department) -> Account:
    """An account with two menu codes only: orders and the budget."""
    role = RoleFactory(
        group=department.group,
        code="limited",
        name="受限",
        menu_codes=[MenuCode.ORDER_LIST, MenuCode.ASSET_BUDGET],
    )
    return AccountFactory(department=department, username="limited", nickname="小限", roles=[role])


@pytest.fixture
def other_ga(db: None) -> Account:
    """The administrator of a second group."""
    with platform_scope(reason="test: the other group"):
        enterprise = EnterpriseFactory(
            group=GroupFactory(code="XL", name="星澜集团"), code="XL01", name="星澜贸易有限公司"
        )
        department = DepartmentFactory(enterprise=enterprise, code="XL01-ADM", name="综合部")
        RoleFactory(
            group=enterprise.group, code="buyer", name="采购员", menu_codes=list(ENTRY_CODES)
        )
        return AccountFactory(
            department=department, username="other", nickname="外集管", kind=AccountType.GROUP_ADMIN
        )


@pytest.fixture
def staff(db: None) -> Account:
    """A superuser of the supplier."""
    with platform_scope(reason="test: staff"):
        return StaffFactory(username="ops", nickname="运营")
