"""Reading and writing of workbooks."""

from __future__ import annotations

import codecs
import io
import zipfile
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import xlsxwriter

from apps.common.errors import FileRefused
from apps.common.files import archives
from apps.documents.excel import read_rows, refuse_uncertain_formulas, write_csv, write_xlsx

SHEET = "xl/worksheets/sheet1.xml"


def build_xlsx(*cells: tuple[int, int, Any], width: int = 1) -> io.BytesIO:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as workbook:
        page = workbook.add_worksheet()
        for row, column, value in cells:
            page.write(row, column, value)
    return file


def with_sheet(xml: str | bytes) -> io.BytesIO:
    """A workbook with this XML as its sheet."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(build_xlsx((0, 0, "x"))) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            target.writestr(name, xml if name == SHEET else source.read(name))
    return out


def build_rows(file: io.BytesIO, max_rows: int = 100, max_columns: int = 20) -> list[list[str]]:
    return list(read_rows(file, max_rows=max_rows, max_columns=max_columns))


def build_sheet(cells: str) -> str:
    return (
        '<?xml version="1.0"?><worksheet '
        f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{cells}'
        "</sheetData></worksheet>"
    )


def test_cells_are_read_as_a_person_reads_them() -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as workbook:
        page = workbook.add_worksheet()
        page.write_row(0, 0, ["编码", 100234, 12.5, True])
        page.write_datetime(
            0, 4, date(2026, 3, 1), workbook.add_format({"num_format": "yyyy-mm-dd"})
        )
    assert build_rows(file) == [["编码", "100234", "12.5", "TRUE", "2026-03-01"]]


def test_blank_rows_and_columns_keep_their_place() -> None:
    assert build_rows(build_xlsx((2, 1, "x"), (4, 1, "y"))) == [
        ["", ""],
        ["", ""],
        ["", "x"],
        ["", ""],
        ["", "y"],
    ]


def test_written_workbook_is_read_back_unchanged() -> None:
    file = io.BytesIO()
    assert (
        write_xlsx(
            file,
            header=["名称", "金额", "日期"],
            rows=[["中性笔", Decimal("12.50"), date(2026, 3, 1)]],
        )
        == 1
    )
    assert build_rows(file) == [["名称", "金额", "日期"], ["中性笔", "12.5", "2026-03-01"]]


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1+1", "＝1+1"]
)
def test_a_text_like_a_formula_stays_a_text_in_a_sheet(text: str) -> None:
    file = io.BytesIO()
    write_xlsx(file, header=["x"], rows=[[text]])
    with zipfile.ZipFile(file) as archive:
        sheet = archive.read(SHEET)
    assert b"<f>" not in sheet
    assert build_rows(file)[1] == [text]


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1+1", "＝1+1"]
)
def test_a_text_like_a_formula_is_quoted_in_csv(text: str) -> None:
    file = io.BytesIO()
    write_csv(file, header=["x"], rows=[[text]])
    assert build_rows(file)[1] == [f"'{text}"]


def test_a_negative_number_is_not_quoted_in_csv() -> None:
    file = io.BytesIO()
    write_csv(file, header=["x"], rows=[[Decimal("-2.00")]])
    assert build_rows(file)[1] == ["-2.00"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_csv_is_read_in_the_encodings_of_chinese_offices(encoding: str) -> None:
    assert build_rows(io.BytesIO("编码,名称\n1,中性笔\n".encode(encoding))) == [
        ["编码", "名称"],
        ["1", "中性笔"],
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "文件中没有内容"),
        (codecs.BOM_UTF8 + b"\r\n", "文件中没有内容"),
        ("账号,昵称".encode("utf-16"), "UTF-16"),
        (codecs.BOM_UTF16_BE + "账号".encode("utf-16-be"), "UTF-16"),
    ],
    ids=["empty", "blank", "utf-16", "utf-16 big-endian"],
)
def test_empty_or_utf16_csv_is_refused_with_its_reason(content: bytes, message: str) -> None:
    with pytest.raises(FileRefused, match=message):
        build_rows(io.BytesIO(content))


def test_csv_with_too_many_rows_is_refused() -> None:
    with pytest.raises(FileRefused, match="最多 100 行"):
        build_rows(io.BytesIO(b"a\n" * 101))


def test_csv_with_too_many_columns_is_refused() -> None:
    with pytest.raises(FileRefused, match="最多 20 列，第 1 行有 21 列"):
        build_rows(io.BytesIO(b"," * 20))


def test_csv_with_an_open_quote_names_its_line() -> None:
    with pytest.raises(FileRefused, match="第 2 行"):
        build_rows(io.BytesIO(b'a\n"b\n'))


def test_a_binary_file_is_refused() -> None:
    with pytest.raises(FileRefused, match="不是有效的表格文件"):
        build_rows(io.BytesIO(b"\xd0\xcf\x11\xe0\x00\x00"))


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n",
        b"%PDF-1.7\n1,2\n",
        "编码,\x01".encode(),
        "编码\nB7\x00".encode(),
        b"\xff\xfa\xff,\xc0\n",
    ],
    ids=["picture", "pdf", "control character", "NUL", "no encoding"],
)
def test_bytes_that_are_no_text_are_refused(content: bytes) -> None:
    with pytest.raises(FileRefused, match="不是有效的表格文件"):
        build_rows(io.BytesIO(content))


def test_a_kilobyte_that_claims_a_million_rows_is_refused() -> None:
    file = with_sheet(
        build_sheet(
            '<row r="1"><c r="A1"/></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>'
        )
    )
    assert len(file.getvalue()) < 8000
    with pytest.raises(FileRefused, match="最多 100 行"):
        build_rows(file)


def test_a_cell_that_lies_about_its_row_is_refused() -> None:
    with pytest.raises(FileRefused, match="最多 100 行"):
        build_rows(with_sheet(build_sheet('<row r="1"><c r="A1048576"><v>1</v></c></row>')))


def test_a_cell_in_the_last_column_is_refused() -> None:
    with pytest.raises(FileRefused, match="最多 20 列"):
        build_rows(with_sheet(build_sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')))


@pytest.mark.parametrize(
    "cell", ["<c><v>1</v></c>", '<c s="&gt;" ><v>1</v></c>', '<c  s=">" r="XFD9999"><v>1</v></c>']
)
def test_cells_without_a_plain_place_are_refused(cell: str) -> None:
    with pytest.raises(FileRefused):
        build_rows(with_sheet(build_sheet(f'<row r="1">{cell}</row>')))


def test_a_sheet_in_utf16_is_refused() -> None:
    with pytest.raises(FileRefused, match="已损坏"):
        build_rows(
            with_sheet(build_sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>').encode("utf-16"))
        )


def test_a_cell_cut_between_two_pieces_is_still_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "CHUNK", 7)
    with pytest.raises(FileRefused, match="最多 100 行"):
        build_rows(with_sheet(build_sheet('<row r="1"><c r="A101"><v>1</v></c></row>')))


def test_an_xlsx_bomb_is_refused() -> None:
    with pytest.raises(FileRefused, match="解压后过大"):
        build_rows(with_sheet(b" " * (archives.MAX_UNPACKED + 1)))


def test_an_xlsx_of_an_absurd_ratio_is_refused() -> None:
    with pytest.raises(FileRefused, match="解压后过大"):
        build_rows(with_sheet(b" " * (archives.RATIO_FREE + 1)))


def test_an_xlsx_of_too_many_entries_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(archives.MAX_ENTRIES + 1):
            archive.writestr(str(number), "")
    with pytest.raises(FileRefused, match="解压后过大"):
        build_rows(file)


def test_an_xlsx_with_macros_is_refused() -> None:
    file = build_xlsx((0, 0, "x"))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/vbaProject.bin", "x")
    with pytest.raises(FileRefused, match="宏"):
        build_rows(file)


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"PK\x03\x04" + b"\xff" * 500])
def test_a_broken_xlsx_is_refused(content: bytes) -> None:
    with pytest.raises(FileRefused, match="已损坏"):
        build_rows(io.BytesIO(content))


def test_the_csv_stays_open_after_reading() -> None:
    file = io.BytesIO(b"a\n")
    build_rows(file)
    assert build_rows(file) == [["a"]]


@pytest.mark.parametrize("rows", [100, 101])
def test_the_heading_is_not_counted(rows: int) -> None:
    lines = io.BytesIO(b"a\n" + b"1\n" * rows)
    sheet = with_sheet(
        build_sheet(
            f'<row r="1"><c r="A1"><v>1</v></c></row><row r="{rows + 1}"><c r="A{rows + 1}'
            '"><v>1</v></c></row>'
        )
    )
    for file in (lines, sheet):
        if rows == 100:
            assert len(list(read_rows(file, max_rows=100, max_columns=20, heading=1))) == 101
        else:
            with pytest.raises(FileRefused, match="最多 100 行（不含表头）"):
                list(read_rows(file, max_rows=100, max_columns=20, heading=1))


def save_workbook(cell: str) -> io.BytesIO:
    """A workbook of one cell that does not ask for a recalculation on load, as spreadsheet
    programs save it.
    """
    out, one = io.BytesIO(), with_sheet(build_sheet(f'<row r="2">{cell}</row>'))
    with zipfile.ZipFile(one) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b' fullCalcOnLoad="1"', b""))
    return out


UNCERTAIN = [
    '<c r="G2"><f>F2*2</f></c>',
    '<c r="G2"><f>F2*2</f><v></v></c>',
    '<c r="G2" t="e"><f>F2/0</f><v>#DIV/0!</v></c>',
    '<c r="G2"><f t="shared" si="0"/></c>',
    '<x:c r="G2"><x:f>F2*2</x:f></x:c>',
]


@pytest.mark.parametrize("cell", UNCERTAIN)
def test_a_formula_without_a_result_is_refused_by_its_place(cell: str) -> None:
    with pytest.raises(FileRefused, match="单元格 G2 是公式且没有确定的结果"):
        refuse_uncertain_formulas(save_workbook(cell))


CERTAIN = [
    '<c r="G2"><f>F2*2</f><v>20</v></c>',
    '<c r="G2"><v>20</v></c>',
    '<c r="G2" t="str"><f>A1</f><v>办公</v></c>',
]


@pytest.mark.parametrize("cell", CERTAIN)
def test_a_result_that_was_worked_out_is_taken(cell: str) -> None:
    refuse_uncertain_formulas(save_workbook(cell))


def test_formula_without_a_certain_result_is_refused() -> None:
    with pytest.raises(FileRefused, match="单元格 G2"):
        refuse_uncertain_formulas(with_sheet(build_sheet(f'<row r="2">{CERTAIN[0]}</row>')))
