"""Read many files from one zip, one at a time and within limits. The intake checks each file
afterwards.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN_ERRORS, PLAIN_METHODS, check_directory
from apps.common.files.intake import MEGABYTE

BROKEN = "压缩包已损坏或不是 .zip 格式，请重新压缩后上传"
BROKEN_ENTRY = "压缩包中的该文件已损坏或加密，请重新压缩后上传"
# Files that operating systems add to a zip.
JUNK = ("__MACOSX/", "Thumbs.db", "desktop.ini")


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
                that
                cannot be limited.
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
        FileRefused: it is no zip, is larger than allowed, or lists more than 2,000 entries.
    """
    file.seek(0, 2)
    packed = file.tell()
    file.seek(0)
    if packed > max_mb * MEGABYTE:
        raise FileRefused(f"压缩包不能超过 {max_mb:g}MB，请分成几个上传")
    if file.read(4) != b"PK\x03\x04":
        raise FileRefused(BROKEN)
    check_directory(file, packed)
    try:
        archive = _opened(file)
    except BROKEN_ERRORS as error:
        raise FileRefused(BROKEN) from error
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


def _opened(file: IO[bytes]) -> zipfile.ZipFile:
    """Open the zip. Names without the UTF-8 flag are decoded as GB18030, as a Chinese Windows
    writes them.
    """
    try:
        return zipfile.ZipFile(file, metadata_encoding="gb18030")
    except UnicodeDecodeError:
        return zipfile.ZipFile(file)
