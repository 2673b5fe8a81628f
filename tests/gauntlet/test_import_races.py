"""One sheet imported in parallel, or confirmed twice, with real processes."""

from __future__ import annotations

import multiprocessing
import re
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from apps.catalog.services.imports import SheetFile, import_apply
from apps.common.models.import_run import ImportRun, ImportState
from apps.common.services.import_run import import_run_cancel
from apps.common.tenancy import no_scope
from apps.common.testing.faults import at_statement
from apps.org.models import Account
from apps.org.tests.office import open_office
from apps.search.models import HotKeyword
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
# An import reads its run before each chunk, outside a transaction.
NEXT_STEP = 'SELECT "common_importrun"'
_fork = multiprocessing.get_context("fork")
IMPORT = "/admin/search/hotkeyword/import/"
SHEET = "热词,作用\n" + "".join(f"词{nth},置顶\n" for nth in range(600))


def import_sheet(staff: Account, path: Path) -> tuple[int, int]:
    report = import_apply(actor=staff, kind="hot_keywords", source=SheetFile.from_path(path))
    return report.created, report.unchanged


def test_the_same_new_words_imported_at_once_are_added_once_and_known_to_the_others(
    staff: Account, tmp_path: Path
) -> None:
    """All of them see the words as new; the table accepts one. An equal import that began before
    the first one ended answers as the first, or with its progress while it is being written; a
    later one finds all words there.
    """
    path = tmp_path / "words.csv"
    path.write_text(SHEET, encoding="utf-8-sig")

    outcomes = run_race([partial(import_sheet, staff, path)] * 6)

    answers = Counter(outcome.value or outcome.text[:14] for outcome in outcomes)
    assert answers[600, 0] >= 1
    assert answers[600, 0] + answers[0, 600] + answers["这份文件已确认，无需再次确认"] == 6
    assert HotKeyword.objects.count() == 600


def test_the_second_confirm_is_answered_while_the_first_one_still_writes(
    staff: Account, tmp_path: Path
) -> None:
    """The first one stops between two chunks until the second one has its answer. If the second
    one waited for the first, neither would ever end.
    """
    path = tmp_path / "words.csv"
    path.write_text(SHEET, encoding="utf-8-sig")
    is_writing, is_answered = _fork.Event(), _fork.Event()

    def stop() -> None:
        is_writing.set()
        assert is_answered.wait(30)

    def first() -> tuple[int, int]:
        with at_statement(NEXT_STEP, 5, stop):
            return import_sheet(staff, path)

    def second() -> tuple[int, int]:
        assert is_writing.wait(30)
        try:
            return import_sheet(staff, path)
        finally:
            is_answered.set()

    written, answered = run_race([first, second])

    assert written.value == (600, 0)
    assert (answered.code, answered.text) == (
        "wrong_state",
        "这份文件已确认，无需再次确认：正在写入，已写入 300 / 600 行。可以离开此页，写入不会中断。",
    )
    assert HotKeyword.objects.count() == 600


def is_waiting_for_lock() -> bool:
    """Return whether a session of this database waits for another one's lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' LIMIT 1"
        )
        return cursor.fetchone() is not None


def test_a_cancel_holds_the_run_until_it_is_saved(staff: Account, tmp_path: Path) -> None:
    """The cancel has seen that the last chunk is not written yet. If the writer could finish before
    the cancel is saved, the sheet would count as taken back, with all its rows in the table.
    """
    path = tmp_path / "words.csv"
    path.write_text(SHEET, encoding="utf-8-sig")
    is_at_last_chunk, is_checked, is_ended = _fork.Event(), _fork.Event(), _fork.Event()

    def let_the_cancel_check() -> None:
        is_at_last_chunk.set()
        assert is_checked.wait(30)

    def write() -> tuple[int, int]:
        try:
            with at_statement(NEXT_STEP, 7, let_the_cancel_check):
                return import_sheet(staff, path)
        finally:
            is_ended.set()

    def let_the_writer_try() -> None:
        is_checked.set()
        until = time.monotonic() + 30
        while not (is_ended.is_set() or is_waiting_for_lock()):
            assert time.monotonic() < until

    def cancel() -> int:
        assert is_at_last_chunk.wait(30)
        with at_statement('UPDATE "common_importrun"', 1, let_the_writer_try):
            run = import_run_cancel(runs=ImportRun.objects.all(), run_id=ImportRun.objects.get().pk)
        return run.rows_written

    writing, cancelling = run_race([write, cancel])

    assert cancelling.value == 500
    assert writing.code == "validation"
    assert HotKeyword.objects.count() == 0
    run = ImportRun.objects.get()
    assert (run.state, run.report["rows_taken_back"]) == (ImportState.TAKEN_BACK, 500)


def confirm(office: Client, token: str) -> int:
    with no_scope():
        return office.post(IMPORT, {"kind": "hot_keywords", "token": token}).status_code


def test_a_sheet_confirmed_by_several_clicks_is_done_and_every_click_is_answered(
    staff: Account, settings: Any, tmp_path: Path
) -> None:
    """The first to finish deletes the file while the others read it."""
    disk = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path},
    }
    settings.STORAGES = {**settings.STORAGES, "default": disk}
    office = open_office(staff)
    with no_scope():
        page = office.post(
            IMPORT,
            {"kind": "hot_keywords", "file": SimpleUploadedFile("words.csv", SHEET.encode())},
        ).content.decode()
    token = re.search(r'name="token" value="([^"]+)"', page)
    assert token is not None

    outcomes = run_race([partial(confirm, office, token[1])] * 6)

    assert Counter(outcome.value for outcome in outcomes) == {200: 6}
    assert HotKeyword.objects.count() == 600
