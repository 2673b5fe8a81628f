"""/api/Account as the page 账号管理 uses it."""

from __future__ import annotations

from typing import Any

import pytest

from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.identity.models import TokenFamily
from apps.org.enums import AccountType, DataScope
from apps.org.errors import NameLimitReached
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, OrganisationChange
from apps.org.services import user_names
from apps.org.tests.factories import (
    PASSWORD,
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)

TAKEN = {"UserName": ["该账号名已被使用，请更换"]}
# The caller's own password. It proves that the owner uses the token.
OWN = {"Password": PASSWORD}
CODES = [MenuCode.MANAGEMENT_ACCOUNT, MenuCode.ORDER_LIST]


def build_body(department: Department, **more: Any) -> dict[str, Any]:
    return {"UserName": "zhang.san", "NickName": "张三", "DepartmentId": str(department.pk), **more}


@pytest.fixture
def below(department: Department) -> Department:
    return DepartmentFactory(enterprise=department.enterprise, parent=department, name="行政一组")


@pytest.fixture
def clerk(department: Department) -> Account:
    """An account that manages the accounts of 行政部 and below, and can grant orders there."""
    role = RoleFactory(
        group=department.group,
        code="clerk",
        name="部门管理员",
        menu_codes=CODES,
        data_scope=DataScope.DEPARTMENT,
    )
    return AccountFactory(department=department, username="clerk", nickname="小管", roles=[role])


def list_names(client: ApiClient, **query: Any) -> set[str]:
    return {row["UserName"] for row in client.get("/api/Account", query).body["Items"]}


@pytest.mark.parametrize("field", ["username", "nickname", "full_name", "mobile", "email"])
def test_a_keyword_finds_by_each_name(ga: Account, below: Department, field: str) -> None:
    AccountFactory(department=below, **{"username": "wanted", field: "findme@yf.cn"})

    assert len(list_names(ApiClient(ga), Keyword="INDME@")) == 1


def test_department_filter_includes_child_departments(
    ga: Account, department: Department, below: Department
) -> None:
    AccountFactory(department=below, username="under")
    AccountFactory(
        department=DepartmentFactory(enterprise=department.enterprise), username="beside"
    )

    assert list_names(ApiClient(ga), DepartmentId=department.pk) == {"ga", "under"}


def test_account_state_filter_separates_active_pending_and_disabled(
    ga: Account, department: Department
) -> None:
    waiting = AccountFactory(department=department, username="waiting")
    waiting.set_unusable_password()
    waiting.save()
    AccountFactory(department=department, username="gone", is_active=False)

    counts = {
        state: list_names(ApiClient(ga), State=state) for state in ("active", "pending", "disabled")
    }
    assert counts == {"active": {"ga"}, "pending": {"waiting"}, "disabled": {"gone"}}


def test_role_enterprise_and_kind_are_filters(ga: Account, clerk: Account) -> None:
    away = AccountFactory(
        department=DepartmentFactory(enterprise=EnterpriseFactory(group=ga.group)), username="away"
    )

    client = ApiClient(ga)
    assert list_names(client, RoleId=clerk.roles.get().pk) == {"clerk"}
    assert list_names(client, EnterpriseId=away.enterprise_id) == {"away"}
    assert list_names(client, UserType="GA") == {"ga"}


def test_account_list_follows_the_data_scope(clerk: Account, below: Department) -> None:
    AccountFactory(department=below, username="under")
    AccountFactory(department=DepartmentFactory(enterprise=below.enterprise), username="beside")

    assert list_names(ApiClient(clerk)) == {"clerk", "under"}


def test_the_list_costs_seven_queries_for_a_department(clerk: Account, below: Department) -> None:
    AccountFactory.create_batch(5, department=below, roles=list(clerk.roles.all()))
    client = ApiClient(clerk)
    with assert_queries(7):
        assert (
            len(
                client.get("/api/Account", {"DepartmentId": below.pk, "Keyword": "user"}).body[
                    "Items"
                ]
            )
            == 5
        )


def test_the_list_costs_four_queries_for_the_group(ga: Account, clerk: Account) -> None:
    client = ApiClient(ga)
    with assert_queries(4):
        client.get("/api/Account")


