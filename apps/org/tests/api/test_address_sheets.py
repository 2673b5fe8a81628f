"""Addresses: regions, pasted text, filters, import and export of sheets."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.common.testing import Answer, ApiClient, assert_queries
from apps.common.testing.faults import (
    CHUNK_WRITTEN,
    Killed,
    at_statement,
    expire_import_leases,
    kill,
    resume_import_now,
)
from apps.documents.excel import read_rows
from apps.org.models import Account, Address, Department, OrganisationChange
from apps.org.services.address_import import HEAD
from apps.org.tests.factories import AddressFactory

URL = "/api/Address"
ROW = {
    "收货人": "李雷",
    "手机号码": "13812345678",
    "省份": "上海市",
    "城市": "上海市",
    "区县": "浦东新区",
    "详细地址": "张江路 1 号",
}


def build_sheet(*rows: dict[str, str], head: tuple[str, ...] = HEAD) -> SimpleUploadedFile:
    lines = [",".join(head), *(",".join(row.get(name, "") for name in head) for row in rows)]
    return SimpleUploadedFile("地址.csv", "\r\n".join(lines).encode(), "text/csv")


def preview_sheet(client: ApiClient, file: SimpleUploadedFile) -> Answer:
    return client.upload(f"{URL}/Import", {"file": file})


def brought_in(client: ApiClient, file: SimpleUploadedFile) -> Answer:
    return client.upload(f"{URL}/Import", {"file": file, "Confirm": "true"})


def test_the_regions_below_a_name_are_answered(buyer: Account) -> None:
    client = ApiClient(buyer)

    assert client.get(f"{URL}/Region", {"Province": "上海市"}).body == ["上海市"]
    assert (
        "张江镇"
        in client.get(
            f"{URL}/Region", {"Province": "上海市", "City": "上海市", "District": "浦东新区"}
        ).body
    )


def test_a_pasted_text_is_split(buyer: Account) -> None:
    body = (
        ApiClient(buyer)
        .post(f"{URL}/Parse", {"Text": "上海市浦东新区张江镇张江路88号 张三 13800138000"})
        .body
    )

    assert body == {
        "Receiver": "张三",
        "Mobile": "13800138000",
        "Province": "上海市",
        "City": "上海市",
        "District": "浦东新区",
        "Town": "张江镇",
        "Street": "张江路88号",
        "PostalCode": "",
    }


def test_town_is_placed_between_district_and_street(buyer: Account) -> None:
    body = {
        "Receiver": "张三",
        "Mobile": "13800138000",
        "Province": "上海市",
        "City": "上海市",
        "District": "浦东新区",
        "Town": "张江镇",
    }
    created = ApiClient(buyer).post(URL, {**body, "Street": "张江路88号"}).body

    assert (created["Town"], created["FullText"], created["UsableBy"]) == (
        "张江镇",
        "上海市浦东新区张江镇张江路88号",
        "仅本人",
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"Keyword": "前台"}, {"企业"}),
        ({"OwnerType": "group"}, {"集团"}),
        ({"OwnerType": "department"}, {"部门"}),
        ({"Keyword": "世纪大道 139"}, {"集团", "企业", "部门"}),
        ({"Managed": "true", "OwnerType": "account"}, set()),
    ],
)
def test_the_list_is_narrowed(
    ga: Account, department: Department, query: dict[str, Any], found: set[str]
) -> None:
    AddressFactory(group=department.group, enterprise=None, receiver="集团")
    AddressFactory(enterprise=department.enterprise, receiver="企业", label="前台")
    AddressFactory(enterprise=department.enterprise, department=department, receiver="部门")

    assert {row["Receiver"] for row in ApiClient(ga).get(URL, query).body["Items"]} == found


def test_outdated_shared_address_edit_is_refused_as_stale(
    ga: Account, department: Department
) -> None:
    row = AddressFactory(enterprise=department.enterprise)
    client = ApiClient(ga)
    seen = client.get(f"{URL}/{row.pk}").body["UpdatedAt"]
    client.patch(f"{URL}/{row.pk}", {"Receiver": "甲", "UpdatedAt": seen})
    second = client.patch(f"{URL}/{row.pk}", {"Receiver": "乙", "UpdatedAt": seen})

    assert (second.code, second.body["Receiver"]) == ("stale", "甲")


def test_shared_address_change_is_recorded(ga: Account, department: Department) -> None:
    row = AddressFactory(enterprise=department.enterprise)
    ApiClient(ga).patch(f"{URL}/{row.pk}", {"Receiver": "甲"})

    change = OrganisationChange.objects.get(subject_type="address", subject_id=row.pk)
    assert change.changes == [
        {"field": "receiver", "label": "收货人", "before": "王小明", "after": "甲"}
    ]


def test_address_sheet_preview_reports_errors_and_writes_nothing(buyer: Account) -> None:
    wrong = {**ROW, "手机号码": "123", "城市": ""}
    body = preview_sheet(
        ApiClient(buyer), build_sheet(ROW, wrong, {**ROW, "城市": "杭州市"}, ROW)
    ).body

    assert [(row["Row"], row["Errors"]) for row in body["Rows"]] == [
        (3, ["请填写城市", "手机号码须为 11 位，或带区号的固定电话"]),
        (4, ["“上海市”没有名为“杭州市”的城市，请填写全称"]),
        (5, ["与第 2 行重复"]),
        (2, []),
    ]
    assert (body["Total"], body["Wrong"], Address.objects.count()) == (4, 3, 0)


def test_one_invalid_address_row_refuses_the_sheet(buyer: Account) -> None:
    answer = brought_in(ApiClient(buyer), build_sheet(ROW, {**ROW, "收货人": ""}))

    assert (answer.message, answer.errors) == (
        "有 1 行需要修改，未导入任何地址",
        {"file": ["第 3 行：请填写收货人"]},
    )
    assert Address.objects.count() == 0


def test_a_good_sheet_is_written_whole(ga: Account, department: Department) -> None:
    rows = [
        {**ROW, "收货人": "甲"},
        {**ROW, "收货人": "乙", "使用范围": "部门", "部门编码": department.code},
        {**ROW, "收货人": "丙", "使用范围": "集团"},
    ]

    assert brought_in(ApiClient(ga), build_sheet(*rows)).body["Imported"] == 3
    assert [address.owner_type for address in Address.objects.order_by("pk")] == [
        "account",
        "department",
        "group",
    ]


def test_shared_rows_need_the_right(limited: Account) -> None:
    body = preview_sheet(ApiClient(limited), build_sheet({**ROW, "使用范围": "企业"})).body

    assert body["Rows"][0]["Errors"] == ["您没有维护该范围共用地址的权限"]


def test_department_code_of_another_group_is_unknown(ga: Account, other_ga: Account) -> None:
    body = preview_sheet(
        ApiClient(ga), build_sheet({**ROW, "使用范围": "部门", "部门编码": "XL01-ADM"})
    ).body

    assert body["Rows"][0]["Errors"] == ["没有编码为“XL01-ADM”的部门"]


def test_a_thousand_rows_are_looked_at_in_four_queries(ga: Account) -> None:
    client = ApiClient(ga)
    file = build_sheet(
        *({**ROW, "收货人": f"员工{number}", "使用范围": "集团"} for number in range(1000))
    )
    # Bearer, existing addresses, count of personal addresses, remembered columns.
    with assert_queries(4):
        assert preview_sheet(client, file).body["Wrong"] == 0


def test_address_sheet_without_headers_or_rows_is_refused(buyer: Account) -> None:
    client = ApiClient(buyer)
    answers = [
        preview_sheet(client, build_sheet(ROW, head=("收货人", "手机号码"))),
        preview_sheet(client, build_sheet()),
    ]

    assert [(answer.code, answer.message) for answer in answers] == [
        (
            "file_refused",
            "表头与模板不一致，缺少：省份、城市、详细地址，请选择各列对应的内容，或下载模板填写",
        ),
        ("file_refused", "表格没有数据行，请按模板填写后重试"),
    ]


def test_exported_addresses_can_be_imported(ga: Account, department: Department) -> None:
    AddressFactory(enterprise=department.enterprise, department=department, receiver="=1+1")
    answer = ApiClient(ga).post(f"{URL}/Export")
    rows = list(read_rows(io.BytesIO(answer.body), max_rows=10, max_columns=20))

    assert tuple(rows[0]) == HEAD
    assert rows[1][0] == "=1+1"
    assert rows[1][9:] == ["部门", department.enterprise.code, department.code]


def test_killed_address_import_resumes_and_is_recorded_once(ga: Account) -> None:
    rows = [{**ROW, "详细地址": f"张江路 {number} 号", "使用范围": "集团"} for number in range(150)]
    with pytest.raises(Killed), at_statement(CHUNK_WRITTEN, 2, kill):
        brought_in(ApiClient(ga), build_sheet(*rows))
    assert Address.objects.filter(street__startswith="张江路").count() == 100

    resume_import_now()

    assert Address.objects.filter(street__startswith="张江路").count() == 150
    assert (
        OrganisationChange.objects.filter(subject_type="address").get().subject_name
        == "从表格导入 150 个共用地址"
    )


def test_the_second_of_two_equal_confirms_gets_the_answer_of_the_first(ga: Account) -> None:
    rows = [{**ROW, "详细地址": f"张江路 {number} 号", "使用范围": "集团"} for number in range(3)]
    answers = []

    def confirm() -> None:
        answers.append(brought_in(ApiClient(ga), build_sheet(*rows)))

    # The second confirm is checked before the first one writes, and stages its rows after it.
    with at_statement('INSERT INTO "common_importrun"', 1, confirm):
        confirm()

    assert [answer.message for answer in answers] == [answers[0].message] * 2
    assert answers[1].ok
    assert Address.objects.filter(street__startswith="张江路").count() == 3


def test_an_equal_confirm_during_the_import_gets_its_answer(ga: Account) -> None:
    rows = [{**ROW, "详细地址": f"张江路 {number} 号", "使用范围": "集团"} for number in range(150)]
    with pytest.raises(Killed), at_statement(CHUNK_WRITTEN, 2, kill):
        brought_in(ApiClient(ga), build_sheet(*rows))
    expire_import_leases()

    assert brought_in(ApiClient(ga), build_sheet(*rows)).ok
    assert Address.objects.filter(street__startswith="张江路").count() == 150
    assert not brought_in(ApiClient(ga), build_sheet(*rows)).ok
