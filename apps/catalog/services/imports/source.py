"""The file of an import: a sheet that can be read several times, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

from apps.common.files.archives import MAX_UNPACKED
from apps.documents.excel import read_rows

MAX_ROWS = 50_000
MAX_COLUMNS = 60
# Maximum bytes of text in the sheet; limits the unpacked size of an archive.
MAX_TEXT = MAX_UNPACKED


class Source(Protocol):
    """The interface of a file for the import service."""

    def rows(self) -> Iterator[list[str]]:
        """Yield each row's cells as text, the header first. Raises FileRefused if the file is
        not a sheet or exceeds the limits.
        """
        ...


class SheetFile:
    """A .csv or .xlsx file that is opened again for each pass."""

    def __init__(self, opener: Callable[[], IO[bytes]]) -> None:
        self._open = opener

    @classmethod
    def at(cls, path: Path) -> SheetFile:
        """Return the sheet at a path of the local disk."""
        return cls(lambda: path.open("rb"))

    def rows(self) -> Iterator[list[str]]:
        """Yield each row's cells as text. Raises FileRefused."""
        with self._open() as file:
            yield from read_rows(
                file, max_rows=MAX_ROWS, heading=1, max_columns=MAX_COLUMNS, max_text=MAX_TEXT
            )
