"""The sheet of dimensions: preview, create and change, errors of rows, all or nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Collection
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.background.outbox import outbox_publish
from apps.common.background.queues import Queue
from apps.common.models import ImportRun, ImportWrongRows, OutboxMessage
from apps.common.services import import_run
from apps.common.services.import_resume import import_resume_handler, imports_resume
from apps.common.services.import_run import ChunkRefused
from apps.common.services.wrong_rows import get_wrong_sheet
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.common.testing.faults import at_statement, resume_import_now
from apps.dimensions.models import Dimension, DimensionDefault
from apps.dimensions.services.dimension_import import CHUNK_ROWS, COLUMNS, WRITER, DimensionWriter
from apps.dimensions.tests.factories import DimensionFactory
from apps.documents.excel import read_rows
from apps.notices.models import Notice
from apps.org.models import Account, Department, OrganisationChange

pytestmark = pytest.mark.django_db


def send(
    actor: Account,
    *rows: tuple[str, ...],
    columns: Collection[str] = COLUMNS,
    confirm: bool = False,
    **options: str,
) -> Any:
    text = "\n".join(",".join(row) for row in (columns, *rows))
    file = SimpleUploadedFile("核算项.csv", text.encode())
    confirmation = {"Confirm": "true"} if confirm else {}
    return ApiClient(actor).upload(
        "/api/Dimension/Import", {"file": file, **confirmation, **options}
    )


def build_row(**more: str) -> tuple[str, ...]:
    cells = {
        "kind": "成本中心",
        "code": "CC-1",
        "name": "行政",
        "owner": "",
        "valid_from": "",
        "valid_to": "",
        "state": "",
        "departments": "",
        "defaults": "",
    }
    return tuple((cells | more).values())


def test_a_sheet_creates_and_changes(ga: Account, department: Department) -> None:
    DimensionFactory(group=ga.group, code="CC-1", name="旧名")
    DimensionFactory(group=ga.group, code="CC-3", name="不变")
    key = f"{department.enterprise.code}/{department.code}"
    rows = (
        build_row(departments=key, defaults=key, valid_to="2027-12-31"),
        build_row(kind="项目", code="P-1", name="新楼", state="停用"),
        build_row(code="CC-3", name="不变"),
    )

    body = send(ga, *rows).body
    assert [each["Action"] for each in body["Rows"]] == ["update", "create", "same"]
    assert (body["Created"], body["Updated"], body["Unchanged"]) == (1, 1, 1)
    answer = send(ga, *rows, confirm=True)
    assert answer.message == "已导入 3 个核算项：新增 1，修改 1，不变 1"

    dimensions = list(Dimension.objects.order_by("code").values_list("kind", "name", "is_active"))
    assert dimensions == [
        ("cost_center", "行政", True),
        ("cost_center", "不变", True),
        ("project", "新楼", False),
    ]
    first = Dimension.objects.get(code="CC-1")
    assert [link.department_id for link in first.defaults.all()] == [department.pk]
    assert OrganisationChange.objects.filter(subject_type="dimension").count() == 2


def test_dimension_sheet_without_optional_columns_keeps_their_values(
    ga: Account, department: Department
) -> None:
    key = f"{department.enterprise.code}/{department.code}"
    full = build_row(
        owner=ga.username, valid_to="2027-12-31", state="停用", departments=key, defaults=key
    )
    send(ga, full, confirm=True)
    rows = (("成本中心", "CC-1", "新名"), ("项目", "P-1", "新楼"))

    answer = send(ga, *rows, columns=("类别", "编码", "名称"), confirm=True)

    assert answer.message == "已导入 2 个核算项：新增 1，修改 1，不变 0"
    dimension = Dimension.objects.get(code="CC-1")
    assert (dimension.name, dimension.owner, str(dimension.valid_to), dimension.is_active) == (
        "新名",
        ga,
        "2027-12-31",
        False,
    )
    assert [link.department_id for link in dimension.departments.all()] == [department.pk]
    assert [link.department_id for link in dimension.defaults.all()] == [department.pk]


def test_dimension_sheet_without_a_name_column_is_refused(ga: Account) -> None:
    answer = send(ga, ("成本中心", "CC-1"), columns=("类别", "编码"))

    assert not answer.ok
    assert "名称" in answer.message


def test_a_foreign_optional_column_is_named_before_anything_is_read(ga: Account) -> None:
    head = ("类别", "编码", "名称", "负责人")
    row = ("成本中心", "CC-1", "行政", ga.username)
    mapping = json.dumps({"负责人": "负责人账号"})

    asked = send(ga, row, columns=head)
    shown = send(ga, row, columns=head, Mapping=mapping)
    again = send(ga, row, columns=head, confirm=True)

    assert asked.code == "file_refused"
    assert asked.message == "未识别的列：负责人，请选择各列对应的内容，或选择不导入"
    assert asked.body == {"Headers": ["负责人"], "Columns": list(COLUMNS)[3:]}
    assert (shown.body["Total"], shown.body["Wrong"]) == (1, 0)
    assert again.message == "已导入 1 个核算项"
    assert Dimension.objects.get(code="CC-1").owner == ga


def test_a_preview_names_the_remembered_columns_that_it_has_used(ga: Account) -> None:
    head = ("类别", "代码", "名称", "备注")
    row = ("成本中心", "CC-1", "行政", "x")
    send(ga, row, columns=head, Mapping=json.dumps({"代码": "编码", "备注": "", "旧列": ""}))

    mapped = send(ga, row, columns=head).body["Mapping"]
    assert mapped["Columns"] == {"代码": "编码", "备注": ""}
    assert mapped["Choices"] == ["编码", *list(COLUMNS)[3:]]
    assert send(ga, build_row()).body["Mapping"] is None


def list_imports(actor: Account) -> list[Any]:
    """Return state, text, rows written and all rows, rows left out and work before, of each."""
    keys = ("State", "StateText", "Imported", "Total", "LeftOut", "Before")
    answer = ApiClient(actor).get("/api/Import", {"Kind": WRITER})
    return [tuple(run[key] for key in keys) for run in answer.body]


def test_own_imports_are_listed_with_their_progress(
    ga: Account, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 120 rows 10 are wrong. The background job writes the others."""
    monkeypatch.setattr(import_run, "PATIENCE_SECONDS", 0)
    rows = [build_row(code=f"CC-{number}" if number >= 10 else "") for number in range(120)]
    outbox_publish(topic=import_run.CONTINUE_TOPIC, key="999999")
    answer = send(ga, *rows, confirm=True, GoodOnly="true")

    assert (answer.body["Imported"], answer.body["Total"]) == (0, 110)
    assert list_imports(ga) == [("writing", "正在写入", 0, 110, 10, 1)]
    assert list_imports(buyer) == []
    resume_import_now()
    assert list_imports(ga) == [("done", "已完成", 110, 110, 10, 0)]
    assert Dimension.objects.count() == 110


