"""Write sheets. Rows are streamed to disk, and text remains text even if it looks like a
formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any

import xlsxwriter
from django.utils import timezone

from apps.documents.excel.streamed import StreamedSheet

# Characters that begin a formula in spreadsheet programs.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
MAX_WIDTH = 40
Cell = str | int | float | Decimal | bool | date | datetime | None


def write_xlsx(
    file: IO[bytes],
    *,
    header: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    sheet: str = "Sheet1",
    cover: Sequence[tuple[str, Cell]] = (),
    totals: Sequence[Cell] = (),
    folder: str | None = None,
) -> int:
    """Write one sheet and return its number of rows below the header. Memory does not grow with
    the number of rows.

    `cover` has names and values for a sheet 说明 before it. `totals` is a bold row at the end.
    Temporary files are in `folder`.
    """
    count = 0
    with xlsxwriter.Workbook(file, {"constant_memory": True, "tmpdir": folder}) as workbook:
        _write_cover(workbook, cover)
        page = workbook.add_worksheet(sheet[:31], worksheet_class=StreamedSheet)
        bold = workbook.add_format({"bold": True, "bg_color": "#EEF4FF", "bottom": 1})
        formats = {
            "money": workbook.add_format({"num_format": "#,##0.00"}),
            "date": workbook.add_format({"num_format": "yyyy-mm-dd"}),
            "time": workbook.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        }
        page.freeze_panes(1, 0)
        for column, title in enumerate(header):
            page.set_column(column, column, min(MAX_WIDTH, max(10, len(title) * 2 + 4)))
            page.write_string(0, column, title, bold)
        for row in rows:
            count += 1
            for column, cell in enumerate(row):
                _write_cell(page, count, column, cell, formats)
        strong = {"money": workbook.add_format({"num_format": "#,##0.00", "bold": True, "top": 1})}
        for column, cell in enumerate(totals):
            _write_cell(page, count + 1, column, cell, {**formats, **strong})
    return count


def _write_cover(workbook: Any, cover: Sequence[tuple[str, Cell]]) -> None:
    if not cover:
        return
    page, bold = workbook.add_worksheet("说明"), workbook.add_format({"bold": True})
    formats = {"money": workbook.add_format({"num_format": "#,##0.00", "align": "left"})}
    dates = {"date": workbook.add_format({"num_format": "yyyy-mm-dd", "align": "left"})}
    times = {"time": workbook.add_format({"num_format": "yyyy-mm-dd hh:mm:ss", "align": "left"})}
    page.set_column(0, 0, 16)
    page.set_column(1, 1, 60)
    for row, (name, value) in enumerate(cover):
        page.write_string(row, 0, name, bold)
        _write_cell(page, row, 1, value, {**formats, **dates, **times})


def _write_cell(page: Any, row: int, column: int, cell: Cell, formats: dict[str, Any]) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, str):  # the most frequent type
        # Never use write(): it writes text that begins with = as a formula.
        page.write_string(row, column, cell[:32_767])
    elif isinstance(cell, bool):
        page.write_string(row, column, "是" if cell else "否")
    elif isinstance(cell, Decimal):
        page.write_number(row, column, float(cell), formats["money"])
    elif isinstance(cell, (int, float)):
        page.write_number(row, column, cell)
    elif isinstance(cell, datetime):
        local = timezone.localtime(cell).replace(tzinfo=None) if timezone.is_aware(cell) else cell
        page.write_datetime(row, column, local, formats["time"])
    else:
        page.write_datetime(row, column, cell, formats["date"])


def safe_csv_cell(cell: Cell) -> str:
    """Return a cell for CSV. Text that a spreadsheet would execute gets a leading '."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
    return str(cell)


def write_csv(file: IO[bytes], *, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """Write CSV in UTF-8 with BOM, as Excel expects. Return the number of rows below the
    header.
    """
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    writer = csv.writer(text)
    count = 0
    writer.writerow([safe_csv_cell(title) for title in header])
    for row in rows:
        count += 1
        writer.writerow([safe_csv_cell(cell) for cell in row])
    text.detach()
    return count
