"""Import and export of accounts as sheets: template, preview, all or nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from apps.common.background.delivery import outbox_deliver
from apps.common.models import ColumnMapping, ImportRun, OutboxMessage
from apps.common.services.wrong_rows import get_wrong_sheet
from apps.common.tenancy import platform_scope
from apps.common.testing import Answer, ApiClient
from apps.common.testing.faults import CHUNK_WRITTEN, Killed, at_statement, kill, resume_import_now
from apps.documents.excel import read_rows, write_xlsx
from apps.identity.services.invitation import INVITATION_TOPIC
from apps.org.enums import DataScope
from apps.org.models import Account, OrganisationChange
from apps.org.selectors.accounts import HEADER
from apps.org.services import account_import, user_names
from apps.org.services.account import NAME_TAKEN
from apps.org.tests.factories import PASSWORD, AccountFactory, DepartmentFactory, RoleFactory

GOOD = ("li.si", "李四", "李四", "采购", "13912345678", "lisi@yf.cn", "YF01", "YF01-ADM", "采购员")


def build_sheet(*rows: Sequence[str], header: Sequence[str] = HEADER) -> io.BytesIO:
    file = io.BytesIO()
    write_xlsx(file, header=header, rows=rows)
    file.seek(0)
    file.name = "账号.xlsx"
    return file


def build_row(**change: str) -> tuple[str, ...]:
    """Return a row like GOOD without mobile and mail, because these must be unique."""
    keys = (
        "username",
        "nickname",
        "full_name",
        "job_title",
        "mobile",
        "email",
        "enterprise",
        "department",
        "roles",
    )
    return tuple(
        {**dict(zip(keys, GOOD, strict=True)), "mobile": "", "email": "", **change}.values()
    )


def send(actor: Account, *rows: Sequence[str], **fields: Any) -> Answer:
    """Upload the sheet. The proof of the owner comes with a confirmation."""
    proof = {"Password": PASSWORD} if "Confirm" in fields else {}
    body = {"file": build_sheet(*rows), **proof, **fields}
    return ApiClient(actor).upload("/api/Account/Import", body)


def list_cells(answer: Answer) -> list[list[str]]:
    return list(read_rows(io.BytesIO(answer.body), max_rows=100, max_columns=30))


@pytest.fixture(autouse=True)
def role(ga: Account) -> None:
    RoleFactory(group=ga.group, code="buy", name="采购员", menu_codes=["order.list"])


def test_account_import_preview_writes_nothing(ga: Account) -> None:
    answer = send(ga, GOOD)

    assert (answer.body["Total"], answer.body["Wrong"], answer.body["Rows"][0]["Errors"]) == (
        1,
        0,
        [],
    )
    assert not Account.objects.filter(username="li.si").exists()


def test_a_confirmed_sheet_is_written_with_places_roles_and_history(ga: Account) -> None:
    answer = send(ga, GOOD, build_row(username="Wang.Wu", email="", mobile=""), Confirm="true")

    assert answer.message == "已导入 2 个账号"
    account = Account.objects.get(username="li.si")
    assert (account.department.name if account.department else "", account.role_names) == (
        "行政部",
        ["采购员"],
    )
    assert Account.objects.get(username="wang.wu").enterprise == account.enterprise
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
        (
            {"mobile": "123"},
            "手机号码：请输入 11 位手机号码，或带区号的固定电话（如 010-88888888）",
        ),
        ({"department": "YF99"}, "您的数据范围内没有该编码的企业和启用部门"),
        ({"department": ""}, "请填写企业编码和部门编码"),
        ({"roles": "采购员、没有的"}, "没有角色“没有的”"),
    ],
)
def test_invalid_account_row_reports_its_reason(
    ga: Account, change: dict[str, str], error: str
) -> None:
    answer = send(ga, GOOD, build_row(**{"username": "zhao.liu", **change}))

    assert (
        answer.body["Wrong"],
        answer.body["Rows"][0]["Row"],
        answer.body["Rows"][0]["Errors"],
    ) == (1, 3, [error])


@pytest.mark.parametrize("confirm", ["false", "true"])
def test_invalid_account_sheet_does_not_reveal_names_of_other_customers(
    ga: Account, other_ga: Account, confirm: str
) -> None:
    answers = [
        send(ga, build_row(username=name), build_row(department="YF99"), Confirm=confirm)
        for name in ("free.name", other_ga.username)
    ]

    texts = [
        answer.errors if confirm == "true" else [line["Errors"] for line in answer.body["Rows"]]
        for answer in answers
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("confirm", ["false", "true"])
def test_account_sheet_with_too_many_taken_names_is_refused(
    ga: Account, other_ga: Account, monkeypatch: pytest.MonkeyPatch, confirm: str
) -> None:
    monkeypatch.setattr(user_names, "TAKEN_PER_DAY", 1)
    with platform_scope(reason="another customer"):
        AccountFactory(department=other_ga.department, username="other.two")
    taken = [build_row(username=name) for name in (other_ga.username, "other.two")]

    assert [send(ga, *rows, Confirm=confirm).code for rows in (taken, [GOOD])] == ["too_soon"] * 2


def test_account_sheet_counts_each_taken_name_of_another_customer(
    ga: Account, other_ga: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_names, "TAKEN_PER_DAY", 2)
    rows = [GOOD, build_row(username=other_ga.username)]
    row = send(ga, *rows).body["Rows"][0]
    refused = send(ga, *rows, Confirm="true")

    assert (row["Row"], row["Errors"]) == (3, ["该账号名已被使用，请更换"])
    assert refused.errors == {"File": ["有 1 行不正确，未导入任何账号，请修改后重新上传"]}
    assert send(ga, *rows).code == "too_soon"


def test_a_name_of_another_customer_is_among_the_rows_left_out(
    ga: Account, other_ga: Account
) -> None:
    rows = (GOOD, build_row(username=other_ga.username))
    answer = send(ga, *rows, Confirm="true", GoodOnly="true")
    sheet = get_wrong_sheet(run=ImportRun.objects.get())

    assert answer.message == "已导入 1 个账号"
    assert [(row[0], row[-1]) for row in sheet.rows] == [(other_ga.username, NAME_TAKEN)]


def test_one_invalid_account_row_refuses_the_sheet(ga: Account) -> None:
    answer = send(ga, GOOD, build_row(username="x y"), Confirm="true")

    assert answer.errors == {"File": ["有 1 行不正确，未导入任何账号，请修改后重新上传"]}
    assert not Account.objects.filter(username="li.si").exists()


def test_a_name_twice_is_wrong_in_both_rows(ga: Account) -> None:
    assert [
        line["Errors"] for line in send(ga, GOOD, build_row(username="LI.SI")).body["Rows"]
    ] == [["账号在表格中重复"]] * 2


@pytest.mark.parametrize(
    ("change", "label"),
    [({"mobile": "13912345678"}, "手机号码"), ({"email": "LiSi@YF.cn"}, "邮箱")],
    ids=["mobile", "mail in capitals"],
)
def test_a_contact_twice_is_wrong_in_the_second_row(
    ga: Account, change: dict[str, str], label: str
) -> None:
    answer = send(ga, build_row(username="zhao.liu"), GOOD, build_row(username="wang.wu", **change))

    expected_text = f"{label}与第 3 行相同，请核对；确需共用的，请留空，导入后在账号资料中填写"
    assert [(line["Row"], line["Errors"]) for line in answer.body["Rows"] if line["Errors"]] == [
        (4, [expected_text])
    ]


def test_a_sheet_with_a_contact_twice_is_not_written(ga: Account) -> None:
    answer = send(ga, GOOD, build_row(username="wang.wu", mobile="13912345678"), Confirm="true")

    assert answer.errors == {"File": ["有 1 行不正确，未导入任何账号，请修改后重新上传"]}
    assert not Account.objects.filter(username="li.si").exists()


def test_rows_without_a_contact_are_no_repetition(ga: Account) -> None:
    assert (
        send(ga, build_row(username="wang.wu"), build_row(username="zhao.liu")).body["Wrong"] == 0
    )


def test_four_byte_characters_and_formulas_stay_text(ga: Account) -> None:
    send(ga, build_row(nickname="=1+1", full_name="𠮷野"), Confirm="true")

    account = Account.objects.get(username="li.si")
    assert (account.nickname, account.full_name) == ("=1+1", "𠮷野")
    assert list_cells(ApiClient(ga).post("/api/Account/Export", {"Keyword": "li.si"}))[1][1:3] == [
        "=1+1",
        "𠮷野",
    ]


def test_account_import_is_limited_to_the_importers_data_scope_and_rights(ga: Account) -> None:
    codes = ["management.account"]
    clerk = AccountFactory(
        department=ga.department,
        roles=[RoleFactory(group=ga.group, menu_codes=codes, data_scope=DataScope.DEPARTMENT)],
    )
    DepartmentFactory(enterprise=ga.enterprise, code="BESIDE")

    errors = send(clerk, build_row(department="BESIDE")).body["Rows"][0]["Errors"]

    assert errors == [
        "您的数据范围内没有该编码的企业和启用部门",
        "不能授予角色“采购员”，它包含您自己没有的权限",
    ]


def test_account_import_invites_accounts_with_a_mail_address(
    ga: Account, mailoutbox: list[Any]
) -> None:
    answer = send(ga, GOOD, build_row(username="wang.wu", email=""), Confirm="true", Invite="true")
    outbox_deliver()

    assert answer.message == "已导入 2 个账号，已向 1 人发送邀请邮件"
    assert [letter.to for letter in mailoutbox] == [["lisi@yf.cn"]]


def test_account_sheet_with_foreign_headers_is_refused(ga: Account) -> None:
    answer = ApiClient(ga).upload(
        "/api/Account/Import", {"file": build_sheet(("a",), header=("商品编码",))}
    )

    assert answer.code == "file_refused"
    assert answer.message.startswith("表头与模板不一致，缺少：账号、昵称")


def test_a_row_too_many_is_refused(ga: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_import, "MAX_ROWS", 1)

    assert send(ga, GOOD, build_row(username="wang.wu")).code == "file_refused"


def test_the_template_is_read_in_again(ga: Account) -> None:
    template = list_cells(ApiClient(ga).get("/api/Account/Template"))

    assert tuple(template[0]) == HEADER
    assert len(template) == 2


def test_an_export_follows_the_filters(ga: Account, buyer: Account) -> None:
    answer = list_cells(ApiClient(ga).post("/api/Account/Export", {"Keyword": "buyer"}))

    assert [line[0] for line in answer] == ["账号*", "buyer"]
    assert answer[1][6:12] == [
        "YF01",
        "YF01-ADM",
        "采购员",
        "普通账号",
        "云帆科技有限公司",
        "行政部",
    ]


def test_an_export_can_be_changed_and_read_in(ga: Account, buyer: Account) -> None:
    answer = list_cells(ApiClient(ga).post("/api/Account/Export", {"Keyword": "buyer"}))
    file = build_sheet(["copy", *answer[1][1:]], header=answer[0])

    assert (
        ApiClient(ga).upload("/api/Account/Import", {"file": file}).body["Rows"][0]["Errors"] == []
    )


def build_rows(count: int) -> Iterable[tuple[str, ...]]:
    return (build_row(username=f"many{number}") for number in range(count))


def test_many_rows_cost_few_statements(ga: Account, django_assert_max_num_queries: Any) -> None:
    """The import needs a few statements per hundred rows. Each hundred is one transaction."""
    with django_assert_max_num_queries(210):
        assert send(ga, *build_rows(1000), Confirm="true").body["Imported"] == 1000


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ({"nickname": "长" * 41}, "昵称最多 40 个字"),
        ({"nickname": "\u202e张三"}, "昵称：含有换行或不可见字符，请删除后重试"),
        ({"full_name": "张\u200b三"}, "姓名：含有换行或不可见字符，请删除后重试"),
        ({"job_title": "采购\n主管"}, "职务：含有换行或不可见字符，请删除后重试"),
    ],
)
def test_unreadable_user_name_is_refused(ga: Account, cells: dict[str, str], text: str) -> None:
    assert send(ga, build_row(**cells)).body["Rows"][0]["Errors"] == [text]


def test_a_killed_import_is_ended_in_the_background_and_writes_its_letters_once(
    ga: Account,
) -> None:
    rows = [
        build_row(username=f"many{number}", email=f"many{number}@yf.cn") for number in range(150)
    ]
    with pytest.raises(Killed), at_statement(CHUNK_WRITTEN, 2, kill):
        send(ga, *rows, Confirm="true", Invite="true")
    assert Account.objects.filter(username__startswith="many").count() == 100
    assert not OutboxMessage.objects.filter(topic=INVITATION_TOPIC).exists()

    resume_import_now()

    assert Account.objects.filter(username__startswith="many").count() == 150
    assert OutboxMessage.objects.filter(topic=INVITATION_TOPIC).count() == 150


def test_name_taken_during_an_import_rolls_back_all_accounts(ga: Account) -> None:
    def take() -> None:
        AccountFactory(username="many120", department=ga.department)

    before = Account.objects.count()
    with at_statement(CHUNK_WRITTEN, 1, take):
        answer = send(ga, *build_rows(150), Confirm="true")

    assert answer.message == "导入期间有数据变化，已全部撤回，请重新上传核对"
    assert answer.body["Errors"]["File"] == [f"第 122 行：{NAME_TAKEN}"]
    assert Account.objects.count() == before + 1


def test_an_account_that_was_changed_since_is_not_taken_back(ga: Account) -> None:
    def change() -> None:
        AccountFactory(username="many120", department=ga.department)
        account = Account.objects.get(username="many3")
        account.nickname = "已改名"
        account.save()

    with at_statement(CHUNK_WRITTEN, 1, change):
        answer = send(ga, *build_rows(150), Confirm="true")

    accounts = Account.objects.filter(username__startswith="many").order_by("username")
    assert list(accounts.values_list("username", flat=True)) == ["many120", "many3"]
    assert answer.body["Errors"]["File"][0] == "第 5 行：该账号已被修改或使用，未能撤回"
    assert answer.message == (
        "导入期间有数据变化，已撤回 99 行，1 行已被修改或使用而保留，请按所列行号核对表格后重新上传"
    )


def test_second_confirmation_during_an_import_reports_the_progress(ga: Account) -> None:
    answers = []

    def confirm_again() -> None:
        answers.append(send(ga, *build_rows(150), Confirm="true"))

    with at_statement(CHUNK_WRITTEN, 2, confirm_again):
        first = send(ga, *build_rows(150), Confirm="true")

    (second,) = answers
    assert (second.body["Total"], second.body["Imported"], second.body["Rows"]) == (150, 100, [])
    assert second.message == ("这份表格正在导入，已写入 100 / 150 行，无需再次确认，请稍后刷新查看")
    assert first.body["Imported"] == 150
    assert Account.objects.filter(username__startswith="many").count() == 150


def test_import_is_rolled_back_if_its_importer_is_disabled_meanwhile(ga: Account) -> None:
    def disable() -> None:
        Account.objects.filter(pk=ga.pk).update(is_active=False)

    before = Account.objects.count()
    with at_statement(CHUNK_WRITTEN, 1, disable):
        answer = send(ga, *build_rows(150), Confirm="true")

    assert answer.body["Errors"]["File"] == ["导入人的账号已停用"]
    assert Account.objects.count() == before


def test_valid_account_rows_are_imported_and_invalid_rows_returned(ga: Account) -> None:
    rows = (
        GOOD,
        build_row(username="wang.wu", nickname=""),
        build_row(username="zhao.liu", roles="无此角色"),
    )
    done = [send(ga, *rows, Confirm="true", GoodOnly="true") for _ in range(2)]
    wrong = list_cells(send(ga, *rows[1:], WrongRows="true"))

    assert [(answer.message, answer.body["Imported"]) for answer in done[:1]] == [
        ("已导入 1 个账号", 1)
    ]
    assert done[1].code == "validation"
    assert [line[0] for line in wrong] == ["账号", "wang.wu", "zhao.liu"]
    assert [line[-1] for line in wrong] == ["错误原因", "请填写昵称", "没有角色“无此角色”"]

    corrected = [[*line[:8], "采购员", line[9]] for line in wrong[1:]]
    corrected[0][1] = "王五"
    file = build_sheet(*corrected, header=wrong[0])
    confirmed = {"file": file, "Confirm": "true", "Password": PASSWORD}
    answer = ApiClient(ga).upload("/api/Account/Import", confirmed)
    assert answer.message == "已导入 2 个账号"


def test_a_header_that_was_ignored_can_be_chosen_again_if_a_column_is_missing(ga: Account) -> None:
    header = ("登录名", *HEADER[1:])

    def upload(**fields: Any) -> Answer:
        file = build_sheet(GOOD, header=header)
        return ApiClient(ga).upload("/api/Account/Import", {"file": file, **fields})

    ignored = upload(Mapping=json.dumps({"登录名": ""}))

    choice = {"Headers": ["登录名"], "Columns": ["账号"]}
    assert (ignored.body, upload().body) == (choice, choice)
    assert upload(Mapping=json.dumps({"登录名": "账号"})).body["Wrong"] == 0


def test_foreign_headers_are_mapped_once_for_the_group(ga: Account) -> None:
    header = ("登录名", *HEADER[1:], "工龄")
    mapping = {"登录名": "账号", "工龄": ""}

    def upload(**fields: Any) -> Answer:
        file = build_sheet((*GOOD, "3"), header=header)
        return ApiClient(ga).upload("/api/Account/Import", {"file": file, **fields})

    refused = upload()
    twice = upload(Mapping=json.dumps({"登录名": "账号", "工龄": "账号"}))
    mapped = upload(Mapping=json.dumps(mapping))

    assert (refused.code, refused.body) == (
        "file_refused",
        {"Headers": ["登录名", "工龄"], "Columns": ["账号"]},
    )
    assert twice.message == "登录名、工龄 都对应到了“账号”，一列只能对应一次，请修改"
    assert (mapped.body["Total"], mapped.body["Wrong"]) == (1, 0)
    assert upload(Confirm="true", Password=PASSWORD).message == "已导入 1 个账号"
    with platform_scope(reason="test: the mapping of a group"):
        stored = ColumnMapping.objects.values_list("group_id", "columns").get()
    assert stored == (ga.group_id, mapping)


@pytest.mark.parametrize(
    "text", ["[" * 5000, '{"登录名": "\\u0000"}', '{"登录名": "\\ud800"}', "{"]
)
def test_a_mapping_that_is_no_safe_json_is_refused(ga: Account, text: str) -> None:
    answer = send(ga, GOOD, Mapping=text)

    assert (answer.ok, answer.status < 500) == (False, True)
    with platform_scope(reason="test: the mapping of a group"):
        assert not ColumnMapping.objects.exists()
