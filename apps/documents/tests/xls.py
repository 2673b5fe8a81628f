"""Create a small .xls file (BIFF8 in a compound file). No library writes this format any more."""

from __future__ import annotations

import struct

SECTOR = 512
END, FREE, FAT_SECTOR = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
Cells = dict[tuple[int, int], str | float]


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def workbook_stream(cells: Cells, *, claims: tuple[int, int] | None = None) -> bytes:
    """Return the workbook stream: globals and one sheet. `claims` is the number of rows and
    columns in the sheet's header, true or not.
    """
    name = b"Sheet1"
    begin, end = record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 6)), record(0x0A)
    length = len(begin) + 4 + 8 + len(name) + len(end)
    bound = record(0x85, struct.pack("<IBBBB", length, 0, 0, len(name), 0) + name)
    rows, columns = claims or (
        max((row for row, _ in cells), default=0) + 1,
        max((column for _, column in cells), default=0) + 1,
    )
    body = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 6)) + record(
        0x0200, struct.pack("<IIHHH", 0, rows, 0, columns, 0)
    )
    for (row, column), value in sorted(cells.items()):
        place = struct.pack("<HHH", row, column, 0)
        if isinstance(value, str):
            body += record(
                0x0204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
            )
        else:
            body += record(0x0203, place + struct.pack("<d", value))
    return begin + bound + end + body + end


def build_xls(cells: Cells, *, claims: tuple[int, int] | None = None) -> bytes:
    """Return the file: header, one sector of the allocation table, one sector of the directory,
    then the stream.
    """
    stream = workbook_stream(cells, claims=claims).ljust(4096, b"\0")
    stream += b"\0" * (-len(stream) % SECTOR)
    count = len(stream) // SECTOR
    chain = [FAT_SECTOR, END, *range(3, 2 + count), END]
    assert len(chain) <= 128, "one sector of the table holds so much"
    table = struct.pack("<128I", *chain, *[FREE] * (128 - len(chain)))
    header = MAGIC + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 6
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, END, 0, END, 0) + struct.pack(
        "<109I", 0, *[FREE] * 108
    )
    directory = (
        build_entry("Root Entry", 5, child=1, start=END, size=0)
        + build_entry("Workbook", 2, start=2, size=len(stream))
        + b"\0" * 256
    )
    return header + table + directory + stream


MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def build_entry(name: str, kind: int, *, start: int, size: int, child: int = FREE) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    return (
        text.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(text), kind, 1, FREE, FREE, child)
        + b"\0" * 36
        + struct.pack("<IQ", start, size)
    )
