"""The import page: take the valid rows, download the others, map foreign columns, and leave the
page while a background job writes.
"""

from __future__ import annotations

import html
import re
from io import BytesIO
from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.catalog.errors import ImportOfColleague
from apps.catalog.models import Brand
from apps.catalog.services.imports.run import list_cancellable_imports, staff_import_cancel
from apps.catalog.services.imports.writer import WRITER
from apps.catalog.tests.sheets import Rows
from apps.common.background.delivery import outbox_deliver
from apps.common.background.queues import Queue
from apps.common.errors import ImportNotFound
from apps.common.models import ColumnMapping, ImportRun, ImportWrongRows, OutboxMessage
from apps.common.models.import_run import ImportState
from apps.common.services import import_run
from apps.common.services.wrong_rows import get_wrong_sheet
from apps.common.testing.faults import resume_import_now
from apps.documents.excel import read_rows
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory

IMPORT = "/admin/catalog/brand/import/"
HEADER = ("编码", "名称")


@pytest.fixture
def staff(platform: None, client: Client) -> Client:
    client.force_login(Account.objects.create_superuser(username="ops", nickname="运营"))
    return client


def upload(client: Client, *rows: tuple[str, ...], header: tuple[str, ...] = HEADER) -> str:
    file = SimpleUploadedFile("品牌.csv", Rows(header, *rows).csv())
    return client.post(IMPORT, {"kind": "brands", "file": file}).content.decode()


def send(client: Client, page: str, **fields: str) -> Any:
    match = re.search(r'name="token" value="([^"]+)"', page)
    assert match is not None
    return client.post(IMPORT, {"kind": "brands", "token": match[1], **fields})


def test_valid_import_rows_are_written_and_invalid_rows_returned_as_a_sheet(
    staff: Client,
) -> None:
    preview = upload(staff, ("B7", "新牌"), ("B7", "又一个"), ("B8", ""))
    done = send(staff, preview, good="1").content.decode()
    wrong = send(staff, done, wrong="1")
    sheet = list(read_rows(BytesIO(wrong.getvalue()), max_rows=10, max_columns=5))

    assert "有 2 处错误，整个文件都未导入" in preview
    assert "只导入正确的 1 行" in preview
    assert "已导入正确的 1 行，2 行有误未导入" in done
    assert list(Brand.objects.values_list("code", "name")) == [("B7", "新牌")]
    assert sheet == [
        ["编码", "名称", "错误原因"],
        ["B7", "又一个", "与第 2 行重复（B7），请只保留一行"],
        ["B8", "", "名称：不能为空"],
    ]

    sheet[1][0], sheet[2][1] = "B9", "补上"
    again = upload(staff, *map(tuple, sheet[1:]), header=tuple(sheet[0]))
    assert "校验通过，尚未导入。品牌：共 2 行，新增 2" in again


def test_the_wrong_rows_of_an_own_import_are_downloaded_later(staff: Client) -> None:
    preview = upload(staff, ("B7", "新牌"), ("B8", ""))
    send(staff, preview, good="1")
    page = staff.get(IMPORT).content.decode()
    address = f"?kind=brands&amp;wrong_of={ImportRun.objects.get().pk}"
    answer = staff.get(f"{IMPORT}{html.unescape(address)}")

    assert "1 行有误未导入" in page
    assert address in page
    assert list(read_rows(BytesIO(answer.getvalue()), max_rows=10, max_columns=5)) == [
        ["编码", "名称", "错误原因"],
        ["B8", "", "名称：不能为空"],
    ]


def test_the_wrong_rows_of_a_colleague_are_not_found(staff: Client) -> None:
    preview = upload(staff, ("B7", "新牌"), ("B8", ""))
    send(staff, preview, good="1")
    ImportRun.objects.update(actor=StaffFactory())

    assert "我的导入中未导入的行" not in staff.get(IMPORT).content.decode()
    assert staff.get(IMPORT, {"wrong_of": str(ImportRun.objects.get().pk)}).status_code == 404


