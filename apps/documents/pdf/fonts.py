"""Read widths and glyphs from a font file of 10 MB through a memory map, and build a small font
with only the characters of a document.

A PDF library that parses all 30,000 glyphs takes more than a second per document. This module reads
only the required parts. It supports OpenType fonts with TrueType outlines:
https://learn.microsoft.com/typography/opentype/spec/otff
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from fontTools.ttLib.sfnt import SFNTWriter

REGULAR, BOLD = "400Regular/NotoSansSC_400Regular.ttf", "700Bold/NotoSansSC_700Bold.ttf"
COPIED = ("OS/2", "head", "hhea", "maxp", "name", "post")
MISSING = ord("□")
# Flags of a component of a composite glyph.
WORDS, SCALE, MORE, TWO_SCALES, MATRIX = 0x0001, 0x0008, 0x0020, 0x0040, 0x0080


class FontFile:
    """One weight of the font, opened once per process."""

    def __init__(self, path: Path) -> None:
        """Read the table directory, the units per em, and the character map of the font file."""
        with path.open("rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.tables: dict[str, tuple[int, int]] = {}
        for number in range(struct.unpack_from(">H", self.data, 4)[0]):
            tag, _, offset, length = struct.unpack_from(">4sIII", self.data, 12 + 16 * number)
            self.tables[tag.decode("latin-1")] = (offset, length)
        self.units = struct.unpack_from(">H", self.data, self.tables["head"][0] + 18)[0]
        self.metrics = struct.unpack_from(">H", self.data, self.tables["hhea"][0] + 34)[0]
        self.glyphs = self._read_character_map()
        self._widths: dict[str, int] = {}

    def _read_character_map(self) -> dict[int, int]:
        """Return glyph numbers by code point, from the full Unicode subtable (format 12)."""
        start = self.tables["cmap"][0]
        for number in range(struct.unpack_from(">H", self.data, start + 2)[0]):
            offset = start + struct.unpack_from(">I", self.data, start + 8 + 8 * number)[0]
            if struct.unpack_from(">H", self.data, offset)[0] == 12:
                groups = struct.unpack_from(">I", self.data, offset + 12)[0]
                rows = struct.iter_unpack(
                    ">III", self.data[offset + 16 : offset + 16 + 12 * groups]
                )
                return {
                    code: glyph + code - first
                    for first, last, glyph in rows
                    for code in range(first, last + 1)
                }
        raise ValueError("the font has no full Unicode table")

    def has(self, character: str) -> bool:
        """Return whether the font has this character."""
        return ord(character) in self.glyphs

    def measure_width(self, text: str) -> float:
        """Return the width of the text at font size 1."""
        widths = self._widths
        for character in text:
            if character not in widths:
                widths[character] = self._get_advance_width(self.glyphs.get(ord(character), 0))
        units: int = self.units
        return sum(widths[character] for character in text) / units

    def _get_advance_width(self, glyph: int) -> int:
        row = min(glyph, self.metrics - 1)
        width: int = struct.unpack_from(">H", self.data, self.tables["hmtx"][0] + 4 * row)[0]
        return width

    def _get_glyph_outline(self, glyph: int) -> bytes:
        first, last = struct.unpack_from(">II", self.data, self.tables["loca"][0] + 4 * glyph)
        begin = self.tables["glyf"][0]
        return self.data[begin + first : begin + last]

    def build_subset(self, text: Iterable[str]) -> bytes:
        """Return a font file with only the characters of the text."""
        codes = sorted({ord(character) for character in text} | {32, MISSING} & self.glyphs.keys())
        order = [0, *dict.fromkeys(self.glyphs[code] for code in codes if code in self.glyphs)]
        place = {glyph: number for number, glyph in enumerate(order)}
        outlines: list[bytes] = []
        for glyph in order:  # the loop appends the components of composite glyphs
            outlines.append(self._renumber_components(self._get_glyph_outline(glyph), order, place))
        mapped = [(code, place[self.glyphs[code]]) for code in codes if code in self.glyphs]
        return self._build_file(order, outlines, mapped)

    @staticmethod
    def _renumber_components(outline: bytes, order: list[int], place: dict[int, int]) -> bytes:
        """Return the outline with the new glyph numbers of its components. Only a composite glyph
        has components.

        `order` holds the old glyph numbers in the new order, and `place` maps old to new numbers.
        A component that is not in them yet is added to both.
        """
        if not outline or struct.unpack_from(">h", outline)[0] >= 0:
            return outline
        glyph, at, flags = bytearray(outline), 10, MORE
        while flags & MORE:
            flags, part = struct.unpack_from(">HH", glyph, at)
            if part not in place:
                place[part] = len(order)
                order.append(part)
            struct.pack_into(">H", glyph, at + 2, place[part])
            at += 8 if flags & WORDS else 6
            if flags & SCALE:
                at += 2
            elif flags & TWO_SCALES:
                at += 4
            elif flags & MATRIX:
                at += 8
        return bytes(glyph)

    def _build_file(
        self, order: list[int], outlines: list[bytes], mapped: list[tuple[int, int]]
    ) -> bytes:
        """Return a TrueType file with only the glyphs in `order`. `mapped` are pairs (code point,
        new glyph number).
        """
        tables = {
            tag: bytearray(self.data[offset : offset + length])
            for tag, (offset, length) in self.tables.items()
            if tag in COPIED
        }
        struct.pack_into(">h", tables["head"], 50, 1)
        struct.pack_into(">H", tables["hhea"], 34, len(order))
        struct.pack_into(">H", tables["maxp"], 4, len(order))
        padded = [outline + b"\0" * (-len(outline) % 4) for outline in outlines]
        ends = [0]
        for outline in padded:
            ends.append(ends[-1] + len(outline))
        groups = b"".join(struct.pack(">III", code, code, glyph) for code, glyph in mapped)
        subtable = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(mapped)) + groups
        tables["cmap"] = bytearray(struct.pack(">HHHHI", 0, 1, 3, 10, 12) + subtable)
        tables["hmtx"] = bytearray(
            b"".join(
                struct.pack(">Hh", self._get_advance_width(glyph), self._get_left_bearing(glyph))
                for glyph in order
            )
        )
        tables["loca"] = bytearray(struct.pack(f">{len(ends)}I", *ends))
        tables["glyf"] = bytearray(b"".join(padded))
        file = BytesIO()
        writer = SFNTWriter(file, len(tables))
        for tag in sorted(tables):
            writer[tag] = bytes(tables[tag])
        writer.close()
        return file.getvalue()

    def _get_left_bearing(self, glyph: int) -> int:
        """Return the space left of a glyph in font units."""
        table_offset = self.tables["hmtx"][0]
        offset = (
            table_offset + 4 * glyph + 2
            if glyph < self.metrics
            else table_offset + 4 * self.metrics + 2 * (glyph - self.metrics)
        )
        bearing: int = struct.unpack_from(">h", self.data, offset)[0]
        return bearing


@lru_cache(maxsize=2)
def load_font(*, is_bold: bool) -> FontFile:
    """Return the weight, loaded from the folder PDF_FONT_DIR."""
    return FontFile(Path(settings.PDF_FONT_DIR) / (BOLD if is_bold else REGULAR))
