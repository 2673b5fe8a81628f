"""Check the size of a sheet and the length of its text in the raw XML, before the reader allocates
memory.

The reader allocates a full rectangle up to the last cell and copies a shared string into every cell
that refers to it: a file of 100 KB can require gigabytes. If a value is unclear, the maximum is
assumed or the file is refused. Shared strings are measured with a real XML parser, because one
miscounted string would shift the numbers of all others.
"""

from __future__ import annotations

import re
from array import array
from xml.parsers import expat

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN
from apps.documents.excel.legacy_child import describe_row_limit

# The entry with the shared strings. The reader ignores the case of its name.
PART = "sharedstrings.xml"
MAX_STRINGS = 1_000_000
MB = 1024 * 1024


class SharedStrings:
    """Inspects the unpacked pieces of every entry and stores the length of each shared string
    in bytes.

    Raises FileRefused if there are more strings or more text than allowed, or if the XML is invalid
    or has a document type.
    """

    def __init__(self, *, max_text: int) -> None:
        """`max_text` limits the text of all shared strings together, in bytes."""
        self.lengths: array[int] = array("L")
        self._max_text = max_text
        self._total = 0
        self._entry = ""
        self._is_within = False
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin_element
        self._parser.EndElementHandler = self._end_element
        self._parser.CharacterDataHandler = self._count_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    @property
    def longest(self) -> int:
        """The length of the longest string in bytes; 0 if there is none."""
        return max(self.lengths, default=0)

    def inspect(self, entry: str, piece: bytes) -> None:
        """Check the next piece of the shared strings of a workbook against the limit of text."""
        if not entry.lower().replace("\\", "/").endswith(PART):
            return
        if self._entry not in ("", entry):
            raise FileRefused(BROKEN)
        self._entry = entry
        try:
            self._parser.Parse(piece, False)
        except expat.ExpatError as error:
            raise FileRefused(BROKEN) from error

    def _begin_element(self, name: str, _attributes: dict[str, str]) -> None:
        """Begin to count a shared string (element si). Nested or too many of them are refused."""
        if name.partition(":")[2] == "si" or name == "si":
            if self._is_within or len(self.lengths) >= MAX_STRINGS:
                raise FileRefused(BROKEN)
            self._is_within = True
            self.lengths.append(0)

    def _end_element(self, name: str) -> None:
        if name.partition(":")[2] == "si" or name == "si":
            self._is_within = False

    def _count_text(self, text: str) -> None:
        """Add a piece of text to the length of the current shared string and to the total, in
        bytes.
        """
        if self._is_within:
            size = len(text) if text.isascii() else 3 * len(text)
            self.lengths[-1] += size
            self._total += size
            if self._total > self._max_text:
                raise FileRefused(describe_too_much_text(self._max_text))

    def _refuse_doctype(self, *_: object) -> None:
        raise FileRefused(BROKEN)


def describe_too_much_text(max_text: int) -> str:
    """Return the error message for text that exceeds `max_text` bytes."""
    return f"表格中的文字过多（最多 {max_text // MB} MB），请删除多余的内容或拆分后重试"


_NAME = rb"(?:[^\s<>:]*+:)?"
# Every row and cell with its attributes. If an attribute is repeated, the last one counts, for the
# reader and for a repeated group. A tag with unusual syntax has no second group. The number of a
# shared string is the last group, if the cell contains nothing else.
CELL = re.compile(
    rb"<" + _NAME + rb"(c|row)(?=[\s/>])"
    rb"((?:\s++(?:r\s*+=\s*+[\"']([A-Z]{0,3})([0-9]{1,9})[\"']|t\s*+=\s*+[\"']([A-Za-z]*+)[\"']"
    rb"|(?![rt][\s=])[^\s=<>\"'/]++\s*+=\s*+(?:\"[^\"<>]*+\"|'[^'<>]*+')))*+\s*+/?+>)?+"
    rb"(?:\s*+<" + _NAME + rb"v>([0-9]{1,9})</" + _NAME + rb"v>\s*+</" + _NAME + rb"c>)?+"
)
TEXT = re.compile(rb">([^<]++)")
TAIL = 4096
# The reader looks for cells only after this tag. Any entry may be a sheet.
CELLS_BEGIN = b"sheetData"
# The reader holds these parts in memory.
KEPT_PARTS = ("xl/workbook.xml", "xl/styles.xml")
MAX_KEPT_PART = 16 * MB


