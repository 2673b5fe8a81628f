"""Nobody widens what he may order by managing accounts: his own, another one or a new one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.common.testing import Answer, ApiClient, assert_queries
from apps.identity.tests.api.test_account_sheets import build_row, send
from apps.org.enums import DataScope, PurchasingRight
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, PurchaseLimit, Role
from apps.org.tests.factories import PASSWORD, AccountFactory, DepartmentFactory, RoleFactory

LIFTED = "采购限额“每单 ¥500.00”"


@pytest.fixture
def capped(department: Department) -> Role:
    """A role with a limit of 500.00 元 for each order."""
    role = RoleFactory(group=department.group, code="capped", name="限额采购", menu_codes=[])
    PurchaseLimit.objects.create(role=role, period="order", amount=Decimal(500), action="refuse")
    return role


@pytest.fixture
def free(department: Department) -> Role:
    """A role without a limit."""
    return RoleFactory(
        group=department.group,
        code="free",
        name="采购",
        menu_codes=[MenuCode.ORDER_LIST],
        data_scope=DataScope.OWN,
    )


@pytest.fixture
def manager(department: Department, capped: Role) -> Account:
    """He manages the accounts of 行政部 and may order up to 500.00 元."""
    role = RoleFactory(
        group=department.group,
        code="manager",
        name="账号管理员",
        menu_codes=[MenuCode.MANAGEMENT_ACCOUNT, MenuCode.MANAGEMENT_ROLE, MenuCode.ORDER_LIST],
        data_scope=DataScope.DEPARTMENT,
    )
    return AccountFactory(department=department, username="manager", roles=[role, capped])


def change(actor: Account, account: Account, **values: Any) -> Answer:
    body = {"Password": PASSWORD, **values}
    return ApiClient(actor).patch(f"/api/Account/{account.pk}", body)


def list_ids(*roles: Role) -> list[str]:
    return [str(role.pk) for role in roles]


def test_account_cannot_remove_its_own_limiting_role(manager: Account) -> None:
    answer = change(manager, manager, RoleIds=list_ids(*manager.roles.filter(code="manager")))

    assert answer.errors["RoleIds"] == [
        f"这样设置角色后，该账号不受您自己的{LIFTED}约束，请联系集团管理员操作"
    ]
    assert manager.roles.count() == 2
    assert change(manager, manager, NickName="新昵称").ok


def test_a_new_account_has_the_limits_of_its_creator(
    manager: Account, department: Department, capped: Role, free: Role
) -> None:
    client = ApiClient(manager)
    body = {"UserName": "second", "NickName": "小号", "DepartmentId": str(department.pk)}

    answer = client.post("/api/Account", body | {"RoleIds": list_ids(free)})

    assert LIFTED in answer.errors["RoleIds"][0]
    assert not Account.objects.filter(username="second").exists()
    assert client.post("/api/Account", body | {"RoleIds": list_ids(free, capped)}).ok


def test_an_account_with_wider_limits_is_not_changed(
    manager: Account, department: Department, free: Role
) -> None:
    """A new mail address would give him the account, by a reset of its password."""
    boss = AccountFactory(department=department, username="boss", roles=[free])

    answer = change(manager, boss, Email="mine@yf.cn")

    assert answer.message == f"该账号不受您自己的{LIFTED}约束，请联系集团管理员操作"


def test_a_sheet_gives_no_account_wider_limits(manager: Account, free: Role) -> None:
    answer = send(manager, build_row(roles="采购"))

    assert answer.body["Rows"][0]["Errors"] == [
        f"这样设置角色后，该账号不受您自己的{LIFTED}约束，请联系集团管理员操作"
    ]
    assert send(manager, build_row(roles="采购、限额采购")).body["Rows"][0]["Errors"] == []


@pytest.mark.parametrize(
    ("restriction", "words"),
    [
        ({"payment_kinds": ["online"]}, "可用付款方式（"),
        ({"address_scope": "own"}, "可用收货地址“仅本人地址”"),
    ],
)
def test_account_cannot_remove_its_own_checkout_restriction(
    manager: Account, capped: Role, restriction: dict[str, Any], words: str
) -> None:
    PurchaseLimit.objects.all().delete()
    Role.objects.filter(pk=capped.pk).update(**restriction)

    answer = change(manager, manager, RoleIds=list_ids(*manager.roles.filter(code="manager")))

    assert words in answer.errors["RoleIds"][0]


@pytest.mark.parametrize(
    ("restriction", "words"),
    [
        ({"own_payment_kinds": ["online"]}, "可用付款方式（在线支付）"),
        ({"own_address_scope": "own"}, "可用收货地址“仅本人地址”"),
    ],
)
def test_own_choices_bind_every_account_that_a_person_manages(
    manager: Account, department: Department, free: Role, restriction: dict[str, Any], words: str
) -> None:
    PurchaseLimit.objects.all().delete()
    Account.objects.filter(pk=manager.pk).update(**restriction)
    second = AccountFactory(department=department, username="second", roles=[free])
    client = ApiClient(manager)
    new = {"UserName": "third", "NickName": "小号", "DepartmentId": str(department.pk)}

    created = client.post("/api/Account", new | {"RoleIds": list_ids(free)})

    assert words in created.errors["RoleIds"][0]
    refusal = f"该账号不受您自己的{words}约束，请联系集团管理员操作"
    assert change(manager, second, Email="mine@yf.cn").message == refusal
    rows = {row["UserName"]: row for row in client.get("/api/Account").body["Items"]}
    assert (rows["second"]["CanManage"], rows["manager"]["CanManage"]) == (False, True)

    Account.objects.filter(pk=second.pk).update(**restriction)
    assert change(manager, second, Email="second@yf.cn").ok


def test_role_change_cannot_free_its_holders_from_the_editors_limits(
    manager: Account, ga: Account, department: Department
) -> None:
    """An account that may only request needs no limit, until its role may order."""
    asking = RoleFactory(
        group=department.group,
        code="asking",
        name="申请人",
        menu_codes=[MenuCode.ORDER_LIST],
        data_scope=DataScope.OWN,
        purchasing=PurchasingRight.REQUEST,
    )
    AccountFactory(department=department, username="second", nickname="小号", roles=[asking])
    body = {
        "Code": "asking",
        "Name": "申请人",
        "DataScope": "own",
        "MenuCodes": ["order.list"],
        "Purchasing": "order",
    }

    answer = ApiClient(manager).patch(f"/api/Role/{asking.pk}", body)

    assert answer.errors["Purchasing"] == [
        "改为“下单”后，小号不受您自己的采购限额、付款方式或收货地址限制，请联系集团管理员操作"
    ]
    asking.refresh_from_db()
    assert asking.purchasing == PurchasingRight.REQUEST
    assert ApiClient(ga).patch(f"/api/Role/{asking.pk}", body).ok


def test_stricter_limits_and_group_admins_are_not_restricted(
    manager: Account, ga: Account, department: Department, free: Role
) -> None:
    strict = RoleFactory(group=department.group, code="strict", name="严格", menu_codes=[])
    PurchaseLimit.objects.create(role=strict, period="order", amount=Decimal(300), action="refuse")
    person = AccountFactory(department=department, username="person", roles=[free, strict])

    assert change(manager, person, NickName="改名").ok
    assert change(ga, person, RoleIds=list_ids(free)).ok


def test_account_cannot_change_its_own_department(
    manager: Account, ga: Account, department: Department
) -> None:
    below = DepartmentFactory(enterprise=department.enterprise, parent=department)

    answer = change(manager, manager, DepartmentId=str(below.pk))

    assert answer.errors["DepartmentId"] == ["您不能更改自己的部门，请由其他管理员更改"]
    assert change(ga, manager, DepartmentId=str(below.pk)).ok


def test_account_list_marks_the_accounts_manageable_under_own_limits(
    manager: Account, department: Department, capped: Role, free: Role
) -> None:
    limited = AccountFactory(department=department, username="limited", roles=[free])
    PurchaseLimit.objects.create(
        account=limited, period="order", amount=Decimal(400), action="refuse"
    )
    AccountFactory(department=department, username="capped", roles=[free, capped])
    unlimited = AccountFactory(department=department, username="unlimited", roles=[free])
    client = ApiClient(manager)

    # Two more than for a manager without a limit of his own, for any number of accounts.
    with assert_queries(8):
        rows = client.get("/api/Account").body["Items"]

    assert {row["UserName"]: row["CanManage"] for row in rows} == {
        "manager": True,
        "limited": True,
        "capped": True,
        "unlimited": False,
    }
    assert not client.get(f"/api/Account/{unlimited.pk}").body["CanManage"]
