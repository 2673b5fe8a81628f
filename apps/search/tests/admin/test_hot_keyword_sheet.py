"""Import and export of hot keywords (热词) as a sheet, with the usual preview."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from python_calamine import CalamineWorkbook

from apps.catalog.services.imports import SheetFile, import_apply, import_preview
from apps.catalog.tests.sheets import Rows
from apps.org.tests.office import create_staff, open_office
from apps.search.models import HotKeyword

HEADER = ("热词", "作用", "顺序", "开始时间", "结束时间", "启用")
PAGE = "/admin/search/hotkeyword/"


def build_sheet(*rows: tuple[str, ...]) -> SheetFile:
    content = Rows(HEADER, *rows).csv()
    return SheetFile(lambda: BytesIO(content))


@pytest.fixture
def toner(platform: None) -> HotKeyword:
    row: HotKeyword = HotKeyword.objects.create(
        keyword="Toner",
        key="toner",
        position=3,
        valid_from=datetime(2026, 11, 1, 0, 30, tzinfo=UTC),
    )
    return row


def test_a_sheet_adds_and_changes_words_and_leaves_the_others(toner: HotKeyword) -> None:
    other = HotKeyword.objects.create(keyword="旧词", key="旧词")
    rows = (
        ("TONER", "隐藏", "0", "2026-11-01 08:30", "2026/12/01 00:00:00", "否"),
        ("A4 复印纸", "置顶", "1", "", "", ""),
    )

    report = import_apply(actor=None, kind="hot_keywords", source=build_sheet(*rows))

    assert (report.created, report.updated) == (1, 1)
    toner.refresh_from_db()
    assert (toner.keyword, toner.kind, toner.position, toner.is_active) == (
        "TONER",
        "hidden",
        0,
        False,
    )
    assert toner.valid_from == datetime(2026, 11, 1, 0, 30, tzinfo=UTC)
    assert toner.valid_to == datetime(2026, 11, 30, 16, 0, tzinfo=UTC)
    assert HotKeyword.objects.get(key="a4 复印纸").position == 1
    assert HotKeyword.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("词", "顶", "0", "", "", "是"), "请填写其中之一"),
        (("词", "置顶", "-1", "", "", "是"), "0 到 32767"),
        (("词", "置顶", "0", "明天", "", "是"), "请填写时间"),
        (("词", "置顶", "0", "0001-01-01", "", "是"), "请填写时间"),
        (("词", "置顶", "0", "2026-11-02", "2026-11-01", "是"), "结束时间必须晚于开始时间"),
        (("词" * 61, "置顶", "0", "", "", "是"), "最多 60 个字"),
    ],
)
def test_invalid_hot_keyword_row_reports_its_reason_and_writes_nothing(
    platform: None, row: tuple[str, ...], message: str
) -> None:
    report = import_preview(actor=None, kind="hot_keywords", source=build_sheet(row))
    assert message in str(report.errors[0])
    assert not HotKeyword.objects.exists()


def test_exported_hot_keywords_are_imported_unchanged(toner: HotKeyword) -> None:
    desk = open_office(create_staff("商品"))
    out = b"".join(desk.get(f"{PAGE}export/"))
    word, kind, position, begins, ends, active = (
        CalamineWorkbook.from_filelike(BytesIO(out)).get_sheet_by_index(0).to_python()[1]
    )
    assert (word, kind, position, str(begins), ends, active) == (
        "Toner",
        "置顶",
        3.0,
        "2026-11-01 08:30:00",
        "",
        "是",
    )
    report = import_preview(actor=None, kind="hot_keywords", source=SheetFile(lambda: BytesIO(out)))
    assert (report.unchanged, report.created, report.updated, report.error_count) == (1, 0, 0, 0)


def test_hot_keyword_import_shows_a_preview_and_requires_the_permission(toner: HotKeyword) -> None:
    upload = SimpleUploadedFile(
        "热词.csv", Rows(HEADER, ("A4 复印纸", "置顶", "1", "", "", "")).csv()
    )
    page = (
        open_office(create_staff("商品"))
        .post(f"{PAGE}import/", {"kind": "hot_keywords", "file": upload})
        .content.decode()
    )
    assert 'name="token"' in page
    assert HotKeyword.objects.count() == 1
    assert open_office(create_staff("客服")).get(f"{PAGE}import/").status_code == 403
