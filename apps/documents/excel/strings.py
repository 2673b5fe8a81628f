"""Measure the shared strings of a workbook. It uses a real XML parser, because one miscounted
string would shift the numbers of all others.
"""

from __future__ import annotations

from array import array
from xml.parsers import expat

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN

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
        self.lengths: array[int] = array("L")
        self._max_text = max_text
        self._total = 0
        self._entry = ""
        self._is_within = False
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse

    @property
    def longest(self) -> int:
        """The length of the longest string in bytes; 0 if there is none."""
        return max(self.lengths, default=0)

    def inspect(self, entry: str, piece: bytes) -> None:
        """Inspect the next piece of an entry."""
        if not entry.lower().replace("\\", "/").endswith(PART):
            return
        if self._entry not in ("", entry):
            raise FileRefused(BROKEN)
        self._entry = entry
        try:
            self._parser.Parse(piece, False)
        except expat.ExpatError as error:
            raise FileRefused(BROKEN) from error

    def _begin(self, name: str, _attributes: dict[str, str]) -> None:
        if name.partition(":")[2] == "si" or name == "si":
            if self._is_within or len(self.lengths) >= MAX_STRINGS:
                raise FileRefused(BROKEN)
            self._is_within = True
            self.lengths.append(0)

    def _end(self, name: str) -> None:
        if name.partition(":")[2] == "si" or name == "si":
            self._is_within = False

    def _text(self, text: str) -> None:
        if self._is_within:
            size = len(text) if text.isascii() else 3 * len(text)
            self.lengths[-1] += size
            self._total += size
            if self._total > self._max_text:
                raise FileRefused(too_much_text(self._max_text))

    def _refuse(self, *_: object) -> None:
        raise FileRefused(BROKEN)


def too_much_text(max_text: int) -> str:
    """Return the error message for text that exceeds `max_text` bytes."""
    return f"表格中的文字过多（最多 {max_text // MB} MB），请删除多余的内容或拆分后重试"
