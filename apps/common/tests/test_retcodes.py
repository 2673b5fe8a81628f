"""The table of return codes. Code, docs and design agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import get_resolver

from apps.common.api.exceptions import TABLE
from apps.common.errors import DomainError
from apps.common.retcodes import RET_CODES, render_markdown

STATUS = {row.code: row.status for row in RET_CODES}


def list_errors(kind: type[DomainError]) -> Iterator[type[DomainError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from list_errors(child)


def test_the_page_prints_the_table() -> None:
    page = (settings.BASE_DIR / "docs" / "wire.md").read_text("utf-8")
    assert f"<!-- table -->\n{render_markdown()}\n<!-- /table -->" in page, (
        "run manage.py write_wire_table"
    )


def test_every_refusal_of_every_app_has_its_row() -> None:
    assert get_resolver().url_patterns  # loads the views and every app's errors
    # A failed refresh returns not_logged_in with status 200, so the page does not refresh again.
    rows = {(row.code, row.status) for row in RET_CODES} | {("not_logged_in", 200)}
    wrong = {
        f"{kind.__module__}.{kind.__name__}": kind.code
        for kind in list_errors(DomainError)
        if (kind.code, kind.status) not in rows
    }
    assert wrong == {}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[2])
def test_every_failure_of_the_framework_has_its_row(row: tuple[object, int, str, str]) -> None:
    assert STATUS[row[2]] == row[1]


def test_ret_codes_are_unique() -> None:
    assert len(STATUS) == len(RET_CODES)