def test_the_wrong_rows_of_several_batches_are_stored_in_the_order_of_the_sheet(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.catalog.services.imports.run.BATCH", 2)
    rows = [(f"B{number}", "" if number % 2 else f"新牌{number}") for number in range(6)]
    send(staff, upload(staff, *rows), good="1")
    run = ImportRun.objects.get()

    assert run.options["left_out"] == 3
    assert [row[0] for row in get_wrong_sheet(run=run).rows] == ["B1", "B3", "B5"]


def test_a_refused_sheet_without_valid_rows_leaves_nothing_behind(staff: Client) -> None:
    import_page = upload(staff, ("B7", ""), ("B8", ""))

    assert 'name="good"' not in import_page
    assert not ImportWrongRows.objects.exists()


def test_an_ignored_column_keeps_its_header_in_the_sheet_of_wrong_rows(staff: Client) -> None:
    header = ("编码", "备注", "名称")
    page = upload(staff, ("B7", "x", "新牌"), ("B8", "y", ""), header=header)
    preview = send(staff, page, map="1", **{"column-0": ""}).content.decode()
    wrong = send(staff, preview, wrong="1")

    assert list(read_rows(BytesIO(wrong.getvalue()), max_rows=10, max_columns=5)) == [
        ["编码", "备注", "名称", "错误原因"],
        ["B8", "y", "", "名称：不能为空"],
    ]


def test_a_run_that_was_just_released_waits_for_the_background_job(staff: Client) -> None:
    run = ImportRun.objects.create(
        writer=WRITER, kind="brands", state=ImportState.WRITING, rows=50_000
    )
    text = "正在写入，已写入 {} / 50,000 行，{}。可以离开此页，写入不会中断。"

    page = staff.get(IMPORT).content.decode()
    assert text.format("0", "等待后台开始写入") in page
    ImportRun.objects.filter(pk=run.pk).update(rows_written=400)
    assert text.format("400", "由后台继续") in staff.get(IMPORT).content.decode()
    ImportRun.objects.filter(pk=run.pk).update(holder="killed")
    page = staff.get(IMPORT).content.decode()
    assert text.format("400", "已中断，将在一分钟内自动继续") in page


def test_a_running_import_is_cancelled_on_its_page(staff: Client) -> None:
    preview = upload(staff, *((f"C{nth}", f"品牌{nth}") for nth in range(150)))
    with patch("apps.catalog.services.imports.run.PATIENCE_SECONDS", 0):
        send(staff, preview)
    page = staff.get(IMPORT).content.decode()
    run = ImportRun.objects.get()
    fields = {"kind": "brands", "stop": str(run.pk)}

    assert f'name="stop" value="{run.pk}"' in page
    assert "导入已取消，正在撤回已写入的行" in staff.post(IMPORT, fields).content.decode()
    resume_import_now()
    assert "导入已取消，已撤回 0 行。" in staff.get(IMPORT).content.decode()
    assert "不能取消" in staff.post(IMPORT, fields).content.decode()
    assert not Brand.objects.exists()


def test_only_the_importer_or_a_superuser_cancels_an_import(platform: None) -> None:
    importer = Account.objects.create_superuser(username="ops", nickname="运营")
    colleague = StaffFactory(is_superuser=False)
    run = ImportRun.objects.create(
        writer=WRITER, kind="brands", state=ImportState.WRITING, rows=9, actor=importer
    )

    assert not list_cancellable_imports(staff=colleague, kind="brands").exists()
    assert list_cancellable_imports(staff=importer, kind="brands").get() == run
    ImportRun.objects.update(actor=colleague)
    assert list_cancellable_imports(staff=colleague, kind="brands").get() == run
    assert list_cancellable_imports(staff=importer, kind="brands").get() == run


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("李运营", "这次导入只能由确认导入的李运营或超级管理员取消"),
        ("", "这次导入只能由超级管理员取消"),
    ],
)
def test_the_refusal_says_who_may_cancel_an_import(
    platform: None, importer: str, text: str
) -> None:
    run = ImportRun.objects.create(
        writer=WRITER,
        kind="brands",
        state=ImportState.WRITING,
        rows=9,
        actor=StaffFactory(nickname=importer) if importer else None,
    )

    with pytest.raises(ImportOfColleague) as refusal:
        staff_import_cancel(staff=StaffFactory(is_superuser=False), kind="brands", run_id=run.pk)

    run.refresh_from_db()
    assert (refusal.value.text, run.state) == (text, ImportState.WRITING)