def import_with_two_wrong_rows(ga: Account) -> ImportRun:
    rows = [build_row(), build_row(code="CC-2", name=""), build_row(code="CC-3", kind="部门")]
    send(ga, *rows, confirm=True, GoodOnly="true")
    return ImportRun.objects.get()


def test_the_rows_left_out_are_downloaded_later(ga: Account) -> None:
    run = import_with_two_wrong_rows(ga)
    ImportRun.objects.update(ended_at=timezone.now() - timedelta(days=29))

    (listed,) = ApiClient(ga).get("/api/Import", {"Kind": WRITER}).body
    answer = ApiClient(ga).get(f"/api/Import/{run.pk}/WrongRows").response
    head, *lines = read_rows(io.BytesIO(answer.content), max_rows=10, heading=1, max_columns=20)

    assert (listed["LeftOut"], listed["HasWrongSheet"]) == (2, True)
    assert "%E6%A0%B8%E7%AE%97%E9%A1%B9_" in answer["Content-Disposition"]  # 核算项_
    assert head == [*COLUMNS, "错误原因"]
    assert [(line[1], line[-1]) for line in lines] == [
        ("CC-2", "名称请填写 1 至 80 个字，不含换行等不可见字符"),
        ("CC-3", "类别请填写：成本中心、项目、会计科目"),
    ]


def test_the_rows_left_out_are_found_by_their_importer_only(ga: Account, buyer: Account) -> None:
    run = import_with_two_wrong_rows(ga)

    answer = ApiClient(buyer).get(f"/api/Import/{run.pk}/WrongRows")

    assert (answer.code, answer.message) == ("not_found", "导入记录不存在")


def test_an_import_without_wrong_rows_has_no_sheet_of_them(ga: Account) -> None:
    send(ga, build_row(), confirm=True)

    (listed,) = ApiClient(ga).get("/api/Import", {"Kind": WRITER}).body
    answer = ApiClient(ga).get(f"/api/Import/{listed['Id']}/WrongRows")

    assert listed["HasWrongSheet"] is False
    assert (answer.code, answer.message) == ("not_found", "这次导入没有未导入的行")