def parse_column_letters(letters: bytes) -> int:
    """Return 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


class SheetBounds:
    """Inspects the unpacked pieces of an .xlsx. Raises FileRefused at the first cell beyond the
    limits, and in `check` if there is too much text.

    `max_text` is in bytes, for one sheet and for all shared strings. `heading` rows are not counted
    in `max_rows`.
    """

    def __init__(self, *, max_rows: int, max_columns: int, max_text: int, heading: int = 0) -> None:
        """`max_text` limits all text of the sheet, in bytes; `heading` rows come on top of
        `max_rows`.
        """
        self.max_rows = max_rows + heading
        self._too_many = f"{describe_row_limit(max_rows, heading)}，请删除多余的行或拆分后重试"
        self.max_columns = max_columns
        self.max_text = max_text
        self._strings = SharedStrings(max_text=max_text)
        self._sheets: list[_Sheet] = []
        self._sheet: _Sheet | None = None
        self._entry, self._tail, self._size = "", b"", 0

    def inspect(self, entry: str, piece: bytes) -> None:
        """Check the next piece of a file in the workbook against the limits of rows, columns and
        text.
        """
        if entry.endswith(".xml") and b"\x00" in piece:  # in UTF-16 the patterns would not match
            raise FileRefused(BROKEN)
        if entry != self._entry:
            self._entry, self._tail, self._size, self._sheet = entry, b"", 0, None
        self._size += len(piece)
        if self._size > MAX_KEPT_PART and entry.lower().replace("\\", "/").endswith(
            (*KEPT_PARTS, ".rels")
        ):
            raise FileRefused(BROKEN)
        self._strings.inspect(entry, piece)
        text = self._tail + piece
        # A tag that continues in the next piece is inspected together with it.
        tag_start = text.rfind(b"<", max(0, len(text) - TAIL))
        text, self._tail = (
            (text[:tag_start], text[tag_start:])
            if tag_start >= 0 and b">" not in text[tag_start:]
            else (text, b"")
        )
        begin = 0 if self._sheet else text.find(CELLS_BEGIN)
        if begin >= 0:
            if self._sheet is None:
                self._sheet = _Sheet()
                self._sheets.append(self._sheet)
            self._check_cells(self._sheet, text[begin:])

    def check(self) -> None:
        """Raise FileRefused if a sheet has more text than allowed. Call it after all entries
        have been inspected.
        """
        lengths, longest = self._strings.lengths, self._strings.longest
        for sheet in self._sheets:
            shared = sum(lengths[number] for number in sheet.shared if number < len(lengths))
            if sheet.text + sheet.unreadable_numbers * longest + shared > self.max_text:
                raise FileRefused(describe_too_much_text(self.max_text))

    def _check_cells(self, sheet: _Sheet, text: bytes) -> None:
        """Check the number of rows, columns and cells in a piece of a sheet, and count its text."""
        cells = CELL.findall(text)
        if any(not tag for _, tag, *_ in cells):
            raise FileRefused(BROKEN)
        places = {(kind, letters) for kind, _, letters, _, _, _ in cells}
        if (
            max((int(row or b"999999999") for _, _, _, row, _, _ in cells), default=0)
            > self.max_rows
        ):
            if any(not row for _, _, _, row, _, _ in cells):  # a cell without a row number
                raise FileRefused(BROKEN)
            raise FileRefused(self._too_many)
        if (
            max((parse_column_letters(letters) for _, letters in places), default=0)
            > self.max_columns
        ):
            raise FileRefused(f"表格最多 {self.max_columns} 列，请删除多余的列后重试")
        sheet.cells += sum(kind == b"c" for kind, *_ in cells)
        if sheet.cells > self.max_rows * self.max_columns:  # some addresses are repeated
            raise FileRefused(BROKEN)
        sheet.count(
            text,
            [
                number
                for kind, tag, _, _, how, number in cells
                if how == b"s" and not tag.endswith(b"/>")
            ],
        )


class _Sheet:
    """Counts the cells and the text (in bytes) of one entry. `shared` are the numbers of the shared
    strings that its cells refer to; `unreadable_numbers` counts the cells without a readable one.
    """

    def __init__(self) -> None:
        self.cells = 0
        self.text = 0
        self.unreadable_numbers = 0
        self.shared: array[int] = array("L")
        self._has_sections = False

    def count(self, text: bytes, shared: list[bytes]) -> None:
        """Add a piece of XML and the numbers of the shared strings its cells refer to. b"" is a
        number that could not be read.
        """
        self.shared.extend(int(number) for number in shared if number)
        self.unreadable_numbers += sum(not number for number in shared)
        # A CDATA section may contain text that looks like a tag. From the first section on,
        # everything counts as text.
        self._has_sections = self._has_sections or b"<!" in text
        if self._has_sections:
            self.text += len(text)
        else:
            begun = text.find(b"<")
            self.text += (begun if begun >= 0 else len(text)) + sum(map(len, TEXT.findall(text)))
