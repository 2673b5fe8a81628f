"""A separate process with limits reads .xls files."""

from __future__ import annotations

import io
import struct

import pytest

from apps.common.errors import FileRefused
from apps.documents.excel import read_rows
from apps.documents.tests.xls import Cells, build_xls


def build_rows(content: bytes) -> list[list[str]]:
    return list(read_rows(io.BytesIO(content), max_rows=100, max_columns=20))


def test_cells_are_read_as_a_person_reads_them() -> None:
    cells: Cells = {
        (0, 0): "编码",
        (0, 1): "数量",
        (1, 0): "110001",
        (1, 1): 2.0,
        (2, 0): "中性笔",
        (2, 1): 1.5,
    }
    assert build_rows(build_xls(cells)) == [["编码", "数量"], ["110001", "2"], ["中性笔", "1.5"]]


def test_more_rows_than_allowed_are_refused_with_the_bound() -> None:
    with pytest.raises(FileRefused, match="表格最多 100 行"):
        build_rows(build_xls({(0, 0): "x", (100, 0): "y"}))


def test_more_columns_than_allowed_are_refused_with_the_bound() -> None:
    with pytest.raises(FileRefused, match="表格最多 20 列"):
        build_rows(build_xls({(0, 20): "x"}))


@pytest.mark.parametrize(
    "content",
    [
        build_xls({(0, 0): "x", (65_535, 255): "y"}),
        build_xls({(0, 0): "x"}, claims=(0xFFFFFFF0, 256)),
        build_xls({(0, 0): "x"})[:900],
        build_xls({})[:8] + struct.pack("<500I", *[0xFFFFFFFF] * 500),
    ],
    ids=["a rectangle of 16 million cells", "a lie about the size", "cut off", "no table"],
)
def test_malformed_legacy_workbook_is_refused(content: bytes) -> None:
    with pytest.raises(FileRefused):
        build_rows(content)