def test_new_account_has_its_department_and_roles(
    ga: Account, below: Department, clerk: Account
) -> None:
    role = clerk.roles.get()
    answer = ApiClient(ga).post(
        "/api/Account",
        build_body(below, UserName="Zhang.San", RoleIds=[str(role.pk)], Mobile="13912345678"),
    )

    assert answer.message == "账号已新增"
    row = answer.body
    assert (row["UserName"], row["Department"]["Name"], row["Roles"][0]["Name"]) == (
        "zhang.san",
        "行政一组",
        "部门管理员",
    )
    assert (row["StateText"], row["Enterprise"]["Name"], row["Invitation"]) == (
        "待激活",
        "云帆科技有限公司",
        None,
    )


def test_user_name_taken_in_another_group_is_refused(
    ga: Account, department: Department, other_ga: Account
) -> None:
    answer = ApiClient(ga).post("/api/Account", build_body(department, UserName="OTHER"))

    assert answer.errors == TAKEN


@pytest.mark.parametrize(
    "wrong",
    [
        {"RoleIds": ["999999"]},
        {"DepartmentId": "999999"},
        {"Mobile": "12"},
        {"UserType": "GA"},
        {"Invite": "mail"},
        {"Mobile": "13800000000"},
    ],
)
def test_invalid_account_form_does_not_reveal_names_of_other_customers(
    clerk: Account, buyer: Account, other_ga: Account, wrong: dict[str, Any]
) -> None:
    form = build_body(clerk.department, **wrong)
    free, taken = (
        ApiClient(clerk).post("/api/Account", {**form, "UserName": name})
        for name in ("free.name", other_ga.username)
    )

    assert not taken.ok
    assert "UserName" not in taken.errors
    assert (taken.code, taken.message, taken.body) == (free.code, free.message, free.body)


def test_a_group_that_has_heard_of_too_many_names_opens_no_account_under_any(
    ga: Account, department: Department, other_ga: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_names, "TAKEN_PER_DAY", 2)
    client = ApiClient(ga)
    taken = build_body(department, UserName=other_ga.username)
    # The idempotency key opens a transaction. The refusal rolls it back, but not the count.
    heard = [client.post("/api/Account", taken, key=make_key()).errors for _ in range(2)]
    after = [
        client.post("/api/Account", {**taken, "UserName": name})
        for name in (other_ga.username, "free.name", "ga")
    ]

    assert heard == [TAKEN] * 2
    assert {(answer.code, answer.message) for answer in after} == {
        ("too_soon", NameLimitReached.message)
    }
    assert not Account.objects.filter(username="free.name").exists()


def test_taken_names_of_the_own_group_do_not_count_toward_the_limit(
    ga: Account, department: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_names, "TAKEN_PER_DAY", 1)
    client = ApiClient(ga)

    assert [
        client.post("/api/Account", build_body(department, UserName="ga")).errors for _ in range(3)
    ] == [TAKEN] * 3


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"UserName": "张三"}, "UserName"),
        ({"UserName": "-x"}, "UserName"),
        ({"Mobile": "12"}, "Mobile"),
        ({"Email": "nobody"}, "Email"),
        ({"NickName": ""}, "NickName"),
        ({"DepartmentId": "999999"}, "DepartmentId"),
        ({"RoleIds": ["999999"]}, "RoleIds"),
    ],
)
def test_a_wrong_field_is_named(
    ga: Account, department: Department, change: dict[str, Any], key: str
) -> None:
    assert list(ApiClient(ga).post("/api/Account", build_body(department, **change)).errors) == [
        key
    ]


def test_new_account_outside_the_data_scope_is_refused(
    clerk: Account, department: Department
) -> None:
    beside = DepartmentFactory(enterprise=department.enterprise)

    assert ApiClient(clerk).post("/api/Account", build_body(beside)).errors == {
        "DepartmentId": ["请选择您数据范围内的启用部门"]
    }


def test_role_with_more_rights_than_the_grantor_is_refused(
    clerk: Account, below: Department
) -> None:
    wide = RoleFactory(
        group=clerk.group,
        name="企业采购",
        menu_codes=["order.list"],
        data_scope=DataScope.ENTERPRISE,
    )

    answer = ApiClient(clerk).post("/api/Account", build_body(below, RoleIds=[wide.pk]))

    assert answer.errors == {
        "RoleIds": ["不能授予角色“企业采购”，它包含您自己没有的权限：订单列表（本企业）"]
    }


