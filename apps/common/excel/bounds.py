"""How far the cells of a sheet reach, told from its bytes: the reader lays out a full rectangle up to the last one."""

from __future__ import annotations

import re

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN

# Every row and cell, with the place it claims; one that claims none is refused, since it would be counted on blindly.
PLACE = re.compile(rb"<(?:\w+:)?(?:c|row)(?=[\s/>])(?:[^>]*?\sr\s*=\s*[\"']([A-Z]{0,3})([0-9]{1,9})[\"'])?")
TAIL = 4096
# The reader looks for cells after this tag only, in whatever entry the workbook names as a sheet.
CELLS_BEGIN = b"sheetData"


def column_number(letters: bytes) -> int:
    """Return 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


class SheetBounds:
    """Fed with the unpacked pieces of an .xlsx, raises FileRefused at the first cell beyond the bounds."""

    def __init__(self, *, max_rows: int, max_columns: int) -> None:
        self.max_rows = max_rows
        self.max_columns = max_columns
        self._entry = ""
        self._tail = b""
        self._has_cells = False

    def inspect(self, entry: str, piece: bytes) -> None:
        """Look at the next piece of an entry."""
        if entry.endswith(".xml") and b"\x00" in piece:  # UTF-16 would hide the cells from us
            raise FileRefused(BROKEN)
        if entry != self._entry:
            self._entry, self._tail, self._has_cells = entry, b"", False
        text = self._tail + piece
        # A tag cut by the end of the piece is looked at with the next one.
        cut = text.rfind(b"<", max(0, len(text) - TAIL))
        text, self._tail = (text[:cut], text[cut:]) if cut >= 0 and b">" not in text[cut:] else (text, b"")
        begin = 0 if self._has_cells else text.find(CELLS_BEGIN)
        if begin >= 0:
            self._has_cells = True
            self._check(text[begin:])

    def _check(self, text: bytes) -> None:
        places = PLACE.findall(text)
        if not places:
            return
        letters = {place[0] for place in places}
        if max(int(place[1] or b"999999999") for place in places) > self.max_rows:
            if any(not place[1] for place in places):
                raise FileRefused(BROKEN)
            raise FileRefused(f"表格最多 {self.max_rows} 行，请删除多余的行或拆分后重试")
        if max(column_number(name) for name in letters) > self.max_columns:
            raise FileRefused(f"表格最多 {self.max_columns} 列，请删除多余的列后重试")
