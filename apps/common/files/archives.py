"""Zip archives within limits: check Office files, which are zip archives, before any library opens
them; and read many files from one zip, one at a time. The intake checks each of these afterwards.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from apps.common.errors import FileRefused

MEGABYTE = 1024 * 1024
MAX_ENTRIES = 2_000
# A directory entry has 46 bytes and the name.
MAX_DIRECTORY = MAX_ENTRIES * 512
MAX_UNPACKED = 80 * 1024 * 1024
MAX_RATIO = 150
RATIO_FREE = 8 * 1024 * 1024
# The end record with the longest possible comment.
END_SPAN = 65_557
CHUNK = 1024 * 1024
# Only these methods unpack in pieces of limited size. With bzip2 and LZMA a piece may have
# gigabytes.
PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MACRO_PARTS = ("vbaproject.bin", "vbadata.xml")
BROKEN = "文件已损坏或格式不正确，请另存后重试"
BOMB = "文件解压后过大，请拆分后重试"
# Errors that zipfile raises for a broken directory or entry. Negative offsets give a ValueError.
BROKEN_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
# Called with the name of each entry and a piece of its unpacked bytes.
Inspector = Callable[[str, bytes], None]


BROKEN_BUNDLE = "压缩包已损坏或不是 .zip 格式，请重新压缩后上传"
BROKEN_ENTRY = "压缩包中的该文件已损坏或加密，请重新压缩后上传"
# Files that operating systems add to a zip.
JUNK = ("__MACOSX/", "Thumbs.db", "desktop.ini")


def check_archive(file: IO[bytes], *, part: str, inspect: Inspector | None = None) -> None:
    """Unpack every entry once, in pieces, without storing it. Leaves `file` at its start.

    Raises:
        FileRefused: it is not a plain Office file with `part` in it, contains macros, or exceeds
        the
            limits when unpacked.
    """
    file.seek(0, 2)
    packed = file.tell()
    file.seek(0)
    if file.read(4) != b"PK\x03\x04":  # data before the zip: the file has a second format
        raise FileRefused(BROKEN)
    check_directory(file, packed)
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            _check_entries(entries, part)
            _unpack_entries(archive, entries, packed, inspect)
    except BROKEN_ERRORS as error:
        raise FileRefused(BROKEN) from error
    finally:
        file.seek(0)


def check_directory(file: IO[bytes], size: int) -> None:
    """Refuse an archive with more entries than an Office file has, before `ZipFile` creates an
    object for each. Leaves `file` at its start.
    """
    file.seek(max(0, size - END_SPAN))
    tail = file.read()
    file.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    # A ZIP64 record would override this one. No workbook of this size needs it.
    if at < 0 or len(tail) < at + 22 or b"PK\x06\x07" in tail[max(0, at - 20) : at]:
        raise FileRefused(BROKEN)
    entries, directory = struct.unpack("<HI", tail[at + 10 : at + 16])
    if entries > MAX_ENTRIES or directory > MAX_DIRECTORY:
        raise FileRefused(BOMB)


def _check_entries(entries: list[zipfile.ZipInfo], part: str) -> None:
    """Check the entries of an Office file: number, size, needed parts, no macros, no encryption."""
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


def _unpack_entries(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], packed: int, inspect: Inspector | None
) -> None:
    """Read all entries and count their bytes. Refuse a zip bomb. `inspect` gets each piece."""
    total = 0
    for entry in entries:
        with archive.open(entry) as stream:
            while piece := stream.read(CHUNK):
                total += len(piece)
                if total > MAX_UNPACKED or (total > RATIO_FREE and total > packed * MAX_RATIO):
                    raise FileRefused(BOMB)
                if inspect is not None:
                    inspect(entry.filename, piece)


@dataclass(frozen=True, slots=True)
class BundledFile:
    """A file of a zip. It is unpacked only when it is read."""

    name: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def read(self, *, max_mb: float) -> bytes:
        """Return its bytes.

        Raises:
            FileRefused: the file is too large, encrypted or broken, or uses a compression method
                that cannot be limited.
        """
        if self.info.flag_bits & 0x1 or self.info.compress_type not in PLAIN_METHODS:
            raise FileRefused(BROKEN_ENTRY)
        bound = int(max_mb * MEGABYTE)
        try:
            with self.archive.open(self.info) as stream:
                content = stream.read(bound + 1)
        except BROKEN_ERRORS as error:
            raise FileRefused(BROKEN_ENTRY) from error
        if len(content) > bound:
            raise FileRefused(f"文件大小不能超过 {max_mb:g}MB")
        return content


@contextmanager
def bundle_open(file: IO[bytes], *, max_mb: float) -> Iterator[list[BundledFile]]:
    """Yield the files of a zip, named by the last part of their path. Folders and files added
    by the operating system are left out.

    Raises:
        FileRefused: it is not a zip, is larger than allowed, or lists more than 2,000 entries.
    """
    file.seek(0, 2)
    packed = file.tell()
    file.seek(0)
    if packed > max_mb * MEGABYTE:
        raise FileRefused(f"压缩包不能超过 {max_mb:g}MB，请分成几个上传")
    if file.read(4) != b"PK\x03\x04":
        raise FileRefused(BROKEN_BUNDLE)
    check_directory(file, packed)
    try:
        archive = _open_zip(file)
    except BROKEN_ERRORS as error:
        raise FileRefused(BROKEN_BUNDLE) from error
    with archive:
        yield [
            BundledFile(entry.filename.rpartition("/")[2], archive, entry)
            for entry in archive.infolist()
            if not (
                entry.is_dir()
                or entry.filename.startswith(JUNK)
                or _is_junk(entry.filename.rpartition("/")[2])
            )
        ]


def _is_junk(name: str) -> bool:
    return not name or name.startswith(".") or name in JUNK


def _open_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """Open the zip. Names without the UTF-8 flag are decoded as GB18030, as a Chinese Windows
    writes them.
    """
    try:
        return zipfile.ZipFile(file, metadata_encoding="gb18030")
    except UnicodeDecodeError:
        return zipfile.ZipFile(file)
