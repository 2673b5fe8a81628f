"""/api/Role: the permissions that a role grants and the accounts that may edit it. A change
takes effect immediately.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.common.testing import ApiClient, assert_queries
from apps.org.enums import DataScope, PurchasingRight
from apps.org.menus import MenuCode
from apps.org.models import Account, OrganisationChange, Role
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

ROLE = MenuCode.MANAGEMENT_ROLE


def build_body(**more: Any) -> dict[str, Any]:
    return {
        "Name": "仓管",
        "Code": "store",
        "DataScope": "department",
        "MenuCodes": ["order.list"],
        **more,
    }


@pytest.fixture
def keeper(ga: Account) -> Account:
    """An account that manages the roles of its enterprise and can see the orders there."""
    role = RoleFactory(
        group=ga.group,
        code="keeper",
        name="角色员",
        menu_codes=[ROLE, MenuCode.ORDER_LIST],
        data_scope=DataScope.ENTERPRISE,
    )
    return AccountFactory(department=ga.department, username="keeper", roles=[role])


def test_new_role_is_listed_with_its_rights(ga: Account) -> None:
    answer = ApiClient(ga).post("/api/Role", build_body())

    assert (answer.code, answer.message) == ("ok", "角色已新增")
    row = ApiClient(ga).get("/api/Role", {"Keyword": "仓"}).body["Items"][0]
    assert (row["Code"], row["DataScopeText"], row["MenuCodes"], row["HolderCount"]) == (
        "store",
        "本部门及下级",
        ["order.list"],
        0,
    )


def test_group_code_grants_all_its_menu_entries(ga: Account) -> None:
    answer = ApiClient(ga).post("/api/Role", build_body(MenuCodes=["invoice"]))

    assert answer.body["MenuCodes"] == ["invoice.apply", "invoice.list"]


def test_role_without_a_code_gets_a_generated_one(ga: Account) -> None:
    assert ApiClient(ga).post("/api/Role", build_body(Code="")).body["Code"] == "R001"


def test_a_code_twice_is_refused(ga: Account) -> None:
    ApiClient(ga).post("/api/Role", build_body())

    assert ApiClient(ga).post("/api/Role", build_body(Name="仓管二")).errors == {
        "Code": ["角色编码已被使用，请更换"]
    }


def test_role_with_a_menu_entry_beyond_the_grantor_is_refused(keeper: Account) -> None:
    answer = ApiClient(keeper).post(
        "/api/Role", build_body(MenuCodes=["order.list", "asset.budget"])
    )

    assert answer.errors == {"MenuCodes": ["不能授予您自己没有的权限：预算余额（本部门及下级）"]}


def test_role_with_a_wider_data_scope_than_the_grantor_is_refused(keeper: Account) -> None:
    answer = ApiClient(keeper).post("/api/Role", build_body(DataScope="group"))

    assert answer.errors == {"MenuCodes": ["不能授予您自己没有的权限：订单列表（全集团）"]}


def test_a_role_without_entries_is_no_way_round_the_scope(keeper: Account) -> None:
    answer = ApiClient(keeper).post("/api/Role", build_body(MenuCodes=[], DataScope="group"))

    assert answer.errors == {"MenuCodes": ["不能授予您自己没有的权限：数据范围“全集团”"]}


def test_role_within_the_grantors_rights_is_created(keeper: Account) -> None:
    assert ApiClient(keeper).post("/api/Role", build_body(DataScope="enterprise")).ok


def test_role_above_the_editors_rights_cannot_be_changed(keeper: Account) -> None:
    wide = RoleFactory(
        group=keeper.group, code="wide", menu_codes=["asset.budget"], data_scope=DataScope.GROUP
    )

    answer = ApiClient(keeper).patch(f"/api/Role/{wide.pk}", build_body(Code="wide"))

    assert (answer.code, answer.message) == (
        "wrong_state",
        "该角色的权限超出您自己的权限，请联系集团管理员修改",
    )


def test_role_held_outside_the_data_scope_cannot_be_changed(keeper: Account) -> None:
    shared = RoleFactory(
        group=keeper.group, code="shared", menu_codes=["order.list"], data_scope=DataScope.OWN
    )
    AccountFactory(department=DepartmentFactory(enterprise__group=keeper.group), roles=[shared])

    answer = ApiClient(keeper).patch(f"/api/Role/{shared.pk}", build_body(Code="shared"))

    assert "还有 1 人不在您的数据范围内" in answer.message


def test_a_changed_role_counts_on_the_next_request(ga: Account, limited: Account) -> None:
    client, role = ApiClient(limited), limited.roles.get()
    before = client.get("/api/Order").code

    ApiClient(ga).patch(
        f"/api/Role/{role.pk}", build_body(Code="limited", MenuCodes=["asset.budget"])
    )

    assert (before, client.get("/api/Order").code) == ("ok", "forbidden")


def test_partial_role_update_keeps_the_other_fields(ga: Account) -> None:
    created = (
        ApiClient(ga).post("/api/Role", build_body(MenuCodes=["order.list", "asset.budget"])).body
    )

    changed = ApiClient(ga).patch(f"/api/Role/{created['Id']}", {"Name": "库管"}).body

    assert changed == {**created, "Name": "库管", "UpdatedAt": changed["UpdatedAt"]}


def test_outdated_role_edit_is_stale_and_returns_the_current_role(
    ga: Account, limited: Account
) -> None:
    role, client = limited.roles.get(), ApiClient(ga)
    seen = client.get(f"/api/Role/{role.pk}").body["UpdatedAt"]
    client.patch(f"/api/Role/{role.pk}", build_body(Code="limited", UpdatedAt=seen))

    late = client.patch(
        f"/api/Role/{role.pk}", build_body(Code="limited", Name="别名", UpdatedAt=seen)
    )

    assert (late.code, late.body["Name"]) == ("stale", "仓管")


def test_role_change_is_recorded_with_before_and_after(ga: Account, limited: Account) -> None:
    role = limited.roles.get()
    ApiClient(ga).patch(
        f"/api/Role/{role.pk}", build_body(Code="limited", MenuCodes=["order.list"])
    )

    stored_values = {
        row["label"]: (row["before"], row["after"])
        for row in OrganisationChange.objects.get().changes
    }
    assert stored_values["菜单权限"] == ("订单列表、预算余额", "订单列表")
    assert stored_values["数据范围"] == ("仅本人", "本部门及下级")


def test_role_copy_has_the_same_rights_and_no_holders(ga: Account, limited: Account) -> None:
    source = limited.roles.get()

    copy = ApiClient(ga).post(f"/api/Role/{source.pk}/Copy", {"Name": "受限二"}).body

    assert (copy["Name"], copy["MenuCodes"], copy["HolderCount"]) == (
        "受限二",
        ["order.list", "asset.budget"],
        0,
    )


def test_role_holders_are_listed_within_the_data_scope(ga: Account, keeper: Account) -> None:
    role = RoleFactory(group=ga.group, code="many", menu_codes=[])
    AccountFactory(department=ga.department, username="near", roles=[role])
    AccountFactory(
        department=DepartmentFactory(enterprise__group=ga.group), username="far", roles=[role]
    )

    everyone, near = (
        ApiClient(person).get(f"/api/Role/{role.pk}/Accounts").body["Items"]
        for person in (ga, keeper)
    )
    assert [row["UserName"] for row in everyone] == ["near", "far"]
    assert [row["UserName"] for row in near] == ["near"]


def test_role_in_use_cannot_be_deleted(ga: Account, limited: Account) -> None:
    answer = ApiClient(ga).delete(f"/api/Role/{limited.roles.get().pk}")

    assert (answer.code, answer.message) == (
        "wrong_state",
        "还有 1 个账号使用该角色，请先为他们更换角色再删除",
    )


def test_a_role_that_a_rule_names_is_not_deleted(ga: Account) -> None:
    role = RoleFactory(group=ga.group, code="free")
    rule = ApprovalRule.objects.create(name="大额")
    ApprovalRuleStep.objects.create(rule=rule, no=1, approver_kind="role", role=role)

    answer = ApiClient(ga).delete(f"/api/Role/{role.pk}")

    assert answer.message == "该角色被审批规则指定为审批人，请先修改审批规则再删除"
    assert Role.objects.filter(pk=role.pk).exists()


def test_an_unused_role_is_deleted(ga: Account) -> None:
    role = RoleFactory(group=ga.group, code="free")

    assert ApiClient(ga).delete(f"/api/Role/{role.pk}").message == "角色已删除"
    assert not Role.objects.filter(pk=role.pk).exists()


def test_the_list_costs_four_queries(ga: Account) -> None:
    RoleFactory.create_batch(5, group=ga.group)
    client = ApiClient(ga)
    with assert_queries(4):
        client.get("/api/Role")


def test_role_of_another_group_is_not_found(other_ga: Account, limited: Account) -> None:
    role = limited.roles.get()

    assert ApiClient(other_ga).patch(f"/api/Role/{role.pk}", build_body()).status == 404


def test_a_role_without_a_purchasing_right_may_order(ga: Account) -> None:
    answer = ApiClient(ga).post("/api/Role", build_body())

    assert (answer.body["Purchasing"], answer.body["PurchasingText"]) == ("order", "下单")


def test_a_changed_purchasing_right_is_in_the_history(ga: Account) -> None:
    role = RoleFactory(group=ga.group, code="clerk")

    changed = ApiClient(ga).patch(f"/api/Role/{role.pk}", {"Purchasing": "unpriced"})

    assert changed.body["PurchasingText"] == "仅浏览（不显示价格）"
    assert OrganisationChange.objects.get().changes == [
        {
            "field": "purchasing",
            "label": "采购权限",
            "before": "下单",
            "after": "仅浏览（不显示价格）",
        }
    ]


def test_a_copy_has_the_same_purchasing_right(ga: Account) -> None:
    role = RoleFactory(group=ga.group, purchasing=PurchasingRight.BROWSE)

    copy = ApiClient(ga).post(f"/api/Role/{role.pk}/Copy", {"Name": "副本"})

    assert copy.body["Purchasing"] == "browse"


def test_role_with_a_purchasing_right_above_the_grantor_is_refused(keeper: Account) -> None:
    keeper.roles.update(purchasing=PurchasingRight.REQUEST)

    assert ApiClient(keeper).post("/api/Role", build_body()).errors == {
        "Purchasing": ["不能授予您自己没有的采购权限“下单”，请选择更低的权限"]
    }
    assert ApiClient(keeper).post("/api/Role", build_body(Purchasing="request")).ok


def test_role_with_a_purchasing_right_above_the_editor_cannot_be_changed(keeper: Account) -> None:
    keeper.roles.update(purchasing=PurchasingRight.REQUEST)
    ordering = RoleFactory(group=keeper.group, code="order", menu_codes=["order.list"])

    answer = ApiClient(keeper).patch(f"/api/Role/{ordering.pk}", {"Name": "改名"})

    assert answer.message == "该角色的权限超出您自己的权限，请联系集团管理员修改"


OF_ALL = {"CategoryId": None, "CategoryName": ""}
LIMITS: list[dict[str, Any]] = [
    {"Period": "month", "Amount": "5000.00", "Action": "approve", **OF_ALL},
    {"Period": "order", "Amount": "500.00", "Action": "refuse", **OF_ALL},
]


def test_limits_of_a_role_are_saved_and_in_the_history(ga: Account) -> None:
    role = RoleFactory(group=ga.group, code="clerk")

    saved = ApiClient(ga).patch(f"/api/Role/{role.pk}", {"Limits": LIMITS})

    assert saved.body["Limits"] == LIMITS
    assert OrganisationChange.objects.get().changes == [
        {
            "field": "limits",
            "label": "采购限额",
            "before": "",
            "after": "每单 ¥500.00（超出不允许提交）、每月 ¥5,000.00（超出需要审批）",
        }
    ]


def test_partial_role_update_keeps_the_limits(ga: Account) -> None:
    role = RoleFactory(group=ga.group, code="clerk")
    ApiClient(ga).patch(f"/api/Role/{role.pk}", {"Limits": LIMITS})

    changed = ApiClient(ga).patch(f"/api/Role/{role.pk}", {"Name": "文员"})

    assert changed.body["Limits"] == LIMITS
    assert ApiClient(ga).post(f"/api/Role/{role.pk}/Copy", {"Name": "副本"}).body["Limits"] == [
        LIMITS[1],
        LIMITS[0],
    ]


def test_only_a_group_admin_changes_role_limits(keeper: Account, ga: Account) -> None:
    role = keeper.roles.get()
    ApiClient(ga).patch(f"/api/Role/{role.pk}", {"Limits": LIMITS})

    for limits in ([], LIMITS[:1]):
        answer = ApiClient(keeper).patch(f"/api/Role/{role.pk}", {"Limits": limits})
        assert answer.message == "只有集团管理员可以设置采购限额，请联系集团管理员"
    assert ApiClient(keeper).patch(f"/api/Role/{role.pk}", {"Limits": LIMITS}).ok


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ([LIMITS[0], LIMITS[0]], "Limits"),
        ([{**LIMITS[0], "Amount": "0.00"}], "Limits.0.Amount"),
        ([{**LIMITS[0], "Period": "year"}], "Limits.0.Period"),
    ],
)
def test_bad_limits_are_refused(ga: Account, limits: list[dict[str, Any]], field: str) -> None:
    role = RoleFactory(group=ga.group, code="clerk")

    assert field in ApiClient(ga).patch(f"/api/Role/{role.pk}", {"Limits": limits}).errors


def test_only_a_group_admin_restricts_checkout_choices(keeper: Account, ga: Account) -> None:
    role = keeper.roles.get()
    choices = {"PaymentKinds": ["online"], "AddressScope": "own"}

    saved = ApiClient(ga).patch(f"/api/Role/{role.pk}", choices)

    assert (saved.body["PaymentKinds"], saved.body["AddressScope"]) == (["online"], "own")
    answer = ApiClient(keeper).patch(f"/api/Role/{role.pk}", {"PaymentKinds": []})
    assert answer.message == "只有集团管理员可以设置可用付款方式和收货地址，请联系集团管理员"
    assert ApiClient(keeper).patch(f"/api/Role/{role.pk}", {"Name": "改名"}).ok