def test_a_run_of_another_kind_is_not_found(platform: None) -> None:
    run = ImportRun.objects.create(
        writer=WRITER, kind="categories", state=ImportState.WRITING, rows=9, actor=StaffFactory()
    )

    with pytest.raises(ImportNotFound):
        staff_import_cancel(staff=StaffFactory(is_superuser=False), kind="brands", run_id=run.pk)


def test_the_second_click_on_the_valid_rows_gets_the_answer_of_the_first(staff: Client) -> None:
    preview = upload(staff, ("B7", "新牌"), ("B8", ""))
    pages = [send(staff, preview, good="1").content.decode() for _ in range(2)]

    assert ["已导入正确的 1 行，1 行有误未导入" in page for page in pages] == [True, True]
    assert ImportRun.objects.count() == 1


def test_foreign_columns_are_mapped_once_and_remembered(staff: Client) -> None:
    header = ("品牌代码", "品牌名", "备注")
    page = upload(staff, ("B7", "新牌", "x"), header=header)
    mapped = {"column-0": "编码", "column-1": "名称", "column-2": ""}
    preview = send(staff, page, map="1", **mapped).content.decode()

    assert "品牌代码 对应的内容" in page
    assert "校验通过，尚未导入。品牌：共 1 行，新增 1" in preview
    assert "校验通过" in upload(staff, ("B9", "另一牌", ""), header=header)
    assert ColumnMapping.objects.values_list("columns", flat=True).get() == {
        "品牌代码": "编码",
        "品牌名": "名称",
        "备注": "",
    }

    staff.post(IMPORT, {"kind": "brands", "forget": "0", "confirm": "1"})
    assert "品牌代码 对应的内容" in upload(staff, ("B9", "另一牌", ""), header=header)


@pytest.mark.parametrize(
    ("column", "message"),
    [("编码", "都对应到了“编码”，一列只能对应一次"), ("密码", "模板中没有“密码”这一列")],
)
def test_a_mapping_that_makes_no_sense_is_refused(staff: Client, column: str, message: str) -> None:
    page = upload(staff, ("B7", "新牌"), header=("品牌代码", "品牌名"))
    answer = send(staff, page, map="1", **{"column-0": "编码", "column-1": column})

    assert message in answer.content.decode()
    assert not ColumnMapping.objects.exists()


def test_a_sheet_with_a_million_columns_is_refused(staff: Client) -> None:
    page = upload(staff, ("B7",), header=("编码",) * 1_000_000)

    assert "表格最多 60 列" in page
    assert 'name="token"' not in page


def test_a_large_import_continues_in_the_background(staff: Client) -> None:
    preview = upload(staff, *((f"C{nth}", f"品牌{nth}") for nth in range(150)))
    with (
        patch.object(import_run, "PATIENCE_SECONDS", 0),
        patch("apps.catalog.services.imports.run.PATIENCE_SECONDS", 0),
    ):
        page = send(staff, preview).content.decode()
    query = staff.get(IMPORT, {"kind": "brands", "progress": "1"}).json()

    assert "正在写入，已写入 0 / 150 行，等待后台开始写入。可以离开此页，写入不会中断。" in page
    assert query["is_open"] is True
    assert OutboxMessage.objects.filter(topic="import.resume").count() == 1
    assert Brand.objects.count() == 0

    outbox_deliver(queues=[Queue.BULK])
    query = staff.get(IMPORT, {"kind": "brands", "progress": "1"}).json()
    assert query["is_open"] is False
    assert Brand.objects.count() == 150
    assert (
        "导入完成。品牌：共 150 行，新增 150，更新 0，不变 0"
        in send(staff, preview).content.decode()
    )
