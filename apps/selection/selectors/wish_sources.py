"""Reads the lines of a wish list from a text or a sheet. Lines are never dropped: an input
above the limits is refused.
"""

from __future__ import annotations

import io
from typing import IO

from apps.common.errors import TooLarge, ValidationFailed
from apps.common.files import SHEETS, file_take
from apps.common.files.intake import Upload
from apps.documents.excel import read_rows
from apps.selection.solver.lines import Wish, wishes_in
from apps.selection.solver.sheets import wishes_of_rows

# The maximum number of lines of a cart.
MAX_LINES = 200
# More than the maximum number of lines, to allow for blank rows, titles and headers.
MAX_ROWS, MAX_COLUMNS = 1000, 50
MAX_MB = 5


def wishes_of_text(text: str) -> list[Wish]:
    """Return the lines of a text.

    Raises:
        ValidationFailed: the text has no line.
        TooLarge: there are more than 200 lines.
    """
    return _bounded(wishes_in(text), "Text", "请输入清单，每行写一种商品")


def wishes_of_file(upload: Upload | IO[bytes]) -> list[Wish]:
    """Return the lines of an .xlsx or .csv file. A workbook is read from its first visible
    sheet.

    Raises:
        FileRefused: the file has another format, is broken, or has more than 1,000 rows.
        ValidationFailed: the file has no line.
        TooLarge: there are more than 200 lines.
    """
    taken = file_take(upload, kinds=SHEETS, max_mb=MAX_MB, message="请上传 .xlsx 或 .csv 文件")
    rows = read_rows(io.BytesIO(taken.content), max_rows=MAX_ROWS, max_columns=MAX_COLUMNS)
    return _bounded(
        wishes_of_rows(rows), "file", "表格里没有清单，请在第一张工作表中每行写一种商品"
    )


def _bounded(wishes: list[Wish], key: str, nothing: str) -> list[Wish]:
    if not wishes:
        raise ValidationFailed({key: [nothing]})
    if len(wishes) > MAX_LINES:
        raise TooLarge(f"清单共 {len(wishes)} 行，一次最多选品 {MAX_LINES} 行，请拆分后分次选品")
    return wishes
