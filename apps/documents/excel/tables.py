"""Read a table with named columns from a sheet: the headers in any order, also those of another
program that the customer has mapped to ours.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from apps.common.errors import FileRefused
from apps.common.files import TABLES, file_take
from apps.common.services.column_mapping import HeadersUnknown, get_column_mapping, map_headers
from apps.documents.excel.reader import read_rows

if TYPE_CHECKING:
    from apps.common.files.intake import Upload

# The last column of a sheet of wrong rows. A reader ignores it, so that the corrected sheet can be
# sent again as it is.
REASON = "错误原因"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its number in the file and its cells by field. Absent columns are empty."""

    number: int
    cells: dict[str, str]


def read_table(
    file: IO[bytes],
    *,
    kind: str,
    columns: Mapping[str, str],
    optional: Collection[str] = (),
    ignored: Collection[str] | None = None,
    max_rows: int,
    max_columns: int = 30,
) -> list[TableRow]:
    """Return the rows that have a cell, of a sheet with these columns: header → field.

    `kind` names the remembered mapping of the group. `optional` headers may be missing. Other
    headers must be in `ignored`; None ignores all.

    Raises:
        HeadersUnknown: a column is missing, or there is a header that is not ignored.
        FileRefused: it is not a sheet, exceeds the limits, or has a column twice.
    """
    lines = read_rows(file, max_rows=max_rows, heading=1, max_columns=max_columns)
    known = [*columns, REASON, *(ignored or ())]
    headers = [cell.strip().strip("*＊").strip() for cell in next(lines, [])]
    if not set(headers) <= {*known, ""}:
        headers = map_headers(headers, known=known, mapping=get_column_mapping(kind=kind))
    _check_headers(headers, columns, optional, known if ignored is not None else None)
    places = {columns[header]: at for at, header in enumerate(headers) if header in columns}
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = dict.fromkeys(columns.values(), "")
        cells |= {name: line[at].strip() for name, at in places.items() if at < len(line)}
        if any(cells.values()):
            rows.append(TableRow(number, cells))
    return rows


def read_named_cells(
    upload: Upload, *, header: Sequence[str], needed: Collection[str], max_rows: int, max_mb: int
) -> list[tuple[int, list[str]]]:
    """Return the number in the file and the cells of each row that has a cell, in the order of
    `header`. Absent columns are empty; other columns are ignored.

    Raises:
        FileRefused: it is not a sheet, exceeds the limits, lacks a `needed` column or has no rows.
    """
    wrong = f"请上传 .xlsx、.xls 或 .csv 文件，最多 {max_rows:,} 行、{max_mb} MB"
    taken = file_take(upload, kinds=TABLES, max_mb=max_mb, message=wrong, size_message=wrong)
    lines = read_rows(io.BytesIO(taken.content), max_rows=max_rows, heading=1, max_columns=30)
    head = [cell.strip().rstrip("*") for cell in next(lines, [])]
    if missing := [name for name in needed if name not in head]:
        raise FileRefused(f"第一行缺少列：{'、'.join(missing)}，请下载模板填写")
    places = [head.index(name) if name in head else None for name in header]
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = [
            line[place].strip() if place is not None and place < len(line) else ""
            for place in places
        ]
        if any(cells):
            rows.append((number, cells))
    if not rows:
        raise FileRefused("表格没有数据行，请按模板填写后重试")
    return rows


def _check_headers(
    headers: list[str],
    columns: Mapping[str, str],
    optional: Collection[str],
    known: Collection[str] | None,
) -> None:
    missing = [header for header in columns if header not in headers and header not in optional]
    unknown = [header for header in headers if header and header not in (known or columns)]
    unknown = [header for header in dict.fromkeys(unknown) if header != REASON]
    if missing or (known is not None and unknown):
        choices = [header for header in columns if header not in headers]
        raise HeadersUnknown(unknown=unknown, missing=missing, choices=choices)
    if twice := [header for header in columns if headers.count(header) > 1]:
        raise FileRefused(f"“{twice[0]}”这一列出现了多次，请只保留一列")
