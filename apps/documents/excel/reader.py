"""Read a sheet as text: .xlsx, .xls and .csv, row by row or as a table with named columns. The
headers may be in any order, or those of another program that the customer has mapped to ours.
Oversized files are refused before they use memory.

The reader of .xls allocates whatever the file claims, and this cannot be checked in advance. So it
runs in a child process with limited memory and time (`legacy_child.py`). If the child dies, the web
process is not affected.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

from apps.common.errors import FileRefused
from apps.common.files import ANY_KIND, TABLES, file_take
from apps.common.files.archives import BROKEN, BROKEN_ERRORS, check_archive
from apps.common.files.kinds import refuse_unreadable_text
from apps.common.services.column_mapping import HeadersUnknown, get_column_mapping, map_headers
from apps.documents.excel.bounds import MB, SheetBounds
from apps.documents.excel.legacy_child import as_text, describe_row_limit

if TYPE_CHECKING:
    from apps.common.files.intake import Upload

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
CHILD = Path(__file__).with_name("legacy_child.py")
SECONDS = 8


def read_legacy_rows(
    content: bytes, *, max_rows: int, max_columns: int, max_cell: int, heading: int = 0
) -> list[list[str]]:
    """Return the rows of the first visible sheet as text.

    Raises:
        FileRefused: it is broken, or exceeds the limits of rows, columns, cells, memory or time.
    """
    command = [
        sys.executable,
        "-I",
        str(CHILD),
        str(max_rows),
        str(max_columns),
        str(max_cell),
        str(heading),
    ]
    try:
        process = subprocess.run(  # noqa: S603
            command, input=content, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise FileRefused(
            f"表格内容过大，最多 {max_rows} 行、{max_columns} 列，请删除多余的内容后重试"
        ) from None
    if process.returncode:
        raise FileRefused(BROKEN)
    answer = json.loads(process.stdout)
    if "refused" in answer:
        raise FileRefused(answer["refused"])
    rows: list[list[str]] = answer["rows"]
    return rows


_NAME = rb"(?:[^\s<>:/]*+:)?"
# A cell with a formula, and the stored value.
FORMULA = re.compile(
    rb"<"
    + _NAME
    + rb"c\s([^<>]*+)>\s*+<"
    + _NAME
    + rb"f(?:\s[^<>]*?)?(?:/>|>[^<]*+</"
    + _NAME
    + rb"f>)\s*+"
    rb"(?:<" + _NAME + rb"v>([^<]*+)</)?"
)
CELL_REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Z]{1,3}[0-9]{1,7})[\"']")
ERROR = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
# The file was generated without calculating the formulas. The stored values are placeholders, which
# a spreadsheet program replaces when it opens the file.
TO_BE_WORKED_OUT = re.compile(
    rb"<" + _NAME + rb"calcPr\s[^<>]*fullCalcOnLoad\s*=\s*[\"'](?:1|true)[\"']"
)


def refuse_uncertain_formulas(file: IO[bytes]) -> None:
    """Raise FileRefused if a cell has a formula without a certain value; the message names the
    first such cell. Leaves `file` at its start.
    """
    file.seek(0)
    is_zip = file.read(4) == b"PK\x03\x04"
    file.seek(0)
    if not is_zip:
        return
    check_archive(file, part="xl/workbook.xml")
    try:
        with zipfile.ZipFile(file) as archive:
            place = _find_formula_without_value(archive)
    except BROKEN_ERRORS as error:
        raise FileRefused(BROKEN) from error
    finally:
        file.seek(0)
    if place:
        raise FileRefused(
            f"单元格 {place} 是公式且没有确定的结果，请在表格软件中打开并保存，或改为填写数值后重试"
        )


def _find_formula_without_value(archive: zipfile.ZipFile) -> str | None:
    """Return the address of the first formula cell without a usable value, such as B7. None without
    one.
    """
    needs_recalculation = TO_BE_WORKED_OUT.search(archive.read("xl/workbook.xml")) is not None
    for name in archive.namelist():
        if not (name.startswith("xl/worksheets/") and name.endswith(".xml")):
            continue
        for cell, value in FORMULA.findall(archive.read(name)):
            if needs_recalculation or not value.strip() or ERROR.search(cell):
                address = CELL_REFERENCE.search(cell)
                return address[1].decode() if address else "（未标明位置）"
    return None


Row = list[str]
MAX_CELL = 20_000
# Per sheet, in bytes: 10,000 rows with 500 Chinese characters each.
MAX_TEXT = 16 * MB
ENCODINGS = ("utf-8-sig", "gb18030")
NOT_A_SHEET = "不是有效的表格文件，请另存为 .xlsx 或 UTF-8 编码的 CSV 后重试"
# GB18030 decodes the first bytes of a picture as Chinese. These are no text.
OTHER_MAGICS = tuple(magic for kind in ANY_KIND for magic in kind.magics)
# Control characters that no row of headers contains.
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


def read_rows(
    file: IO[bytes], *, max_rows: int, max_columns: int, max_text: int = MAX_TEXT, heading: int = 0
) -> Iterator[Row]:
    """Yield each row of the first visible sheet as text, including blank rows. The first bytes
    decide between .xlsx, .xls and .csv.

    `heading` rows are not counted in `max_rows`.

    Raises:
        FileRefused: it is none of these formats, is broken, or has more rows or columns than
            allowed, or (only .xlsx) more text.
    """
    file.seek(0)
    magic = file.read(8)
    file.seek(0)
    if magic == MAGIC:
        yield from read_legacy_rows(
            file.read(),
            max_rows=max_rows,
            max_columns=max_columns,
            max_cell=MAX_CELL,
            heading=heading,
        )
    elif magic.startswith(b"PK\x03\x04"):
        yield from _iterate_xlsx_rows(
            file,
            SheetBounds(
                max_rows=max_rows, max_columns=max_columns, max_text=max_text, heading=heading
            ),
        )
    else:
        yield from _iterate_csv_rows(file, max_rows, max_columns, heading)


def _iterate_xlsx_rows(file: IO[bytes], bounds: SheetBounds) -> Iterator[Row]:
    """Yield the rows of the first visible sheet as text. Raises FileRefused for a broken
    workbook.
    """
    check_archive(file, part="xl/workbook.xml", inspect=bounds.inspect)
    bounds.check()
    try:
        workbook = CalamineWorkbook.from_filelike(file)
        visible_sheets = [
            sheet.name
            for sheet in workbook.sheets_metadata
            if sheet.visible == SheetVisibleEnum.Visible
        ]
        if not visible_sheets:
            raise FileRefused(BROKEN)
        sheet = workbook.get_sheet_by_name(visible_sheets[0])
    except CalamineError as error:
        raise FileRefused(BROKEN) from error
    # calamine returns the blank rows before the data, but not the blank columns.
    padding = [""] * (sheet.start[1] if sheet.start else 0)
    for cells in sheet.iter_rows():
        yield _check_cells(padding + [as_text(cell) for cell in cells])


def _iterate_csv_rows(
    file: IO[bytes], max_rows: int, max_columns: int, heading: int
) -> Iterator[Row]:
    """Yield the rows of a CSV file as text. Raises FileRefused beyond the limits or for invalid
    CSV.
    """
    text = io.TextIOWrapper(file, encoding=detect_encoding(file.read(65536)), newline="")
    file.seek(0)
    number = 0
    try:
        for number, cells in enumerate(csv.reader(text, strict=True), start=1):
            if number > max_rows + heading:
                raise FileRefused(f"{describe_row_limit(max_rows, heading)}，请拆分后重试")
            if len(cells) > max_columns:
                raise FileRefused(f"表格最多 {max_columns} 列，第 {number} 行有 {len(cells)} 列")
            yield _check_cells(cells)
    except UnicodeDecodeError as error:
        raise FileRefused(NOT_A_SHEET) from error
    except csv.Error as error:
        raise FileRefused(
            f"第 {number + 1} 行不是有效的 CSV 内容（可能缺少引号），请检查后重试"
        ) from error
    finally:
        # Otherwise the wrapper would close the caller's file. A caller that stops before the last
        # row may have closed it.
        if not file.closed:
            text.detach()


def detect_encoding(head: bytes) -> str:
    """Return the encoding of a text, detected from its beginning: UTF-8 (with or without BOM)
    or GB18030.

    Raises:
        FileRefused: the text is empty or has another encoding.
    """
    refuse_unreadable_text(head)
    if head.startswith(OTHER_MAGICS) or BINARY.search(head.split(b"\n", 1)[0]) or b"\x00" in head:
        raise FileRefused(NOT_A_SHEET)
    for encoding in ENCODINGS:
        for cut_bytes in range(4):  # the last character may be incomplete
            try:
                head[: len(head) - cut_bytes].decode(encoding)
            except UnicodeDecodeError:
                continue
            return encoding
    raise FileRefused(NOT_A_SHEET)


def _check_cells(cells: Row) -> Row:
    if any(len(cell) > MAX_CELL or "\x00" in cell for cell in cells):
        raise FileRefused(f"有单元格超过 {MAX_CELL} 个字或含有非法字符，请检查后重试")
    return cells


# The last column of a sheet of wrong rows. A reader ignores it, so that the corrected sheet can be
# sent again as it is.
REASON = "错误原因"
# More than any sheet of a customer may have.
MAX_MAPPED_ROWS, MAX_MAPPED_COLUMNS = 10_000, 60


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its number in the file and its cells by field. The cells of `absent`, the fields
    whose column the sheet does not have, are empty.
    """

    number: int
    cells: dict[str, str]
    absent: frozenset[str] = frozenset()


