"""/api/Address: the login decides about personal addresses, the menu code and the data scope
about shared ones.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.testing import ApiClient, assert_queries
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Address, Department, Enterprise
from apps.org.tests.factories import (
    AccountFactory,
    AddressFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)

URL = "/api/Address"
BODY = {
    "Receiver": "李雷",
    "Mobile": "13812345678",
    "Province": "上海市",
    "City": "上海市",
    "District": "浦东新区",
    "Street": "张江路 1 号",
    "PostalCode": "201203",
}


def list_receivers(client: ApiClient) -> set[str]:
    return {row["Receiver"] for row in client.get(URL).body["Items"]}


@pytest.fixture
def shared(department: Department) -> dict[str, Address]:
    """One shared address of each kind, and some that belong to others."""
    enterprise = department.enterprise
    below = DepartmentFactory(enterprise=enterprise, parent=department)
    elsewhere = EnterpriseFactory(group=enterprise.group)
    return {
        "group": AddressFactory(group=enterprise.group, enterprise=None, receiver="集团"),
        "enterprise": AddressFactory(enterprise=enterprise, receiver="企业"),
        "department": AddressFactory(enterprise=enterprise, department=department, receiver="部门"),
        "below": AddressFactory(enterprise=enterprise, department=below, receiver="下级部门"),
        "elsewhere": AddressFactory(enterprise=elsewhere, receiver="别的企业"),
        "colleague": AddressFactory(
            enterprise=enterprise, account=AccountFactory(department=department), receiver="同事"
        ),
    }


def manager(department: Department, scope: DataScope) -> ApiClient:
    role = RoleFactory(
        group=department.group, menu_codes=[MenuCode.MANAGEMENT_ADDRESS], data_scope=scope
    )
    return ApiClient(AccountFactory(department=department, roles=[role]))


def test_usable_addresses_are_shared_from_the_department_upwards(
    limited: Account, shared: dict[str, Address]
) -> None:
    assert list_receivers(ApiClient(limited)) == {"集团", "企业", "部门"}


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (DataScope.OWN, set()),
        (DataScope.DEPARTMENT, {"部门", "下级部门"}),
        (DataScope.ENTERPRISE, {"企业", "部门", "下级部门"}),
        (DataScope.GROUP, {"集团", "企业", "部门", "下级部门", "别的企业"}),
    ],
)
def test_shared_addresses_are_editable_within_the_data_scope(
    department: Department, shared: dict[str, Address], scope: DataScope, expected: set[str]
) -> None:
    rows = manager(department, scope).get(URL).body["Items"]

    assert {row["Receiver"] for row in rows if row["CanEdit"]} == expected


def list_usable(client: ApiClient, **query: Any) -> set[str]:
    return {row["Receiver"] for row in client.get(URL, {"Usable": True, **query}).body["Items"]}


def test_group_admin_orders_to_addresses_of_the_ordering_enterprise_and_department(
    ga: Account, shared: dict[str, Address]
) -> None:
    client = ApiClient(ga)
    seen = list_receivers(client)
    assert {address.receiver for address in shared.values() if address.account_id is None} <= seen
    known = {name: address.receiver for name, address in shared.items()}
    usable = list_usable(client)
    assert (usable < seen, known["elsewhere"] in usable, known["below"] in usable) == (
        True,
        False,
        False,
    )
    assert list_usable(client, OrderDepartmentId=shared["below"].department_id) == usable | {
        known["below"]
    }


def test_department_outside_the_purchasing_scope_adds_no_addresses(
    limited: Account, shared: dict[str, Address]
) -> None:
    client = ApiClient(limited)
    assert list_usable(client, OrderDepartmentId=shared["below"].department_id) == list_usable(
        client
    )


def test_new_private_address_is_listed(limited: Account) -> None:
    client = ApiClient(limited)
    created = client.post(URL, {**BODY, "IsDefault": True}).body

    assert created["FullText"] == "上海市浦东新区张江路 1 号"
    assert (created["OwnerType"], created["CanEdit"], created["IsDefault"]) == (
        "account",
        True,
        True,
    )
    assert client.get(f"{URL}/{created['Id']}").body == created


def test_private_address_is_hidden_from_a_colleague(limited: Account, approver: Account) -> None:
    pk = ApiClient(limited).post(URL, BODY).body["Id"]

    assert ApiClient(approver).get(f"{URL}/{pk}").status == 404


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (
            {"Mobile": "1381234"},
            "Mobile",
            "请输入 11 位手机号码，或带区号的固定电话（如 010-88888888）",
        ),
        (
            {"Mobile": "23812345678"},
            "Mobile",
            "请输入 11 位手机号码，或带区号的固定电话（如 010-88888888）",
        ),
        ({"PostalCode": "20120"}, "PostalCode", "邮政编码为 6 位数字"),
        ({"Receiver": ""}, "Receiver", "请填写收货人"),
        ({"Street": "路" * 201}, "Street", "详细地址最多 200 个字"),
        ({"OwnerType": "planet"}, "OwnerType", "“planet”不在可选范围内，请重新选择"),
        ({"GroupId": "1"}, "GroupId", "不支持的字段"),
        ({"Province": "新疆"}, "Province", "没有名为“新疆”的省份，请填写全称"),
        ({"City": "杭州市"}, "City", "“上海市”没有名为“杭州市”的城市，请填写全称"),
        ({"District": "余杭区"}, "District", "“上海市”没有名为“余杭区”的区县，请填写全称"),
    ],
)
def test_a_wrong_address_names_the_field_and_is_not_written(
    limited: Account, change: dict[str, Any], field: str, message: str
) -> None:
    answer = ApiClient(limited).post(URL, {**BODY, **change})

    assert answer.errors == {field: [message]}
    assert Address.objects.count() == 0


def test_account_has_one_default_address_after_an_enterprise_change(limited: Account) -> None:
    AddressFactory(
        enterprise=EnterpriseFactory(group=limited.group), account=limited, is_default=True
    )

    new = ApiClient(limited).post(URL, {**BODY, "IsDefault": True}).body["Id"]

    assert [str(row.pk) for row in Address.objects.filter(is_default=True)] == [new]


def test_province_change_requires_the_city_and_old_values_may_stay(limited: Account) -> None:
    old = AddressFactory(
        enterprise=limited.enterprise, account=limited, province="上海", city="上海"
    )
    client = ApiClient(limited)

    assert list(client.patch(f"{URL}/{old.pk}", {"Province": "浙江省"}).errors) == ["City"]
    assert (
        client.patch(f"{URL}/{old.pk}", {"Street": "新路 2 号"}).body["FullText"]
        == "上海浦东新区新路 2 号"
    )


@pytest.mark.parametrize("mobile", ["13812345678", "021-68888888", "0755-88888888-8001"])
def test_mobiles_and_landlines_are_taken(limited: Account, mobile: str) -> None:
    assert ApiClient(limited).post(URL, {**BODY, "Mobile": mobile}).ok


def test_a_second_default_takes_the_place_of_the_first(limited: Account) -> None:
    client = ApiClient(limited)
    first = client.post(URL, {**BODY, "IsDefault": True}).body["Id"]
    second = client.post(URL, {**BODY, "IsDefault": True}).body["Id"]

    assert {row["Id"]: row["IsDefault"] for row in client.get(URL).body["Items"]} == {
        first: False,
        second: True,
    }


def test_address_change_keeps_the_other_fields(limited: Account) -> None:
    client = ApiClient(limited)
    created = client.post(URL, BODY).body

    changed = client.patch(f"{URL}/{created['Id']}", {"Receiver": "韩梅梅"}).body
    assert changed == {**created, "Receiver": "韩梅梅", "UpdatedAt": changed["UpdatedAt"]}


def test_address_owner_cannot_be_changed(limited: Account) -> None:
    client = ApiClient(limited)
    pk = client.post(URL, BODY).body["Id"]

    assert client.patch(f"{URL}/{pk}", {"OwnerType": "group"}).errors == {
        "OwnerType": ["不支持的字段"]
    }


def test_deleted_address_is_hidden_but_kept_for_orders(limited: Account) -> None:
    client = ApiClient(limited)
    pk = client.post(URL, BODY).body["Id"]

    assert client.delete(f"{URL}/{pk}").ok
    assert client.get(f"{URL}/{pk}").status == 404
    assert Address.objects.get(pk=pk).is_active is False


def test_a_shared_address_is_not_changed_without_the_menu(
    limited: Account, shared: dict[str, Address]
) -> None:
    answer = ApiClient(limited).patch(f"{URL}/{shared['enterprise'].pk}", {"Receiver": "我"})

    assert (answer.status, answer.message) == (
        403,
        "这是共用地址，请联系有“收货地址”权限的管理员修改",
    )
    assert Address.objects.get(pk=shared["enterprise"].pk).receiver == "企业"


def test_address_above_the_data_scope_cannot_be_deleted(
    department: Department, shared: dict[str, Address]
) -> None:
    client = manager(department, DataScope.ENTERPRISE)

    assert client.delete(f"{URL}/{shared['group'].pk}").status == 403
    assert client.delete(f"{URL}/{shared['enterprise'].pk}").ok


@pytest.mark.parametrize(
    ("scope", "owner", "is_created"),
    [
        (DataScope.OWN, "enterprise", False),
        (DataScope.DEPARTMENT, "enterprise", False),
        (DataScope.DEPARTMENT, "department", True),
        (DataScope.ENTERPRISE, "enterprise", True),
        (DataScope.ENTERPRISE, "group", False),
        (DataScope.GROUP, "group", True),
    ],
)
def test_shared_address_is_created_within_the_data_scope(
    department: Department, scope: DataScope, owner: str, is_created: bool
) -> None:
    assert manager(department, scope).post(URL, {**BODY, "OwnerType": owner}).ok is is_created


def test_address_for_an_enterprise_of_another_group_is_refused(
    ga: Account, other_ga: Account
) -> None:
    answer = ApiClient(ga).post(
        URL, {**BODY, "OwnerType": "enterprise", "EnterpriseId": str(other_ga.enterprise_id)}
    )

    assert answer.errors == {"EnterpriseId": ["请选择企业"]}


@pytest.mark.parametrize("pk", ["0", "abc", "9" * 18, "-1", "1.5", "１"])
def test_invalid_address_key_is_not_found(limited: Account, pk: str) -> None:
    assert ApiClient(limited).get(f"{URL}/{pk}").status == 404


def test_the_list_costs_the_same_for_many(limited: Account) -> None:
    client = ApiClient(limited)
    client.post(URL, BODY)
    with assert_queries(6):  # bearer, department chain, roles, count, rows, edit rights
        client.get(URL)
    AddressFactory.create_batch(9, enterprise=limited.enterprise)
    with assert_queries(6):
        assert client.get(URL).body["Total"] == 10


def test_enterprises_and_departments_are_listed_within_the_data_scope(
    limited: Account, ga: Account, other_ga: Account, enterprise: Enterprise
) -> None:
    DepartmentFactory(enterprise=EnterpriseFactory(group=enterprise.group))

    assert [ApiClient(who).get("/api/Enterprise").body["Total"] for who in (limited, ga)] == [1, 2]
    assert [ApiClient(who).get("/api/Department").body["Total"] for who in (limited, ga)] == [1, 2]


def test_menu_tree_has_five_groups_and_requires_role_management(
    ga: Account, limited: Account
) -> None:
    assert [len(group["Children"]) for group in ApiClient(ga).get("/api/Role/MenuTree").body] == [
        4,
        8,
        2,
        6,
        2,
    ]
    assert ApiClient(limited).get("/api/Role/MenuTree").status == 403


def test_page_header_names_the_customer_but_shows_a_visitor_nothing(
    limited: Account,
) -> None:
    url = "/api/ManageService/EnterpriseGroupSet"

    assert ApiClient(limited).post(url).body == {
        "CustomerLogo": None,
        "GroupName": "云帆集团",
        "EnterpriseName": "云帆科技有限公司",
    }
    assert ApiClient().post(url).body == {
        "CustomerLogo": None,
        "GroupName": None,
        "EnterpriseName": None,
    }
    assert ApiClient(bearer="expired").post(url).ok


def test_shared_address_writes_lock_the_group(ga: Account, shared: dict[str, Address]) -> None:
    client = ApiClient(ga)
    with CaptureQueriesContext(connection) as run:
        assert client.patch(f"{URL}/{shared['enterprise'].pk}", {"IsDefault": True}).ok

    sql = [query["sql"] for query in run.captured_queries]
    reads = [n for n, text in enumerate(sql) if 'FROM "org_address"' in text]
    locks = [
        n
        for n, text in enumerate(sql)
        if 'FROM "org_group"' in text and text.startswith("SELECT") and "JOIN" not in text
    ]
    assert locks[-1] < reads[0]
    assert ("FOR NO KEY UPDATE" in sql[locks[-1]]) == (connection.vendor == "postgresql")


def test_51st_private_address_is_refused(buyer: Account) -> None:
    client = ApiClient(buyer)
    own = {**BODY, "OwnerType": "account"}
    first = client.post(URL, own)
    row = Address.objects.get(pk=first.body["Id"])
    Address.objects.bulk_create(
        Address(group_id=row.group_id, account=buyer, receiver="李雷", mobile=row.mobile)
        for _ in range(48)
    )

    assert client.post(URL, own).ok
    assert client.post(URL, own).errors == {
        "Receiver": ["最多保存 50 个收货地址，请先删除不用的地址"]
    }
