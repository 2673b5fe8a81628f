"""/api/Department: the department tree (部门管理) with moves, merges, disabling, sheets and
permissions.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.common.models import ColumnMapping
from apps.common.models.import_run import ImportRun
from apps.common.services.wrong_rows import get_wrong_sheet
from apps.common.tenancy import tenant_scope
from apps.common.testing import Answer, ApiClient, assert_queries
from apps.common.testing.faults import CHUNK_WRITTEN, at_statement
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Address, Department, Role
from apps.org.services.department_import import DepartmentWriter
from apps.org.tests.factories import (
    AccountFactory,
    AddressFactory,
    DepartmentFactory,
    EnterpriseFactory,
    RoleFactory,
)

URL = "/api/Department"
HEADER = "企业编码,部门编码,部门名称,上级部门编码,负责人账号,成本中心"


@pytest.fixture
def below(department: Department) -> Department:
    return DepartmentFactory(
        enterprise=department.enterprise, parent=department, code="YF01-OFF", name="文秘组"
    )


@pytest.fixture
def beside(department: Department) -> Department:
    return DepartmentFactory(enterprise=department.enterprise, code="YF01-RD", name="研发部")


def head_of(department: Department, scope: DataScope = DataScope.DEPARTMENT) -> ApiClient:
    role = RoleFactory(
        group=department.group, menu_codes=[MenuCode.MANAGEMENT_DEPARTMENT], data_scope=scope
    )
    return ApiClient(AccountFactory(department=department, roles=[role]))


def move(client: ApiClient, row: Department, parent: Department | None, **more: Any) -> Answer:
    return client.post(
        f"{URL}/{row.pk}/Move", {"ParentId": str(parent.pk) if parent else None, **more}
    )


def build_sheet(client: ApiClient, *lines: str, confirm: bool = False) -> Answer:
    file = SimpleUploadedFile(
        "部门.csv", "\n".join([HEADER, *lines]).encode(), content_type="text/csv"
    )
    return client.upload(
        f"{URL}/Import", {"file": file, **({"Confirm": "true"} if confirm else {})}
    )


def get_history(ga: Account) -> dict[str, Any]:
    row: dict[str, Any] = (
        ApiClient(ga).get("/api/Change", {"SubjectType": "department"}).body["Items"][0]
    )
    return row


def test_new_department_is_created_under_its_parent_and_recorded(
    ga: Account, department: Department
) -> None:
    answer = ApiClient(ga).post(
        URL,
        {"ParentId": str(department.pk), "Code": "YF01-X", "Name": "前台", "HeadId": str(ga.pk)},
    )

    assert (answer.body["ParentId"], answer.body["HeadName"]) == (str(department.pk), "集管")
    assert get_history(ga)["ActionText"] == "新增"


def test_a_code_is_there_once_in_an_enterprise(ga: Account, department: Department) -> None:
    answer = ApiClient(ga).post(
        URL, {"ParentId": str(department.pk), "Code": department.code, "Name": "前台"}
    )

    assert answer.errors == {"Code": ["部门编码在本企业已存在，请更换"]}


def test_head_of_another_group_is_refused(
    ga: Account, other_ga: Account, department: Department
) -> None:
    answer = ApiClient(ga).patch(f"{URL}/{department.pk}", {"HeadId": str(other_ga.pk)})

    assert answer.errors == {"HeadId": ["负责人不存在或已停用，请重新选择"]}


def test_outdated_department_edit_is_refused_as_stale(ga: Account, department: Department) -> None:
    client = ApiClient(ga)
    seen = client.get(f"{URL}/{department.pk}").body["UpdatedAt"]
    client.patch(f"{URL}/{department.pk}", {"CostCenter": "CC-1", "UpdatedAt": seen})

    late = client.patch(f"{URL}/{department.pk}", {"CostCenter": "CC-2", "UpdatedAt": seen})

    assert (late.code, late.body["CostCenter"]) == ("stale", "CC-1")


def test_a_move_takes_the_subtree_along_and_leaves_its_history(
    ga: Account, department: Department, below: Department, beside: Department
) -> None:
    assert move(ApiClient(ga), department, beside).body["ParentId"] == str(beside.pk)

    below.refresh_from_db()
    assert below.parent_id == department.pk
    assert get_history(ga)["Changes"] == [
        {"Field": "parent", "Label": "上级部门", "Before": "（顶级）", "After": "研发部"}
    ]


def test_a_department_is_not_put_below_itself(
    ga: Account, department: Department, below: Department
) -> None:
    for target in (department, below):
        assert move(ApiClient(ga), department, target).errors == {
            "ParentId": ["不能移动到本部门或其下级部门"]
        }


def test_a_department_stays_in_its_enterprise(ga: Account, department: Department) -> None:
    elsewhere = DepartmentFactory(enterprise=EnterpriseFactory(group=department.group))

    assert move(ApiClient(ga), department, elsewhere).errors == {"ParentId": ["须是同一企业的部门"]}


def test_sibling_departments_keep_their_sorted_order(
    ga: Account, department: Department, beside: Department
) -> None:
    client = ApiClient(ga)
    move(client, beside, None, BeforeId=str(department.pk))

    assert [row["Code"] for row in client.get(f"{URL}/Tree").body["Departments"]] == [
        "YF01-RD",
        "YF01-ADM",
    ]


def test_a_merge_moves_people_and_sub_departments_and_disables(
    ga: Account, department: Department, below: Department, beside: Department
) -> None:
    person, address = (
        AccountFactory(department=department),
        AddressFactory(enterprise=department.enterprise, department=department),
    )

    answer = ApiClient(ga).post(f"{URL}/{department.pk}/Merge", {"TargetId": str(beside.pk)})

    for row in (person, address, below, department):
        row.refresh_from_db()
    assert answer.body["Id"] == str(beside.pk)
    assert (person.department_id, address.department_id, below.parent_id) == (
        beside.pk,
        beside.pk,
        beside.pk,
    )
    assert department.is_active is False


def test_department_merge_keeps_one_default_address(
    ga: Account, department: Department, beside: Department
) -> None:
    places = {"enterprise": department.enterprise, "is_default": True}
    own, come = (
        AddressFactory(department=beside, **places),
        AddressFactory(department=department, **places),
    )

    ApiClient(ga).post(f"{URL}/{department.pk}/Merge", {"TargetId": str(beside.pk)})

    come.refresh_from_db()
    assert (come.department, come.is_default) == (beside, False)
    assert list(Address.objects.filter(is_default=True)) == [own]


def test_a_department_is_not_merged_below_itself(
    ga: Account, department: Department, below: Department
) -> None:
    assert list(
        ApiClient(ga).post(f"{URL}/{department.pk}/Merge", {"TargetId": str(below.pk)}).errors
    ) == ["TargetId"]


def test_department_with_members_is_disabled_only_with_a_target(
    ga: Account, below: Department, beside: Department
) -> None:
    person = AccountFactory(department=below)
    client = ApiClient(ga)

    assert (
        client.post(f"{URL}/{below.pk}/Disable", {}).message
        == "该部门还有1 个成员，请选择接收的部门后再停用"
    )
    assert (
        client.post(f"{URL}/{below.pk}/Disable", {"TargetId": str(beside.pk)}).body["IsActive"]
        is False
    )
    person.refresh_from_db()
    assert person.department_id == beside.pk


def test_empty_department_can_be_disabled_and_enabled(ga: Account, below: Department) -> None:
    client = ApiClient(ga)

    assert client.post(f"{URL}/{below.pk}/Disable", {}).body["IsActive"] is False
    assert client.patch(f"{URL}/{below.pk}", {"IsActive": True}).body["IsActive"] is True


def test_department_below_a_disabled_parent_cannot_be_enabled(
    ga: Account, department: Department, below: Department
) -> None:
    Department.objects.filter(pk__in=[department.pk, below.pk]).update(is_active=False)
    answer = ApiClient(ga).patch(f"{URL}/{below.pk}", {"IsActive": True})

    assert (answer.code, answer.message) == (
        "wrong_state",
        "上级部门“行政部”已停用，请先启用上级部门",
    )


def test_only_an_unused_department_can_be_deleted(
    ga: Account, department: Department, beside: Department
) -> None:
    client = ApiClient(ga)

    assert client.delete(f"{URL}/{department.pk}").code == "wrong_state"
    assert client.delete(f"{URL}/{beside.pk}").ok
    assert get_history(ga)["SubjectName"] == "研发部"


def test_department_head_manages_only_his_subtree(
    department: Department, below: Department, beside: Department
) -> None:
    client = head_of(department)

    assert {row["Code"] for row in client.get(f"{URL}/Tree").body["Departments"]} == {
        "YF01-ADM",
        "YF01-OFF",
    }
    assert client.patch(f"{URL}/{beside.pk}", {"Name": "乙"}).status == 404
    assert list(move(client, below, beside).errors) == ["ParentId"]
    assert move(client, below, None).status == 403
    assert list(
        client.post(
            URL, {"EnterpriseId": str(department.enterprise_id), "Code": "T", "Name": "顶级"}
        ).errors
    ) == ["ParentId"]


def test_tree_names_the_departments_that_the_manager_must_leave_to_others(
    department: Department, below: Department, beside: Department, ga: Account
) -> None:
    client = head_of(below, DataScope.ENTERPRISE)
    manager = Account.objects.get(department=below)
    Department.objects.filter(pk__in=[below.pk, beside.pk]).update(head=manager)
    Account.objects.filter(pk=ga.pk).update(department=below)

    tree = client.get(f"{URL}/Tree").body
    people = client.get(f"{URL}/People").body

    assert tree["ContainingIds"] == sorted([str(department.pk), str(below.pk)])
    assert tree["HeadedIds"] == sorted([str(below.pk), str(beside.pk)])
    assert str(manager.pk) not in [row["Id"] for row in people]
    admins_tree = ApiClient(ga).get(f"{URL}/Tree").body
    assert (admins_tree["ContainingIds"], admins_tree["HeadedIds"]) == ([], [])


def test_the_narrowest_scope_only_looks(department: Department) -> None:
    client = head_of(department, DataScope.OWN)

    assert client.get(f"{URL}/Tree").body["CanKeep"] is False
    assert client.patch(f"{URL}/{department.pk}", {"Name": "乙"}).status == 403


def test_department_sheet_preview_shows_each_action_and_writes_nothing(
    ga: Account, department: Department
) -> None:
    answer = build_sheet(
        ApiClient(ga),
        "YF01,YF01-ADM,综合部,,ga,CC-9",
        "YF01,NEW,新部门,YF01-ADM,,",
        "XX,A,甲,,,",
        "YF01,NEW,又一个,,,",
        "YF01,B,乙,NONE,,",
    )

    assert [(row["Row"], row["Action"], row["Errors"]) for row in answer.body["Rows"]] == [
        (4, "create", ["企业编码“XX”不存在，或不在您的管理范围内"]),
        (5, "create", ["部门编码与第 3 行重复"]),
        (6, "create", ["上级部门编码“NONE”不存在或已停用"]),
        (2, "update", []),
        (3, "create", []),
    ]
    assert Department.objects.count() == 1


def test_a_confirmed_sheet_is_written_whole(ga: Account, department: Department) -> None:
    answer = build_sheet(
        ApiClient(ga), "YF01,KID,=2+2 𠮷,NEW,,", "YF01,NEW,新部门,YF01-ADM,,", confirm=True
    )

    kid = Department.objects.get(code="KID")
    assert (answer.body["Imported"], kid.name, kid.parent and kid.parent.code) == (
        2,
        "=2+2 𠮷",
        "NEW",
    )


def test_department_sheet_is_written_parents_first_in_any_order(
    ga: Account, department: Department, beside: Department
) -> None:
    """The two existing departments swap names, in chunks that are far apart."""
    chain = [
        f"YF01,C{number},组{number},{f'C{number - 1}' if number else 'YF01-RD'},,"
        for number in range(40)
    ]

    answer = build_sheet(
        ApiClient(ga),
        "YF01,YF01-ADM,研发部,C39,,",
        *reversed(chain),
        "YF01,YF01-RD,行政部,,,",
        confirm=True,
    )

    assert answer.body["Imported"] == 42
    above, names = Department.objects.get(code="YF01-ADM"), []
    while above.parent is not None:
        above = above.parent
        names.append(above.name)
    assert names == [*(f"组{number}" for number in reversed(range(40))), "行政部"]


def test_a_sheet_that_can_no_longer_be_written_is_taken_back(
    ga: Account, department: Department, below: Department
) -> None:
    def collide() -> None:
        below.code = "C30"
        below.is_active = False
        below.save()

    rows = [f"YF01,C{number},组{number},YF01-ADM,," for number in range(40)]
    with at_statement(CHUNK_WRITTEN, 1, collide):
        answer = build_sheet(ApiClient(ga), "YF01,YF01-ADM,综合部,,ga,CC-9", *rows, confirm=True)

    assert answer.errors["File"] == ["第 33 行：该部门已停用，请先启用再导入"]
    assert set(Department.objects.values_list("code", "name", "cost_center")) == {
        ("YF01-ADM", department.name, ""),
        ("C30", "文秘组", ""),
    }
    assert get_history(ga)["SubjectName"] == department.name


def test_a_take_back_makes_no_circle(ga: Account, department: Department) -> None:
    moved = DepartmentFactory(enterprise=department.enterprise, name="文秘组")
    now = {"name": moved.name, "head_id": None, "cost_center": moved.cost_center}
    # The import moved it out of `department`. Later somebody moved `department` below it.
    before, after = {**now, "parent_id": department.pk}, {**now, "parent_id": None}
    department.parent = moved
    department.save()

    with tenant_scope(group_id=ga.group_id or 0):
        written = DepartmentWriter(ImportRun(actor=ga)).take_back([[2, moved.pk, before, after]])

    assert written.left == [(2, "", "该部门已被修改或使用，未能撤回")]
    assert Department.objects.get(pk=moved.pk).parent is None


def test_one_invalid_department_row_changes_nothing(ga: Account, department: Department) -> None:
    answer = build_sheet(
        ApiClient(ga), "YF01,NEW,新部门,,,", "YF01,YF01-ADM,行政部,NEW2,,", confirm=True
    )

    assert answer.errors == {"第 3 行": ["上级部门编码“NEW2”不存在或已停用"]}
    assert Department.objects.count() == 1


def test_a_sheet_that_makes_a_circle_is_refused(
    ga: Account, department: Department, below: Department
) -> None:
    answer = build_sheet(ApiClient(ga), "YF01,YF01-ADM,行政部,YF01-OFF,,")

    assert answer.body["Rows"][0]["Errors"] == ["上级部门不能是本部门或其下级"]


def test_exported_departments_are_imported_unchanged(
    ga: Account, department: Department, below: Department
) -> None:
    client = ApiClient(ga)
    file = SimpleUploadedFile("部门.xlsx", client.get(f"{URL}/Export").body)

    assert [
        row["Action"] for row in client.upload(f"{URL}/Import", {"file": file}).body["Rows"]
    ] == ["same", "same"]


def test_department_tree_row_equals_its_detail(
    ga: Account, approver: Account, below: Department
) -> None:
    client = ApiClient(ga)

    rows = client.get(f"{URL}/Tree").body["Departments"]

    assert [row["HeadName"] for row in rows] == ["老审", None]
    assert rows == [client.get(f"{URL}/{row['Id']}").body for row in rows]


def test_the_whole_tree_takes_three_queries(ga: Account, department: Department) -> None:
    DepartmentFactory.create_batch(200, enterprise=department.enterprise, parent=department)
    client = ApiClient(ga)

    with assert_queries(3):
        assert len(client.get(f"{URL}/Tree").body["Departments"]) == 201


def test_head_candidates_are_searched_by_name_and_account(
    ga: Account, buyer: Account, other_ga: Account
) -> None:
    client = ApiClient(ga)

    assert [row["UserName"] for row in client.get(f"{URL}/People", {"Keyword": "小采"}).body] == [
        "buyer"
    ]
    assert client.get(f"{URL}/People", {"Keyword": "other"}).body == []


def test_repeated_department_name_under_one_parent_is_refused(
    ga: Account, department: Department, below: Department, beside: Department
) -> None:
    client, refused = (
        ApiClient(ga),
        f"“{department.name}”下已有名为“{below.name}”的部门，请更换名称或合并到该部门",
    )
    fields = {"Name": below.name, "Code": "NEW", "ParentId": str(department.pk)}
    other = DepartmentFactory(enterprise=department.enterprise, name=below.name)

    assert client.post("/api/Department", fields).errors == {"Name": [refused]}
    assert client.post("/api/Department", {**fields, "ParentId": str(beside.pk)}).ok
    assert move(client, other, department).errors == {"ParentId": [refused]}
    assert client.patch(f"/api/Department/{other.pk}", {"CostCenter": "C1"}).ok
    below.is_active = False
    below.save()
    assert move(client, other, department).ok
    assert client.patch(f"/api/Department/{below.pk}", {"IsActive": True}).errors == {
        "Name": [refused]
    }


def test_department_merge_with_equal_child_names_is_refused(
    ga: Account, department: Department, below: Department, beside: Department
) -> None:
    DepartmentFactory(enterprise=department.enterprise, parent=beside, name=below.name)

    answer = ApiClient(ga).post(
        f"/api/Department/{department.pk}/Merge", {"TargetId": str(beside.pk)}
    )

    assert answer.errors == {
        "TargetId": [f"两个部门都有名为“{below.name}”的下级部门，请先改名或合并后再试"]
    }


def test_department_sheet_refuses_repeated_names_under_one_parent(
    ga: Account, department: Department, below: Department
) -> None:
    lines = [
        f"YF01,{code},{name},{department.code},,"
        for code, name in (("S1", below.name), ("S2", "客服"), ("S3", "客服"))
    ]

    assert {
        row["Row"]: row["Errors"] for row in build_sheet(ApiClient(ga), *lines).body["Rows"]
    } == {
        2: [f"同一上级下与现有部门 {below.code} 同名，请更换部门名称"],
        3: [],
        4: ["同一上级下与第 3 行同名，请更换部门名称"],
    }


def test_new_department_row_cannot_take_the_name_of_a_later_row(
    ga: Account, department: Department, below: Department
) -> None:
    lines = [f"YF01,{code},{below.name},{department.code},," for code in ("NEW", below.code)]

    answer = build_sheet(ApiClient(ga), *lines, confirm=True)

    assert answer.errors == {"第 2 行": ["同一上级下与第 3 行同名，请更换部门名称"]}
    assert Department.objects.get(name=below.name) == below


@pytest.mark.parametrize(
    "moment",
    [
        "0001-01-01T00:00:00",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59",
        "9999-12-31T23:59:59-12:00",
    ],
)
def test_a_moment_at_the_end_of_the_calendar_is_none_that_was_seen(
    ga: Account, department: Department, moment: str
) -> None:
    answer = ApiClient(ga).patch(
        f"{URL}/{department.pk}", {"CostCenter": "CC-1", "UpdatedAt": moment}
    )

    assert (answer.status, answer.code in ("validation", "stale")) == (200, True)
    assert Department.objects.get(pk=department.pk).cost_center == department.cost_center


def test_column_mapping_requires_the_import_permission(buyer: Account) -> None:
    Role.objects.filter(accounts=buyer).update(
        menu_codes=[MenuCode.MANAGEMENT_DEPARTMENT], data_scope=DataScope.DEPARTMENT
    )
    file = SimpleUploadedFile("部门.csv", HEADER.encode())
    mapping = json.dumps({"编号": "部门编码"}, ensure_ascii=False)
    answer = ApiClient(buyer).upload(f"{URL}/Import", {"file": file, "Mapping": mapping})

    assert (answer.code, ColumnMapping.objects.count()) == ("forbidden", 0)


def test_rows_below_a_wrong_row_count_as_wrong_when_the_valid_rows_are_taken(
    ga: Account, department: Department
) -> None:
    lines = ("YF01,TOP,,YF01-ADM,,", "YF01,BELOW,下级,TOP,,", "YF01,FREE,独立,YF01-ADM,,")
    file = SimpleUploadedFile("部门.csv", "\n".join([HEADER, *lines]).encode())
    answer = ApiClient(ga).upload(
        f"{URL}/Import", {"file": file, "Confirm": "true", "GoodOnly": "true"}
    )

    assert answer.message == "已导入 1 个部门"
    assert Department.objects.filter(code="FREE").exists()
    assert not Department.objects.filter(code__in=("TOP", "BELOW")).exists()
    sheet = get_wrong_sheet(run=ImportRun.objects.get())
    assert [(row[1], row[-1]) for row in sheet.rows] == [
        ("TOP", "请填写部门名称"),
        ("BELOW", "上级部门编码“TOP”不存在或已停用"),
    ]