def test_only_a_group_admin_creates_a_group_admin(clerk: Account, below: Department) -> None:
    assert list(
        ApiClient(clerk).post("/api/Account", build_body(below, UserType="GA", **OWN)).errors
    ) == ["UserType"]


def test_account_with_more_rights_cannot_be_changed_reset_or_disabled(
    clerk: Account, ga: Account
) -> None:
    client = ApiClient(clerk)
    answers = [
        client.patch(f"/api/Account/{ga.pk}", {"Email": "mine@yf.cn", **OWN}),
        client.post(f"/api/Account/{ga.pk}/ResetPassword", {"Channel": "code", **OWN}),
        client.post(f"/api/Account/{ga.pk}/Disable"),
    ]

    assert {(answer.code, answer.message) for answer in answers} == {
        ("wrong_state", "该账号的权限超出您自己的权限，请联系集团管理员操作")
    }
    assert not client.get(f"/api/Account/{ga.pk}").body["CanManage"]


def test_move_and_role_change_apply_at_once_and_are_recorded(
    ga: Account, buyer: Account, below: Department
) -> None:
    client = ApiClient(buyer)
    ApiClient(ga).patch(f"/api/Account/{buyer.pk}", {"DepartmentId": below.pk, "RoleIds": []})

    assert client.get("/api/Order").code == "forbidden"
    row = OrganisationChange.objects.get()
    assert (row.action, row.subject_name) == ("move", "小采（buyer）")
    assert [(change["label"], change["before"], change["after"]) for change in row.changes] == [
        ("部门", "行政部", "行政一组"),
        ("角色", "采购员", ""),
    ]


def test_many_roles_add_up(ga: Account, limited: Account) -> None:
    more = RoleFactory(group=ga.group, menu_codes=["report.order"])
    keys = [*limited.roles.values_list("pk", flat=True), more.pk]

    ApiClient(ga).patch(f"/api/Account/{limited.pk}", {"RoleIds": keys})

    codes = ApiClient(limited).post("/api/Account/GetUserMenuList").body
    assert codes == ["order", "order.list", "report", "report.order", "asset", "asset.budget"]


def test_outdated_account_edit_is_refused_as_stale(ga: Account, buyer: Account) -> None:
    client = ApiClient(ga)
    seen = client.get(f"/api/Account/{buyer.pk}").body["UpdatedAt"]
    client.patch(f"/api/Account/{buyer.pk}", {"NickName": "先改", "UpdatedAt": seen})

    late = client.patch(f"/api/Account/{buyer.pk}", {"NickName": "后改", "UpdatedAt": seen})

    assert (late.code, late.body["NickName"]) == ("stale", "先改")


def test_the_last_admin_is_neither_demoted_nor_disabled(ga: Account) -> None:
    client = ApiClient(ga)
    demoted = client.patch(f"/api/Account/{ga.pk}", {"UserType": "NU"})
    AccountFactory(department=ga.department, kind=AccountType.GROUP_ADMIN, is_active=False)

    assert demoted.message == "这是贵司最后一个启用的集团管理员，请先将其他账号设为集团管理员"
    assert client.post(f"/api/Account/{ga.pk}/Disable").message == "不能停用自己的账号"
    assert Account.objects.get(pk=ga.pk).is_group_admin


def test_one_of_two_group_admins_may_be_demoted(ga: Account) -> None:
    second = AccountFactory(department=ga.department, kind=AccountType.GROUP_ADMIN)

    assert (
        ApiClient(ga).patch(f"/api/Account/{second.pk}", {"UserType": "NU"}).body["UserType"]
        == "NU"
    )


