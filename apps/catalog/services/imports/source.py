"""The file of an import: a sheet that can be read more than once, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

from apps.common.excel import read_rows
from apps.common.files.archives import MAX_UNPACKED

MAX_ROWS = 50_000
MAX_COLUMNS = 60
# Bytes of text in the sheet: what an archive may unpack to.
MAX_TEXT = MAX_UNPACKED


class Source(Protocol):
    """What the import service needs of a file."""

    def rows(self) -> Iterator[list[str]]:
        """Yield each row's cells as text, the header first; raises FileRefused for what is no sheet or beyond the bounds."""
        ...


class SheetFile:
    """A .csv or .xlsx that can be opened again for each reading."""

    def __init__(self, opener: Callable[[], IO[bytes]]) -> None:
        self._open = opener

    @classmethod
    def at(cls, path: Path) -> SheetFile:
        """Return the sheet at a path of the disk."""
        return cls(lambda: path.open("rb"))

    def rows(self) -> Iterator[list[str]]:
        """Yield each row's cells as text."""
        with self._open() as file:
            yield from read_rows(file, max_rows=MAX_ROWS, heading=1, max_columns=MAX_COLUMNS, max_text=MAX_TEXT)
