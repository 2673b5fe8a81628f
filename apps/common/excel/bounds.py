"""How far the cells of a sheet reach and how much text they hold, told from its bytes before the reader lays anything out.

The reader lays out a full rectangle up to the last cell and copies a shared string into every cell that points to it: a hundred
kilobytes can ask for gigabytes. What cannot be told plainly is counted as the most it could be, or refused.
"""

from __future__ import annotations

import re
from array import array

from apps.common.errors import FileRefused
from apps.common.excel.legacy_child import most_rows
from apps.common.excel.strings import MB, SharedStrings, too_much_text
from apps.common.files.archives import BROKEN

_NAME = rb"(?:[^\s<>:]*+:)?"
# Every row and cell with its attributes. Of one given twice the reader takes the last, as a repeated group does here; a tag
# that is not written plainly has no second group. A shared string's number follows where nothing else does.
CELL = re.compile(
    rb"<" + _NAME + rb"(c|row)(?=[\s/>])"
    rb"((?:\s++(?:r\s*+=\s*+[\"']([A-Z]{0,3})([0-9]{1,9})[\"']|t\s*+=\s*+[\"']([A-Za-z]*+)[\"']"
    rb"|(?![rt][\s=])[^\s=<>\"'/]++\s*+=\s*+(?:\"[^\"<>]*+\"|'[^'<>]*+')))*+\s*+/?+>)?+"
    rb"(?:\s*+<" + _NAME + rb"v>([0-9]{1,9})</" + _NAME + rb"v>\s*+</" + _NAME + rb"c>)?+"
)
TEXT = re.compile(rb">([^<]++)")
TAIL = 4096
# The reader looks for cells after this tag only, in whatever entry the workbook names as a sheet.
CELLS_BEGIN = b"sheetData"
# What the reader keeps of these is as long as they are.
KEPT_PARTS = ("xl/workbook.xml", "xl/styles.xml")
MAX_KEPT_PART = 16 * MB


def column_number(letters: bytes) -> int:
    """Return 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


class SheetBounds:
    """Fed with the unpacked pieces of an .xlsx, raises FileRefused at the first cell beyond the bounds, and in `check` for too much text.

    `max_text` is in bytes, of one sheet and of all shared strings; `heading` rows stand above the `max_rows`.
    """

    def __init__(self, *, max_rows: int, max_columns: int, max_text: int, heading: int = 0) -> None:
        self.max_rows = max_rows + heading
        self._too_many = f"{most_rows(max_rows, heading)}，请删除多余的行或拆分后重试"
        self.max_columns = max_columns
        self.max_text = max_text
        self._strings = SharedStrings(max_text=max_text)
        self._sheets: list[_Sheet] = []
        self._sheet: _Sheet | None = None
        self._entry, self._tail, self._size = "", b"", 0

    def inspect(self, entry: str, piece: bytes) -> None:
        """Look at the next piece of an entry."""
        if entry.endswith(".xml") and b"\x00" in piece:  # UTF-16 would hide the cells from us
            raise FileRefused(BROKEN)
        if entry != self._entry:
            self._entry, self._tail, self._size, self._sheet = entry, b"", 0, None
        self._size += len(piece)
        if self._size > MAX_KEPT_PART and entry.lower().replace("\\", "/").endswith((*KEPT_PARTS, ".rels")):
            raise FileRefused(BROKEN)
        self._strings.inspect(entry, piece)
        text = self._tail + piece
        # A tag cut by the end of the piece is looked at with the next one.
        cut = text.rfind(b"<", max(0, len(text) - TAIL))
        text, self._tail = (text[:cut], text[cut:]) if cut >= 0 and b">" not in text[cut:] else (text, b"")
        begin = 0 if self._sheet else text.find(CELLS_BEGIN)
        if begin >= 0:
            if self._sheet is None:
                self._sheet = _Sheet()
                self._sheets.append(self._sheet)
            self._check(self._sheet, text[begin:])

    def check(self) -> None:
        """Raise FileRefused where a sheet would hold more text than allowed; call it when every entry has been inspected."""
        lengths, longest = self._strings.lengths, self._strings.longest
        for sheet in self._sheets:
            shared = sum(lengths[number] for number in sheet.shared if number < len(lengths))
            if sheet.text + sheet.unclear * longest + shared > self.max_text:
                raise FileRefused(too_much_text(self.max_text))

    def _check(self, sheet: _Sheet, text: bytes) -> None:
        found = CELL.findall(text)
        if any(not tag for _, tag, *_ in found):
            raise FileRefused(BROKEN)
        places = {(kind, letters) for kind, _, letters, _, _, _ in found}
        if max((int(row or b"999999999") for _, _, _, row, _, _ in found), default=0) > self.max_rows:
            if any(not row for _, _, _, row, _, _ in found):  # it would be counted on blindly
                raise FileRefused(BROKEN)
            raise FileRefused(self._too_many)
        if max((column_number(letters) for _, letters in places), default=0) > self.max_columns:
            raise FileRefused(f"表格最多 {self.max_columns} 列，请删除多余的列后重试")
        sheet.cells += sum(kind == b"c" for kind, *_ in found)
        if sheet.cells > self.max_rows * self.max_columns:  # a place is taken more than once
            raise FileRefused(BROKEN)
        sheet.count(text, [number for kind, tag, _, _, how, number in found if how == b"s" and not tag.endswith(b"/>")])


class _Sheet:
    """What the cells of one entry hold."""

    def __init__(self) -> None:
        self.cells = 0
        self.text = 0
        self.unclear = 0
        self.shared: array[int] = array("L")
        self._has_sections = False

    def count(self, text: bytes, shared: list[bytes]) -> None:
        """Add a piece and the numbers of the shared strings its cells point to; b"" for one that cannot be told."""
        self.shared.extend(int(number) for number in shared if number)
        self.unclear += sum(not number for number in shared)
        # What stands in a CDATA section may look like a tag: from the first one on everything is text.
        self._has_sections = self._has_sections or b"<!" in text
        if self._has_sections:
            self.text += len(text)
        else:
            begun = text.find(b"<")
            self.text += (begun if begun >= 0 else len(text)) + sum(map(len, TEXT.findall(text)))
