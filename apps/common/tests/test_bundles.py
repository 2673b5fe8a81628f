"""Upload of many files in one zip."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import pytest

from apps.common.errors import FileRefused
from apps.common.files.archives import bundle_open, check_archive


def zip_files(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file


def list_names(file: io.BytesIO) -> list[str]:
    with bundle_open(file, max_mb=1) as files:
        return [each.name for each in files]


def test_bundle_uses_base_names_and_drops_system_files() -> None:
    file = zip_files(
        ("照片/1.jpg", b"a"),
        ("2.png", b"b"),
        ("__MACOSX/._1.jpg", b"x"),
        ("照片/.DS_Store", b"x"),
        ("Thumbs.db", b"x"),
        ("照片/", b""),
    )

    assert list_names(file) == ["1.jpg", "2.png"]


def test_names_of_a_chinese_windows_are_read() -> None:
    file = zip_files(("AA-1.jpg", b"a"))
    assert list_names(
        io.BytesIO(file.getvalue().replace(b"AA-1.jpg", "主图".encode("gb18030") + b".jpg"))
    ) == ["主图.jpg"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK",
        b"PK\x03\x04",
        b"<html>PK\x03\x04",
        b"PK\x03\x04" + b"\x00" * 100 + b"PK\x05\x06" + b"\xff" * 18,
    ],
)
def test_file_other_than_a_zip_is_refused(content: bytes) -> None:
    with pytest.raises(FileRefused, match=r"压缩包|解压后过大|已损坏"):
        list_names(io.BytesIO(content))


def test_zip_behind_other_data_is_refused() -> None:
    with pytest.raises(FileRefused, match="压缩包已损坏"):
        list_names(io.BytesIO(b"\x89PNG\r\n\x1a\n" + zip_files(("1.jpg", b"a")).getvalue()))


def test_a_zip_of_very_many_entries_is_refused_unread() -> None:
    with pytest.raises(FileRefused, match="解压后过大"):
        list_names(zip_files(*((f"{number}.jpg", b"") for number in range(2_001))))


def test_a_file_that_unpacks_to_more_is_refused_within_the_bound() -> None:
    file = zip_files(("1.png", b"\x00" * 60_000_000))
    tracemalloc.start()
    with (
        bundle_open(file, max_mb=1) as (only,),
        pytest.raises(FileRefused, match="文件大小不能超过 2MB"),
    ):
        only.read(max_mb=2)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_unpacks_unbounded_is_refused(method: int) -> None:
    with (
        bundle_open(zip_files(("1.png", b"\x00" * 9_000_000), method=method), max_mb=1) as (only,),
        pytest.raises(FileRefused, match="损坏或加密"),
    ):
        only.read(max_mb=20)
    office = zip_files(
        ("[Content_Types].xml", b""), ("xl/workbook.xml", b"\x00" * 9_000_000), method=method
    )
    with pytest.raises(FileRefused, match="已损坏"):
        check_archive(office, part="xl/workbook.xml")


def test_broken_zip_entry_is_refused_and_the_others_are_readable() -> None:
    content = (
        zip_files(("1.png", b"abcabc" * 99), ("2.png", b"fine"), method=zipfile.ZIP_STORED)
        .getvalue()
        .replace(b"abcabcabc", b"abcabcabd", 1)
    )
    with bundle_open(io.BytesIO(content), max_mb=1) as (first, second):
        with pytest.raises(FileRefused, match="损坏或加密"):
            first.read(max_mb=1)
        assert second.read(max_mb=1) == b"fine"
