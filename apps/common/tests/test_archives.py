"""Office files are zip files. They are checked before any library opens them."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile

import pytest

from apps.common.errors import FileRefused
from apps.common.files.archives import MAX_DIRECTORY, MAX_ENTRIES
from apps.common.files.kinds import SHEETS
from apps.common.tests.test_files import draw_picture, take
from apps.documents.tests.test_excel import build_xlsx

PARTS = ("xl/workbook.xml", "[Content_Types].xml")


def test_a_zip_behind_a_picture_is_no_sheet() -> None:
    with pytest.raises(FileRefused):
        take("a.xlsx", draw_picture() + build_xlsx((0, 0, "x")).getvalue(), kinds=SHEETS)


def pack_archive(method: int) -> bytearray:
    """Return a zip that lists the parts of a workbook."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in ("xl/workbook.xml", "[Content_Types].xml"):
            archive.writestr(name, "<a/>")
    return bytearray(buffer.getvalue())


def test_zip_with_an_offset_before_the_file_is_refused() -> None:
    content = pack_archive(zipfile.ZIP_STORED)
    content[-6:-2] = struct.pack("<I", len(content))  # the offset of the directory
    with pytest.raises(FileRefused, match="文件已损坏"):
        take("a.xlsx", bytes(content))


def test_a_zip_with_a_broken_lzma_entry_is_refused() -> None:
    content = pack_archive(zipfile.ZIP_LZMA)
    content[30 + len("xl/workbook.xml") + 4] = 0xFF  # the LZMA properties of the entry
    with pytest.raises(FileRefused, match="文件已损坏"):
        take("a.xlsx", bytes(content))


def with_record(**fields: int) -> bytes:
    """A zip whose end-of-directory record contains the given `entries` and `directory`."""
    content = pack_archive(zipfile.ZIP_STORED)
    if "entries" in fields:
        content[-12:-10] = struct.pack("<H", fields["entries"])
    if "directory" in fields:
        content[-10:-6] = struct.pack("<I", fields["directory"])
    return bytes(content)


@pytest.mark.parametrize("fields", [{"entries": MAX_ENTRIES + 1}, {"directory": MAX_DIRECTORY + 1}])
def test_too_long_archive_directory_is_refused_before_reading(fields: dict[str, int]) -> None:
    with pytest.raises(FileRefused, match="解压后过大"):
        take("a.xlsx", with_record(**fields))


def test_the_record_of_giant_zips_is_refused() -> None:
    content = bytes(pack_archive(zipfile.ZIP_STORED))
    with pytest.raises(FileRefused, match="文件已损坏"):
        take("a.xlsx", content[:-22] + b"PK\x06\x07" + bytes(16) + content[-22:])


def test_zip_with_a_repeated_name_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in (*PARTS, PARTS[0]):
            archive.writestr(name, "<a/>")
    with pytest.raises(FileRefused, match="文件已损坏"):
        take("a.xlsx", buffer.getvalue())


def test_encrypted_workbook_is_refused_with_a_hint() -> None:
    content = pack_archive(zipfile.ZIP_STORED)
    at = content.index(b"PK\x01\x02")
    content[at + 8] |= 1
    with pytest.raises(FileRefused, match="文件已加密，请取消密码后重试"):
        take("a.xlsx", bytes(content))
