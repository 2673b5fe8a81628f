"""How long each shared string of a workbook is. Read by a real XML parser: one that is miscounted would stand for another."""

from __future__ import annotations

from array import array
from xml.parsers import expat

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN

# The part that the reader takes them from, however its name is written.
PART = "sharedstrings.xml"
MAX_STRINGS = 1_000_000
MB = 1024 * 1024


class SharedStrings:
    """Fed with the unpacked pieces of every entry, knows the length of each shared string in bytes.

    Raises FileRefused for more strings or more text than allowed, and for a part that is no plain XML.
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
        """The length of the longest string; 0 where there is none."""
        return max(self.lengths, default=0)

    def inspect(self, entry: str, piece: bytes) -> None:
        """Look at the next piece of an entry."""
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
    """Return the message for more text than so many bytes."""
    return f"表格中的文字过多（最多 {max_text // MB} MB），请删除多余的内容或拆分后重试"
