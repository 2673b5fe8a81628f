"""The accounts of `fixtures.py` as functions, for fixtures with the scope of a module. They create
rows in the open tenant scope.
"""

from __future__ import annotations

from apps.common.tenancy import platform_scope
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


def make_group() -> Group:
    return GroupFactory(code="YF", name="云帆集团")


def make_enterprise(group: Group) -> Enterprise:
    return EnterpriseFactory(group=group, code="YF01", name="云帆科技有限公司")


def make_department(enterprise: Enterprise) -> Department:
    return DepartmentFactory(enterprise=enterprise, code="YF01-ADM", name="行政部")


def make_buyer(department: Department) -> Account:
    role = RoleFactory(
        group=department.group, code="buyer", name="采购员", data_scope=DataScope.OWN
    )
    return AccountFactory(department=department, username="buyer", nickname="小采", roles=[role])


def make_approver(department: Department) -> Account:
    """Create the account and make it the head of the department."""
    role = RoleFactory(
        group=department.group, code="head", name="部门负责人", data_scope=DataScope.DEPARTMENT
    )
    account: Account = AccountFactory(
        department=department, username="approver", nickname="老审", roles=[role]
    )
    department.head = account
    department.save()
    return account


def make_group_admin(department: Department) -> Account:
    return AccountFactory(
        department=department, username="ga", nickname="集管", kind=AccountType.GROUP_ADMIN
    )


def make_limited(department: Department) -> Account:
    role = RoleFactory(
        group=department.group,
        code="limited",
        name="受限",
        menu_codes=[MenuCode.ORDER_LIST, MenuCode.ASSET_BUDGET],
    )
    return AccountFactory(department=department, username="limited", nickname="小限", roles=[role])


def make_other_group_admin() -> Account:
    """Create a second group and return its administrator."""
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


def make_staff() -> Account:
    with platform_scope(reason="test: staff"):
        return StaffFactory(username="ops", nickname="运营")
