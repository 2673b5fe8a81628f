"""The standard roles of a new group. Its administrator can assign, change or delete them."""

from __future__ import annotations

from django.db import transaction

from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Group, Role

BUYING = (
    MenuCode.ORDER_LIST,
    MenuCode.ORDER_CANCEL,
    MenuCode.ORDER_RETURN,
    MenuCode.ASSET_BUDGET,
    MenuCode.MANAGEMENT_ADDRESS,
)
HEADING = (
    MenuCode.ORDER_LIST,
    MenuCode.ORDER_APPROVAL,
    MenuCode.ORDER_CANCEL,
    MenuCode.ORDER_RETURN,
    MenuCode.ASSET_BUDGET,
)
REPORTS = (
    "report.order",
    "report.orderDetail",
    "report.product",
    "report.department",
    "report.purchaser",
)
PAYING = (
    MenuCode.ORDER_LIST,
    MenuCode.ORDER_APPROVAL,
    MenuCode.ASSET_BUDGET,
    MenuCode.INVOICE_APPLY,
    MenuCode.INVOICE_LIST,
    *REPORTS,
)
KEEPING = (
    MenuCode.MANAGEMENT_GROUP,
    MenuCode.MANAGEMENT_DEPARTMENT,
    MenuCode.MANAGEMENT_ACCOUNT,
    MenuCode.MANAGEMENT_ROLE,
    MenuCode.MANAGEMENT_APPROVAL,
    MenuCode.MANAGEMENT_ADDRESS,
)
# Code, name, data scope, menu codes.
STANDARD_ROLES: tuple[tuple[str, str, DataScope, tuple[str, ...]], ...] = (
    ("BUYER", "采购员", DataScope.OWN, BUYING),
    ("HEAD", "部门负责人", DataScope.DEPARTMENT, (*HEADING, "report.order", "report.department")),
    ("FINANCE", "财务", DataScope.ENTERPRISE, PAYING),
    ("ORGANISER", "组织管理员", DataScope.GROUP, KEEPING),
)


@transaction.atomic
def group_begin(*, group: Group) -> None:
    """Create the standard roles for a group without roles, so that its first sheet of accounts
    can use them.
    """
    if Role.objects.filter(group=group).exists():
        return
    for code, name, scope, codes in STANDARD_ROLES:
        Role.objects.create(
            group=group, code=code, name=name, data_scope=scope, menu_codes=[*codes]
        )
