"""Tests of GET /api/Account/Sight: the data that an account sees, or that a planned account
would see.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order
from apps.org.enums import DataScope
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory
from tests.contracts.objects import order


def sight(ga: Account, **query: Any) -> Any:
    return ApiClient(ga).get("/api/Account/Sight", query).body


@pytest.fixture
def one_order(buyer: Account) -> Order:
    return Order.objects.get(order_no=order(buyer))


def get_entries(body: Any) -> dict[str, tuple[str, int]]:
    return {
        entry["Code"]: (entry["ScopeText"], entry["People"])
        for group in body["Groups"]
        for entry in group["Entries"]
    }


def test_a_buyer_sees_his_own(ga: Account, buyer: Account, one_order: Order) -> None:
    result = sight(ga, AccountId=buyer.pk)

    assert (result["ScopeText"], result["People"], result["Orders"]) == ("仅本人", 1, 1)
    assert [group["Name"] for group in result["Groups"]] == [
        "我的订单",
        "报表中心",
        "资产中心",
        "管理中心",
        "发票中心",
    ]


def test_a_head_sees_his_department_and_below(
    ga: Account, approver: Account, buyer: Account, one_order: Order
) -> None:
    result = sight(ga, AccountId=approver.pk)

    assert get_entries(result)["order.list"] == ("行政部及其下级部门", 3)
    assert result["Orders"] == 1


def test_sight_entry_has_the_data_scope_of_its_granting_roles(ga: Account, buyer: Account) -> None:
    roles = [
        RoleFactory(group=ga.group, menu_codes=["order.list"], data_scope=DataScope.OWN),
        RoleFactory(group=ga.group, menu_codes=["report.order"], data_scope=DataScope.GROUP),
    ]
    result = sight(ga, AccountId=buyer.pk, RoleIds=",".join(str(role.pk) for role in roles))

    assert get_entries(result) == {
        "order.list": ("仅本人", 1),
        "report.order": ("全集团所有企业和部门", 2),
    }


def test_sight_preview_of_a_future_account_uses_the_given_department_and_roles(
    ga: Account, buyer: Account, one_order: Order
) -> None:
    role = RoleFactory(group=ga.group, menu_codes=["order.list"], data_scope=DataScope.ENTERPRISE)
    result = sight(ga, DepartmentId=buyer.department_id, RoleIds=role.pk)

    assert get_entries(result) == {"order.list": ("云帆科技有限公司的所有部门", 2)}
    assert result["Orders"] == 1


def test_sight_preview_without_roles_covers_only_the_account(ga: Account, buyer: Account) -> None:
    result = sight(ga, AccountId=buyer.pk, RoleIds="")

    assert (result["Groups"], result["People"], result["Orders"]) == ([], 1, None)


def test_an_admin_would_see_all(ga: Account, buyer: Account, one_order: Order) -> None:
    result = sight(ga, AccountId=buyer.pk, UserType="GA")

    assert (result["ScopeText"], result["People"], result["Orders"]) == (
        "全集团所有企业和部门",
        2,
        1,
    )


def test_sight_preview_of_an_account_outside_the_data_scope_is_not_found(
    buyer: Account, ga: Account
) -> None:
    role = RoleFactory(
        group=ga.group, menu_codes=["management.account"], data_scope=DataScope.DEPARTMENT
    )
    clerk = AccountFactory(department=DepartmentFactory(enterprise=buyer.enterprise), roles=[role])

    assert ApiClient(clerk).get("/api/Account/Sight", {"AccountId": buyer.pk}).status == 404


def test_sight_preview_takes_eight_queries(ga: Account, approver: Account) -> None:
    client = ApiClient(ga)
    with assert_queries(8):
        client.get("/api/Account/Sight", {"AccountId": approver.pk})