def read_table(
    file: IO[bytes],
    *,
    kind: str,
    columns: Mapping[str, str],
    optional: Collection[str] = (),
    ignored: Collection[str] = (),
    max_rows: int,
    max_columns: int = 30,
) -> list[TableRow]:
    """Return the rows that have a cell, of a sheet with these columns: header → field.

    `kind` names the remembered mapping of the group. `optional` headers may be missing. Other
    headers must be in `ignored`, or the mapping says that they are not imported.

    Raises:
        HeadersUnknown: a column is missing, or nobody has said what a header stands for.
        FileRefused: it is not a sheet, exceeds the limits, or has a column twice.
    """
    lines = read_rows(file, max_rows=max_rows, heading=1, max_columns=max_columns)
    file_headers = _clean_headers(next(lines, []))
    headers = _map_to_template(file_headers, kind=kind, known_headers=[*columns, *ignored])
    _check_headers(headers, columns, optional=optional, ignored=ignored, file_headers=file_headers)
    index_by_field = {
        columns[header]: index for index, header in enumerate(headers) if header in columns
    }
    absent = frozenset(columns.values()) - set(index_by_field)
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = dict.fromkeys(columns.values(), "")
        cells |= {
            name: line[index].strip() for name, index in index_by_field.items() if index < len(line)
        }
        if any(cells.values()):
            rows.append(TableRow(number, cells, absent))
    return rows


