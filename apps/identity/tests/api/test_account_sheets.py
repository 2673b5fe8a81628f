"""Accounts as sheets: template, preview, all or nothing, export."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from apps.common.background.delivery import outbox_deliver
from apps.common.excel import read_rows, write_xlsx
from apps.common.testing import Answer, ApiClient
from apps.org.enums import DataScope
from apps.org.models import Account, OrganisationChange
from apps.org.selectors.account_sheet import HEADER
from apps.org.services import account_import
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

GOOD = ("li.si", "李四", "李四", "采购", "13912345678", "lisi@yf.cn", "YF01", "YF01-ADM", "采购员")


def sheet(*rows: Sequence[str], header: Sequence[str] = HEADER) -> io.BytesIO:
    file = io.BytesIO()
    write_xlsx(file, header=header, rows=rows)
    file.seek(0)
    file.name = "账号.xlsx"
    return file


def row(**change: str) -> tuple[str, ...]:
    keys = ("username", "nickname", "full_name", "job_title", "mobile", "email", "enterprise", "department", "roles")
    return tuple({**dict(zip(keys, GOOD, strict=True)), **change}.values())


def send(actor: Account, *rows: Sequence[str], **fields: Any) -> Answer:
    return ApiClient(actor).upload("/api/Account/Import", {"file": sheet(*rows), **fields})


def cells(answer: Answer) -> list[list[str]]:
    return list(read_rows(io.BytesIO(answer.body), max_rows=100, max_columns=30))


@pytest.fixture(autouse=True)
def role(ga: Account) -> None:
    RoleFactory(group=ga.group, code="buy", name="采购员", menu_codes=["order.list"])


def test_a_preview_writes_nothing(ga: Account) -> None:
    answer = send(ga, GOOD)

    assert (answer.body["Total"], answer.body["Wrong"], answer.body["Rows"][0]["Errors"]) == (1, 0, [])
    assert not Account.objects.filter(username="li.si").exists()


def test_a_confirmed_sheet_is_written_with_places_roles_and_history(ga: Account) -> None:
    answer = send(ga, GOOD, row(username="Wang.Wu", email="", mobile=""), Confirm="true")

    assert answer.message == "已导入 2 个账号"
    made = Account.objects.get(username="li.si")
    assert (made.department.name if made.department else "", made.role_names) == ("行政部", ["采购员"])
    assert Account.objects.get(username="wang.wu").enterprise == made.enterprise
    assert list(OrganisationChange.objects.values_list("action", "subject_name")) == [
        ("import", "李四（wang.wu）"),
        ("import", "李四（li.si）"),
    ]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"username": ""}, "请填写账号"),
        ({"username": "李四"}, "账号为 2 至 60 位字母、数字或 . _ @ + -，以字母或数字开头"),
        ({"username": "GA"}, "该账号名已被使用，请更换"),
        ({"nickname": ""}, "请填写昵称"),
        ({"mobile": "123"}, "手机号码：请输入 11 位手机号码，或带区号的固定电话（如 010-88888888）"),
        ({"department": "YF99"}, "您的数据范围内没有该编码的企业和启用部门"),
        ({"department": ""}, "请填写企业编码和部门编码"),
        ({"roles": "采购员、没有的"}, "没有角色“没有的”"),
    ],
)
def test_a_wrong_row_says_why(ga: Account, change: dict[str, str], error: str) -> None:
    answer = send(ga, GOOD, row(**{"username": "zhao.liu", **change}))

    assert (answer.body["Wrong"], answer.body["Rows"][0]["Row"], answer.body["Rows"][0]["Errors"]) == (1, 3, [error])


def test_one_wrong_row_keeps_all_out(ga: Account) -> None:
    answer = send(ga, GOOD, row(username="x y"), Confirm="true")

    assert answer.errors == {"File": ["有 1 行不正确，未导入任何账号，请修改后重新上传"]}
    assert not Account.objects.filter(username="li.si").exists()


def test_a_name_twice_is_wrong_in_both_rows(ga: Account) -> None:
    assert [line["Errors"] for line in send(ga, GOOD, row(username="LI.SI")).body["Rows"]] == [["账号在表格中重复"]] * 2


def test_four_byte_characters_and_formulas_stay_text(ga: Account) -> None:
    send(ga, row(nickname="=1+1", full_name="𠮷野"), Confirm="true")

    kept = Account.objects.get(username="li.si")
    assert (kept.nickname, kept.full_name) == ("=1+1", "𠮷野")
    assert cells(ApiClient(ga).post("/api/Account/Export", {"Keyword": "li.si"}))[1][1:3] == ["=1+1", "𠮷野"]


def test_nobody_imports_beyond_his_sight_or_rights(ga: Account) -> None:
    codes = ["management.account"]
    clerk = AccountFactory(department=ga.department, roles=[RoleFactory(group=ga.group, menu_codes=codes, data_scope=DataScope.DEPARTMENT)])
    DepartmentFactory(enterprise=ga.enterprise, code="BESIDE")

    errors = send(clerk, row(department="BESIDE")).body["Rows"][0]["Errors"]

    assert errors == ["您的数据范围内没有该编码的企业和启用部门", "不能授予角色“采购员”，它包含您自己没有的权限"]


def test_who_has_an_address_is_invited(ga: Account, mailoutbox: list[Any]) -> None:
    answer = send(ga, GOOD, row(username="wang.wu", email=""), Confirm="true", Invite="true")
    outbox_deliver()

    assert answer.message == "已导入 2 个账号，已向 1 人发送邀请邮件"
    assert [letter.to for letter in mailoutbox] == [["lisi@yf.cn"]]


def test_another_sheet_is_refused(ga: Account) -> None:
    answer = ApiClient(ga).upload("/api/Account/Import", {"file": sheet(("a",), header=("商品编码",))})

    assert answer.code == "file_refused"
    assert answer.message.startswith("表头与模板不一致，缺少：账号、昵称")


def test_a_row_too_many_is_refused(ga: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_import, "MOST_ROWS", 1)

    assert send(ga, GOOD, row(username="wang.wu")).code == "file_refused"


def test_the_template_is_read_in_again(ga: Account) -> None:
    template = cells(ApiClient(ga).get("/api/Account/Template"))

    assert tuple(template[0]) == HEADER
    assert len(template) == 2


def test_an_export_follows_the_filters(ga: Account, buyer: Account) -> None:
    found = cells(ApiClient(ga).post("/api/Account/Export", {"Keyword": "buyer"}))

    assert [line[0] for line in found] == ["账号*", "buyer"]
    assert found[1][6:12] == ["YF01", "YF01-ADM", "采购员", "普通账号", "云帆科技有限公司", "行政部"]


def test_an_export_can_be_changed_and_read_in(ga: Account, buyer: Account) -> None:
    found = cells(ApiClient(ga).post("/api/Account/Export", {"Keyword": "buyer"}))
    file = sheet(["copy", *found[1][1:]], header=found[0])

    assert ApiClient(ga).upload("/api/Account/Import", {"file": file}).body["Rows"][0]["Errors"] == []


def rows_of(count: int) -> Iterable[tuple[str, ...]]:
    return (row(username=f"many{number}", email="") for number in range(count))


def test_many_rows_cost_few_statements(ga: Account, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(60):
        assert send(ga, *rows_of(1000), Confirm="true").body["Imported"] == 1000
