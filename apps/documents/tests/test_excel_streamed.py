"""The faster cell writer produces the same sheet as the library."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from typing import Any

import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from xlsxwriter.worksheet import Worksheet

from apps.documents.excel import read_rows, write_xlsx
from apps.documents.excel.writer import StreamedSheet

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from("<>&\"' _x0041_\n\r\t\0\x1f\ufffe\uffff=+r/"),
    max_size=80,
)
NUMBERS = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.datetimes(datetime(1900, 3, 1), datetime(9999, 1, 1))  # noqa: DTZ001
SHEET = "xl/worksheets/sheet1.xml"


def write_sheet(kind: type[Worksheet], rows: list[list[Any]]) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"constant_memory": True}) as workbook:
        page, strong = (
            workbook.add_worksheet(worksheet_class=kind),
            workbook.add_format({"bold": True}),
        )
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                write = page.write_string if isinstance(cell, str) else page.write_number
                write = page.write_datetime if isinstance(cell, datetime) else write
                write(row, column, cell, strong if column % 2 else None)
    with zipfile.ZipFile(file) as packed:
        return packed.read(SHEET)


def is_rich(cell: object) -> bool:
    return isinstance(cell, str) and cell.startswith("<r>") and cell.endswith("</r>")


@given(
    st.lists(
        st.lists(
            (TEXTS | NUMBERS | TIMES).filter(lambda cell: not is_rich(cell)),
            min_size=1,
            max_size=30,
        ),
        max_size=4,
    )
)
def test_each_cell_is_written_as_the_library_writes_it(rows: list[list[Any]]) -> None:
    assert write_sheet(StreamedSheet, rows) == write_sheet(Worksheet, rows)


def test_a_text_that_looks_like_rich_text_stays_the_text_it_is() -> None:
    file, text = io.BytesIO(), "<r><t>改了</t></r>"
    write_xlsx(file, header=["备注"], rows=[[text]])
    assert list(read_rows(file, max_rows=10, max_columns=10)) == [["备注"], [text]]