def read_named_cells(
    upload: Upload,
    *,
    kind: str,
    header: Sequence[str],
    needed: Collection[str],
    max_rows: int,
    max_mb: int,
) -> list[tuple[int, list[str]]]:
    """Return the number in the file and the cells of each row that has a cell, in the order of
    `header`. Absent columns are empty. `kind` names the remembered mapping of the group.

    Raises:
        HeadersUnknown: a `needed` column is missing, or nobody has said what a header stands for.
        FileRefused: it is not a sheet, exceeds the limits, has a column twice or has no rows.
    """
    format_refusal = f"请上传 .xlsx、.xls 或 .csv 文件，最多 {max_rows:,} 行、{max_mb} MB"
    file = file_take(
        upload, kinds=TABLES, max_mb=max_mb, message=format_refusal, size_message=format_refusal
    )
    lines = read_rows(io.BytesIO(file.content), max_rows=max_rows, heading=1, max_columns=30)
    file_headers = _clean_headers(next(lines, []))
    headers = _map_to_template(file_headers, kind=kind, known_headers=header)
    optional = [name for name in header if name not in needed]
    _check_headers(headers, header, optional=optional, file_headers=file_headers)
    column_indexes = [headers.index(name) if name in headers else None for name in header]
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = [
            line[index].strip() if index is not None and index < len(line) else ""
            for index in column_indexes
        ]
        if any(cells):
            rows.append((number, cells))
    if not rows:
        raise FileRefused("表格没有数据行，请按模板填写后重试")
    return rows