def test_the_rows_left_out_are_deleted_with_their_run(ga: Account) -> None:
    import_with_two_wrong_rows(ga)
    ImportRun.objects.update(ended_at=timezone.now() - timedelta(days=31))

    with platform_scope(reason="test"):
        imports_resume()

    assert not ImportRun.objects.exists()
    assert not ImportWrongRows.objects.exists()


def test_a_second_click_on_the_right_rows_stores_their_wrong_ones_once(ga: Account) -> None:
    began_at = timezone.now()
    import_with_two_wrong_rows(ga)
    run = ImportRun.objects.get()
    ImportRun.objects.update(ended_at=began_at + timedelta(minutes=1))

    import_with_two_wrong_rows(ga)

    assert ImportRun.objects.get() == run
    assert len(list(get_wrong_sheet(run=run).rows)) == 2


def test_a_cancelled_import_of_a_customer_is_taken_back(
    ga: Account, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_run, "PATIENCE_SECONDS", 0)
    send(ga, *(build_row(code=f"CC-{number}") for number in range(60)), confirm=True)
    path = f"/api/Import/{ImportRun.objects.get().pk}/Cancel"

    assert ApiClient(buyer).post(path).code == "not_found"
    cancelled = ApiClient(ga).post(path)
    assert cancelled.message == "导入已取消，正在撤回已写入的行"
    assert list_imports(ga)[0][:2] == ("taking_back", "已取消，正在撤回")
    resume_import_now()

    assert list_imports(ga) == [("taken_back", "已取消", 0, 60, 0, 0)]
    assert ApiClient(ga).post(path).code == "wrong_state"
    assert not Dimension.objects.exists()


def list_notices(actor: Account) -> list[tuple[str, str, str]]:
    """Deliver the messages, and return title, text and link of the notices about imports."""
    outbox_deliver(queues=[Queue.INTERACTIVE])
    notices = Notice.objects.filter(recipient=actor, kind="import_ended").order_by("pk")
    return list(notices.values_list("title", "text", "link"))


def import_in_the_background(
    ga: Account, monkeypatch: pytest.MonkeyPatch, *rows: tuple[str, ...]
) -> ImportRun:
    monkeypatch.setattr(import_run, "PATIENCE_SECONDS", 0)
    send(ga, *rows, confirm=True, GoodOnly="true")
    return ImportRun.objects.get()


LINK = "/userCenter/asset/dimension?Import=1"


