"""Office files are zips: they are unpacked within bounds, counting, before any library opens them."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import IO

from apps.common.errors import FileRefused

MAX_ENTRIES = 2_000
# A directory entry is 46 bytes and its name.
MAX_DIRECTORY = MAX_ENTRIES * 512
MAX_UNPACKED = 80 * 1024 * 1024
MAX_RATIO = 150
RATIO_FREE = 8 * 1024 * 1024
# The closing record with the longest comment.
END_SPAN = 65_557
CHUNK = 1024 * 1024
# Only these are unpacked in bounded pieces: of bzip2 and LZMA a piece may become gigabytes.
PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MACRO_PARTS = ("vbaproject.bin", "vbadata.xml")
BROKEN = "文件已损坏或格式不正确，请另存后重试"
BOMB = "文件解压后过大，请拆分后重试"
# What zipfile lets out for a directory or an entry that does not add up; offsets before the file are a ValueError.
BROKEN_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
# Given each entry's name and its unpacked bytes piece by piece.
Inspector = Callable[[str, bytes], None]


def check_archive(file: IO[bytes], *, part: str, inspect: Inspector | None = None) -> None:
    """Unpack every entry once, in pieces, keeping nothing; leaves `file` at its start.

    Raises:
        FileRefused: it is no plain Office file with `part` in it, holds macros, or unpacks to more than the bounds.
    """
    file.seek(0, 2)
    packed = file.tell()
    file.seek(0)
    if file.read(4) != b"PK\x03\x04":  # something stands before the zip: a polyglot
        raise FileRefused(BROKEN)
    check_directory(file, packed)
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            _check_entries(entries, part)
            _unpack(archive, entries, packed, inspect)
    except BROKEN_ERRORS as error:
        raise FileRefused(BROKEN) from error
    finally:
        file.seek(0)


def check_directory(file: IO[bytes], size: int) -> None:
    """Refuse what holds more entries than an Office file does, before `ZipFile` builds an object of each; leaves `file` at its start."""
    file.seek(max(0, size - END_SPAN))
    tail = file.read()
    file.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    # The larger form of the record, for files that no workbook of these sizes needs, would override the one that is read here.
    if at < 0 or len(tail) < at + 22 or b"PK\x06\x07" in tail[max(0, at - 20) : at]:
        raise FileRefused(BROKEN)
    entries, directory = struct.unpack("<HI", tail[at + 10 : at + 16])
    if entries > MAX_ENTRIES or directory > MAX_DIRECTORY:
        raise FileRefused(BOMB)


def _check_entries(entries: list[zipfile.ZipInfo], part: str) -> None:
    names = [entry.filename for entry in entries]
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise FileRefused(BOMB)
    if part not in names or "[Content_Types].xml" not in names or len(set(names)) != len(names):
        raise FileRefused(BROKEN)
    if any(entry.compress_type not in PLAIN_METHODS for entry in entries):
        raise FileRefused(BROKEN)
    if any(name.lower().endswith(MACRO_PARTS) for name in names):
        raise FileRefused("文件含有宏，请另存为不含宏的文件后重试")
    if any(entry.flag_bits & 0x1 for entry in entries):
        raise FileRefused("文件已加密，请取消密码后重试")


def _unpack(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], packed: int, inspect: Inspector | None) -> None:
    total = 0
    for entry in entries:
        with archive.open(entry) as stream:
            while piece := stream.read(CHUNK):
                total += len(piece)
                if total > MAX_UNPACKED or (total > RATIO_FREE and total > packed * MAX_RATIO):
                    raise FileRefused(BOMB)
                if inspect is not None:
                    inspect(entry.filename, piece)