def _clean_headers(line: Row) -> list[str]:
    """Return the headers of the first row without the star of a required column."""
    return [cell.strip().strip("*＊").strip() for cell in line]


def _map_to_template(headers: list[str], *, kind: str, known_headers: Sequence[str]) -> list[str]:
    """Return the headers of a sheet in the words of the template, as the group has mapped
    them. A header that is not imported becomes empty.
    """
    if set(headers) <= {*known_headers, REASON, ""}:
        return headers
    return map_headers(
        headers,
        template_headers=[*known_headers, REASON],
        mapping=get_column_mapping(kind=kind),
    )


@dataclass(frozen=True, slots=True)
class SheetMapping:
    """How the headers of a sheet are read that the template does not have. `columns`: header →
    column, empty for a header that is not imported. `choices`: the columns that the sheet itself
    does not have.
    """

    columns: dict[str, str]
    choices: list[str]


def find_sheet_mapping(
    file: IO[bytes], *, kind: str, columns: Collection[str]
) -> SheetMapping | None:
    """Return which headers of a sheet are read as the group has mapped them, or None if all of
    them are those of the template. `columns` are the headers of the template. The sheet has been
    read before, so that its limits are checked.
    """
    remembered = get_column_mapping(kind=kind)
    if not remembered:
        return None
    lines = read_rows(file, max_rows=MAX_MAPPED_ROWS, heading=1, max_columns=MAX_MAPPED_COLUMNS)
    headers = _clean_headers(next(lines, []))
    template_headers = _clean_headers(list(columns))
    mapped_columns = {
        header: remembered[header]
        for header in headers
        if header in remembered and header not in template_headers
    }
    choices = [header for header in template_headers if header not in headers]
    return SheetMapping(mapped_columns, choices) if mapped_columns else None


def _check_headers(
    headers: list[str],
    columns: Collection[str],
    *,
    optional: Collection[str],
    ignored: Collection[str] = (),
    file_headers: Collection[str],
) -> None:
    """Raise HeadersUnknown if a column is missing or a header is unknown, and FileRefused if a
    column appears twice. `file_headers` are the same headers before the mapping. If a column is
    missing, the headers that the mapping ignores are unknown too: one of them may be that column,
    and the user could not choose it otherwise.
    """
    missing_headers = [
        header for header in columns if header not in headers and header not in optional
    ]
    known_headers = {*columns, *ignored, REASON, ""}
    if missing_headers:
        headers = [
            header or file_header for header, file_header in zip(headers, file_headers, strict=True)
        ]
    unknown_headers = [header for header in dict.fromkeys(headers) if header not in known_headers]
    if missing_headers or unknown_headers:
        choices = [header for header in columns if header not in headers]
        raise HeadersUnknown(unknown=unknown_headers, missing=missing_headers, choices=choices)
    if repeated_headers := [header for header in columns if headers.count(header) > 1]:
        raise FileRefused(f"“{repeated_headers[0]}”这一列出现了多次，请只保留一列")
