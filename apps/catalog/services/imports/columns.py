"""The columns of a sheet, and a row as it is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from apps.catalog.services.imports.cells import Parse


@dataclass(frozen=True, slots=True)
class Column:
    """`is_key`: every sheet must have it. `required`: an empty cell is refused, and a new row needs it. No `parse`: for people only."""

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
        """The attribute of the model that the column sets."""
        return self.writes or self.field


@dataclass(slots=True)
class Row:
    """A sheet's row: `values` by field, only of the columns the sheet has; `refused` by header."""

    number: int
    values: dict[str, Any] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)

    def refuse(self, header: str, message: str) -> None:
        """Note that a cell cannot be taken."""
        self.refused.append((header, message))


class SheetColumns:
    """Which column of this very sheet holds which field."""

    def __init__(self, *, columns: tuple[Column, ...], headers: list[str]) -> None:
        self.columns = columns
        self._by_header = {column.header: column for column in columns}
        self._at: list[Column | None] = [self._by_header.get(header) for header in headers]
        self.present = tuple(column for column in self._at if column is not None and column.parse is not None)
        self.missing_for_new = tuple(column.header for column in columns if column.required and column.header not in headers)
        self.problems = list(self._check(headers))

    def _check(self, headers: list[str]) -> Iterable[tuple[str, str]]:
        named = [header for header in headers if header]
        for header in dict.fromkeys(named):
            if header not in self._by_header:
                yield header, f"没有这一列，请使用模板中的列名：{'、'.join(self._by_header)}"
            elif named.count(header) > 1:
                yield header, "这一列出现了多次，请只保留一列"
        for column in self.columns:
            if column.is_key and column.header not in named:
                yield column.header, "缺少这一列，请按模板补上"

    def header_of(self, target: str) -> str:
        """Return the header of the column that sets an attribute of the model."""
        return next(column.header for column in self.columns if column.target == target)

    def read(self, number: int, cells: list[str], *, today: date) -> Row:
        """Return the row with every cell parsed; a refused cell is noted and left out of the values."""
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
