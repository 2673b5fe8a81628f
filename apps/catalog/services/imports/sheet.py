"""A sheet that is imported: its columns, its parsed rows, and the file that is read row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import IO, Any, Protocol

from apps.catalog.services.imports.cells import Parse
from apps.common.files.archives import MAX_UNPACKED
from apps.documents.excel import REASON, read_rows

MAX_ROWS = 50_000
MAX_COLUMNS = 60
# Maximum bytes of text in the sheet; limits the unpacked size of an archive.
MAX_TEXT = MAX_UNPACKED


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a kind of sheet.

    `is_key`: every sheet must have the column. `required`: an empty cell is refused, and a new row
    needs the column. A column without `parse` is for readers only; the import ignores it.
    """

    header: str
    field: str
    parse: Parse | None = None
    required: bool = False
    is_key: bool = False
    empty: Any = None
    writes: str = ""
    example: str = ""

    @property
    def target(self) -> str:
        """Return the attribute of the model that the column sets."""
        return self.writes or self.field


@dataclass(slots=True)
class Row:
    """A row of a sheet. `values` holds the parsed cells by field, only of columns in the sheet.
    `refused` holds (header, message) for each refused cell.
    """

    number: int
    values: dict[str, Any] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)

    def refuse(self, header: str, message: str) -> None:
        """Record an error for a cell."""
        self.refused.append((header, message))


class SheetColumns:
    """Maps the columns of one uploaded sheet to fields."""

    def __init__(self, *, columns: tuple[Column, ...], headers: list[str]) -> None:
        self.columns = columns
        self._by_header = {column.header: column for column in columns}
        self._at: list[Column | None] = [self._by_header.get(header) for header in headers]
        self.present = tuple(
            column for column in self._at if column is not None and column.parse is not None
        )
        self.missing_for_new = tuple(
            column.header for column in columns if column.required and column.header not in headers
        )
        self.unknown = [
            header
            for header in dict.fromkeys(headers)
            if header and header != REASON and header not in self._by_header
        ]
        self.missing = [column.header for column in columns if column.header not in headers]
        self.problems = list(self._check_headers(headers))

    def _check_headers(self, headers: list[str]) -> Iterable[tuple[str, str]]:
        """Yield each problem as header and text: an unknown or repeated header, a missing key
        column.
        """
        filled_headers = [header for header in headers if header]
        for header in dict.fromkeys(filled_headers):
            if header == REASON:
                continue
            if header not in self._by_header:
                yield header, f"没有这一列，请使用模板中的列名：{'、'.join(self._by_header)}"
            elif filled_headers.count(header) > 1:
                yield header, "这一列出现了多次，请只保留一列"
        for column in self.columns:
            if column.is_key and column.header not in filled_headers:
                yield column.header, "缺少这一列，请按模板补上"

    def get_header(self, target: str) -> str:
        """Return the header of the column that sets this attribute of the model."""
        return next(column.header for column in self.columns if column.target == target)

    def read(self, number: int, cells: list[str], *, today: date) -> Row:
        """Return the parsed row. A refused cell is recorded and is missing from the values."""
        row = Row(number)
        for index, column in enumerate(self._at):
            if column is None or column.parse is None:
                continue
            cell = cells[index].strip() if index < len(cells) else ""
            if not cell:
                if column.required or column.is_key:
                    row.refuse(column.header, "不能为空")
                row.values[column.field] = column.empty
                continue
            try:
                row.values[column.field] = column.parse(cell, today)
            except ValueError as error:
                row.refuse(column.header, str(error))
        return row


class Source(Protocol):
    """The interface of a file for the import service."""

    def iterate_rows(self) -> Iterator[list[str]]:
        """Yield each row's cells as text, the header first. Raises FileRefused if the file is
        not a sheet or exceeds the limits.
        """
        ...


class SheetFile:
    """A .csv or .xlsx file that is opened again for each pass. `stored_path` is its path in the
    storage, empty for a file of the local disk. `customer_id` is the enterprise from whose program
    the sheet comes, 0 if none is named: its headers are mapped as for its earlier sheets.
    """

    def __init__(
        self, opener: Callable[[], IO[bytes]], *, stored_path: str = "", customer_id: int = 0
    ) -> None:
        self._open = opener
        self.stored_path = stored_path
        self.customer_id = customer_id

    @classmethod
    def from_path(cls, path: Path) -> SheetFile:
        """Return the sheet at a path of the local disk."""
        return cls(lambda: path.open("rb"))

    def iterate_rows(self) -> Iterator[list[str]]:
        """Yield the cells of each row as text, the heading first.

        Raises:
            FileRefused: it is not a sheet, or it has too many rows, columns or characters.
        """
        with self._open() as file:
            yield from read_rows(
                file, max_rows=MAX_ROWS, heading=1, max_columns=MAX_COLUMNS, max_text=MAX_TEXT
            )