def test_a_reset_ends_the_password_and_every_sign_in(ga: Account, buyer: Account) -> None:
    signed_in = ApiClient(buyer)
    reset = {"Channel": "code", **OWN}
    body = ApiClient(ga).post(f"/api/Account/{buyer.pk}/ResetPassword", reset).body

    assert signed_in.get("/api/Account/Profile").status == 401
    assert not TokenFamily.objects.filter(account=buyer, revoked_at=None).exists()
    again = ApiClient().post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD})
    assert again.code == "wrong_credentials"
    assert len(body["Code"]) == 14
    back = ApiClient().post(
        "/api/Account/ResetPassword",
        {"UserName": "buyer", "Code": body["Code"], "NewPassword": PASSWORD},
    )
    assert back.errors == {"NewPassword": ["不能使用最近 5 次用过的密码，请更换"]}


def test_account_in_a_disabled_department_cannot_be_enabled(ga: Account, below: Department) -> None:
    client, person = ApiClient(ga), AccountFactory(department=below, is_active=False)
    client.post(f"/api/Department/{below.pk}/Disable", {})

    refused = client.post(f"/api/Account/{person.pk}/Enable")
    client.patch(f"/api/Account/{person.pk}", {"DepartmentId": str(ga.department_id)})

    assert refused.message == "其部门“行政一组”已停用，请先将账号移到启用的部门，再启用"
    assert client.post(f"/api/Account/{person.pk}/Enable").ok


def test_account_key_must_be_numeric(ga: Account) -> None:
    assert ApiClient(ga).get("/api/Account/Profile").body["UserName"] == "ga"
    assert ApiClient(ga).get("/api/Account/nobody").status == 404


WRONG = {"Password": ["登录密码不正确，请重新输入"]}
MISSING = {"Password": ["请输入您的登录密码，以证明是您本人操作"]}


@pytest.mark.parametrize("change", [{"Email": "thief@evil.example"}, {"Mobile": "13911112222"}])
def test_a_stolen_token_changes_no_contact_of_a_colleague(
    ga: Account, buyer: Account, change: dict[str, str]
) -> None:
    client, address = ApiClient(ga), f"/api/Account/{buyer.pk}"

    assert client.patch(address, change).errors == MISSING
    assert client.patch(address, {**change, "Password": "guess"}).errors == WRONG
    assert client.patch(address, {**change, **OWN}).ok


def test_a_stolen_token_gets_no_code_for_a_colleague(ga: Account, buyer: Account) -> None:
    client, address = ApiClient(ga), f"/api/Account/{buyer.pk}/ResetPassword"

    assert client.post(address, {"Channel": "code"}).errors == MISSING
    assert client.post(address, {"Channel": "code", "Password": "guess"}).errors == WRONG
    assert client.post(address, {"Channel": "code", **OWN}).body["Code"]


def test_a_stolen_token_gets_no_code_for_an_invited_colleague(
    ga: Account, department: Department
) -> None:
    client = ApiClient(ga)
    pending = client.post("/api/Account", build_body(department)).body["Id"]

    assert client.post(f"/api/Account/{pending}/Invite", {"Channel": "code"}).errors == MISSING
    assert client.post("/api/Account", build_body(department, Invite="code")).errors == MISSING


def test_a_stolen_token_makes_no_admin(ga: Account, buyer: Account, department: Department) -> None:
    client = ApiClient(ga)

    assert client.post("/api/Account", build_body(department, UserType="GA")).errors == MISSING
    assert client.patch(f"/api/Account/{buyer.pk}", {"UserType": "GA"}).errors == MISSING
    assert client.patch(f"/api/Account/{buyer.pk}", {"UserType": "GA", **OWN}).ok


def test_change_without_access_effect_requires_no_password(ga: Account, buyer: Account) -> None:
    same = {"NickName": "新名", "Mobile": buyer.mobile, "Email": buyer.email, "UserType": "NU"}

    assert ApiClient(ga).patch(f"/api/Account/{buyer.pk}", same).ok


def test_a_wrong_password_is_counted_although_the_call_is_undone(
    ga: Account, buyer: Account
) -> None:
    client = ApiClient(ga)
    wrong = {"Channel": "code", "Password": "guess"}
    for _ in range(5):
        client.post(f"/api/Account/{buyer.pk}/ResetPassword", wrong, key=make_key())

    answer = client.post(f"/api/Account/{buyer.pk}/ResetPassword", {"Channel": "code", **OWN})
    assert answer.errors == {"Password": ["登录密码错误次数过多，请 15 分钟后再试"]}
