"""Write a report's sheet into a file, in memory that does not grow with its rows: for a download, a worker, a letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from apps.common.excel.writer import write_xlsx
from apps.reports.selectors.sheets import ReportSheet, Row


def sheet_write(sheet: ReportSheet, file: IO[bytes], *, folder: str | None = None, told: Callable[[int], None] | None = None) -> int:
    """Return how many rows were written; `told` hears before each row how many there are already, and may raise to end it.

    What is written before it is packed lies in `folder`, by itself the system's.
    """

    def counted() -> Iterator[Row]:
        for number, row in enumerate(sheet.rows):
            if told is not None:
                told(number)
            yield row

    rows, said = counted(), {"header": sheet.header, "sheet": sheet.name, "cover": sheet.cover, "totals": sheet.totals}
    return write_xlsx(file, rows=rows, folder=folder, **said)  # type: ignore[arg-type]