def test_the_end_of_a_background_import_is_told_once(
    ga: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = import_in_the_background(ga, monkeypatch, build_row(), build_row(code="CC-2"))

    assert list_notices(ga) == []
    for _ in range(2):
        import_resume_handler(str(run.pk), {})
    ended = OutboxMessage.objects.get(topic="import.ended")
    outbox_publish(topic=ended.topic, key=ended.key, payload=ended.payload)

    assert list_notices(ga) == [("核算项导入已完成", "已导入 2 行", LINK)]


def test_the_notice_names_the_rows_left_out(
    ga: Account, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_in_the_background(ga, monkeypatch, build_row(), build_row(code="CC-2", name=""))
    resume_import_now()

    text = "已导入 1 行，另有 1 行不正确未导入，可下载更正后再次导入"
    assert list_notices(ga) == [("核算项导入已部分完成", text, LINK)]
    assert list_notices(buyer) == []


def test_the_notice_says_that_an_import_was_cancelled(
    ga: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = import_in_the_background(ga, monkeypatch, build_row())
    ApiClient(ga).post(f"/api/Import/{run.pk}/Cancel")
    resume_import_now()

    assert list_notices(ga) == [("核算项导入已取消", "已撤回 0 行", LINK)]


def test_the_notice_says_why_an_import_was_taken_back(
    ga: Account, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_in_the_background(ga, monkeypatch, build_row(owner=buyer.username))
    Account.objects.filter(pk=buyer.pk).update(is_active=False)
    resume_import_now()

    text = f"第 2 行：负责人账号“{buyer.username}”不存在或已停用，已撤回 0 行，请核对后重新导入"
    assert list_notices(ga) == [("核算项导入未完成", text, LINK)]


def test_an_import_that_its_request_ends_gives_no_notice(ga: Account) -> None:
    send(ga, build_row(), confirm=True)

    assert list_notices(ga) == []


def test_a_cancelled_request_answers_with_the_rows_taken_back(
    ga: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_run, "PATIENCE_SECONDS", 600)

    def cancel() -> None:
        ApiClient(ga).post(f"/api/Import/{ImportRun.objects.get().pk}/Cancel")

    rows = [build_row(code=f"CC-{number}") for number in range(CHUNK_ROWS + 10)]
    with at_statement('SELECT "common_importchunk"', 2, cancel):
        answer = send(ga, *rows, confirm=True)

    assert answer.message == f"导入已取消，已撤回 {CHUNK_ROWS} 行"
    assert not Dimension.objects.exists()


def test_a_foreign_column_that_is_not_imported_is_remembered(ga: Account) -> None:
    head = ("类别", "编码", "名称", "备注")
    row = ("成本中心", "CC-1", "行政", "x")
    send(ga, row, columns=head, Mapping=json.dumps({"备注": ""}))

    assert send(ga, row, columns=head).body["Wrong"] == 0


def test_repeated_dimension_sheet_reports_all_rows_unchanged(ga: Account) -> None:
    """The rows fill two chunks, and the counts of both are added."""
    rows = [build_row(code=f"CC-{number}") for number in range(CHUNK_ROWS + 10)]

    first, second = (send(ga, *rows, confirm=True) for _ in range(2))

    assert first.message == "已导入 60 个核算项"
    assert second.message == "已导入 60 个核算项：新增 0，修改 0，不变 60"
    assert (second.body["Imported"], second.body["Unchanged"]) == (60, 60)


def test_an_export_is_a_sheet_without_changes(ga: Account, department: Department) -> None:
    key = f"{department.enterprise.code}/{department.code}"
    send(ga, build_row(departments=key, defaults=key, owner=ga.username), confirm=True)

    sheet = ApiClient(ga).get("/api/Dimension/Export").response.content
    head, *lines = read_rows(io.BytesIO(sheet), max_rows=10, heading=1, max_columns=20)
    answer = send(ga, *(tuple(line) for line in lines)).body

    assert tuple(head) == tuple(COLUMNS)
    assert [(each["Action"], each["Errors"]) for each in answer["Rows"]] == [("same", [])]


WRONG = [
    ({"kind": "部门"}, "类别请填写：成本中心、项目、会计科目"),
    ({"code": ""}, "编码请填写 1 至 40 个字，不含空格、斜杠、顿号和分号"),
    ({"name": ""}, "名称请填写 1 至 80 个字，不含换行等不可见字符"),
    ({"owner": "nobody"}, "负责人账号“nobody”不存在或已停用"),
    ({"valid_from": "明年"}, "生效日期“明年”无法识别，日期请填写为 2027-01-31 的格式"),
    ({"valid_from": "2027-02-01", "valid_to": "2027-01-31"}, "失效日期不能早于生效日期"),
    ({"state": "是"}, "状态请填写：启用或停用"),
    ({"departments": "X/1"}, "适用部门“X/1”不存在或已停用，请填写“企业编码/部门编码”"),
]


@pytest.mark.parametrize(("cells", "message"), WRONG)
def test_invalid_dimension_row_reports_its_reason(
    ga: Account, cells: dict[str, str], message: str
) -> None:
    assert send(ga, build_row(**cells)).body["Rows"][0]["Errors"] == [message]


def test_one_invalid_dimension_row_refuses_the_sheet(ga: Account, department: Department) -> None:
    key = f"{department.enterprise.code}/{department.code}"
    answer = send(ga, build_row(), build_row(), build_row(code="CC-2", defaults=key), confirm=True)
    twice = send(ga, build_row(defaults=key), build_row(code="CC-2", defaults=key)).body["Rows"][0][
        "Errors"
    ]

    assert answer.message == "有 1 行有误，未导入任何数据"
    assert twice == ["默认部门与第 2 行重复，每个部门每类只能有一个默认"]
    assert Dimension.objects.count() == 0


def test_rolled_back_dimension_row_restores_the_previous_default(
    ga: Account, department: Department
) -> None:
    former = DimensionFactory(group=ga.group, code="CC-0", name="原默认")
    DimensionDefault.objects.create(
        group=ga.group, kind=former.kind, department=department, dimension=former
    )
    key = f"{department.enterprise.code}/{department.code}"
    writer = DimensionWriter(ImportRun(actor=ga, writer=WRITER))

    written = writer.write([[2, build_row(defaults=key)]])
    assert DimensionDefault.objects.get().dimension.code == "CC-1"
    assert writer.take_back(written.before).left == []

    assert DimensionDefault.objects.get().dimension == former
    assert not Dimension.objects.filter(code="CC-1").exists()


def test_import_stops_when_its_importer_loses_the_right(buyer: Account) -> None:
    writer = DimensionWriter(ImportRun(actor=buyer, writer=WRITER))
    with pytest.raises(ChunkRefused):
        writer.write([[2, build_row()]])
    assert not Dimension.objects.exists()
