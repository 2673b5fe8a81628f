"""Parse an uploaded .xlsx, .xls or .csv sheet, in UTF-8 or GBK. The size limits are checked
before the sheet is loaded into memory.
"""

from __future__ import annotations

import io

from apps.cart.parsing.document import MAX_CELLS, MAX_LINES, read_rows_of_cells
from apps.cart.parsing.line import WrittenLine
from apps.common.files import TABLES, file_take
from apps.common.files.intake import Upload
from apps.documents.excel import read_rows

MAX_MB = 5
MAX_COLUMNS = MAX_CELLS
# Allows for titles and blank rows, which do not count as lines.
MAX_ROWS = 2 * MAX_LINES
WRONG_KIND = f"请上传 .xlsx、.xls 或 .csv 文件，最多 {MAX_LINES:,} 行、{MAX_MB} MB"
TOO_BIG = f"文件不能超过 {MAX_MB} MB，最多 {MAX_LINES:,} 行，请删除图片和多余的行后重试"


def read_sheet(upload: Upload) -> list[WrittenLine]:
    """Return all parsed rows of the first visible sheet.

    Raises:
        FileRefused: the file is no sheet, is broken, or exceeds the limits.
        TooLarge: the sheet has more than MAX_LINES lines that name a product.
    """
    taken = file_take(upload, kinds=TABLES, max_mb=MAX_MB, message=WRONG_KIND, size_message=TOO_BIG)
    rows = list(read_rows(io.BytesIO(taken.content), max_rows=MAX_ROWS, max_columns=MAX_COLUMNS))
    while rows and not any(rows[-1]):
        rows.pop()
    return read_rows_of_cells(rows)
