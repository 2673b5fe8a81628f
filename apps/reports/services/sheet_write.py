"""Write a report's sheet to a file for a download, a worker or a letter. Memory use does not
depend on the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from apps.documents.excel.writer import write_xlsx
from apps.reports.selectors.sheets import ReportSheet, Row


def sheet_write(
    sheet: ReportSheet,
    file: IO[bytes],
    *,
    folder: str | None = None,
    told: Callable[[int], None] | None = None,
) -> int:
    """Return the number of rows written. Before each row, `told` receives the number of rows so
    far; it may raise to stop.

    Temporary files go to `folder`, by default the system's temporary folder.
    """

    def counted() -> Iterator[Row]:
        for number, row in enumerate(sheet.rows):
            if told is not None:
                told(number)
            yield row

    rows, said = (
        counted(),
        {"header": sheet.header, "sheet": sheet.name, "cover": sheet.cover, "totals": sheet.totals},
    )
    return write_xlsx(file, rows=rows, folder=folder, **said)  # type: ignore[arg-type]
