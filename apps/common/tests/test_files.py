"""Checks and conversion of every uploaded file."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from apps.common.errors import FileRefused
from apps.common.files import ANY_KIND, IMAGES, CheckedFile, file_take
from apps.common.files.intake import clean_name
from apps.common.files.kinds import PDF, SHEETS

PDF_BYTES = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n"


def draw_picture(
    form: str = "PNG", size: tuple[int, int] = (8, 4), mode: str = "RGB", **options: Any
) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 120 if mode == "L" else None).save(buffer, form, **options)
    return buffer.getvalue()


def build_empty_png(width: int, height: int) -> bytes:
    """A small PNG file that decodes to a large all-black grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    packer = zlib.compressobj(9)
    row = b"\x00" * (width // 8 + 2)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


def take(name: str, content: bytes, **options: Any) -> CheckedFile:
    return file_take(
        SimpleUploadedFile(name, content), **{"kinds": ANY_KIND, "max_mb": 2, **options}
    )


def test_picture_is_encoded_again_under_its_own_name() -> None:
    file = take("合影.PNG", draw_picture())
    assert (file.name, file.content_type) == ("合影.png", "image/png")
    assert Image.open(io.BytesIO(file.content)).size == (8, 4)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_data_appended_to_a_picture_is_dropped(form: str) -> None:
    file = take(f"a.{form.lower()}", draw_picture(form) + b"<script>alert(1)</script>PK\x05\x06")
    assert b"script" not in file.content
    assert b"PK\x05\x06" not in file.content


def test_the_place_a_photo_was_taken_at_is_dropped() -> None:
    exif = Image.Exif()
    exif[0x010F] = "CanaryCamera"
    assert b"CanaryCamera" not in take("a.jpg", draw_picture("JPEG", exif=exif)).content


def test_a_photo_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert Image.open(io.BytesIO(take("a.jpg", draw_picture("JPEG", exif=exif)).content)).size == (
        4,
        8,
    )


def test_picture_format_is_detected_by_its_bytes() -> None:
    assert take("a.jpg", draw_picture("PNG")).name == "a.png"


def test_176_megapixels_in_half_a_megabyte_are_refused_undecoded() -> None:
    content = build_empty_png(13_300, 13_300)
    assert len(content) < 500 * 1024
    with pytest.raises(FileRefused, match="像素过大"):
        take("a.png", content)


def test_a_large_webp_is_refused() -> None:
    with pytest.raises(FileRefused, match="WebP 为 500 万"):
        take("a.webp", draw_picture("WEBP", (2500, 2001)))


def test_large_photo_is_halved_during_decoding() -> None:
    file = take("a.jpg", draw_picture("JPEG", (5000, 4000), "L"))
    assert Image.open(io.BytesIO(file.content)).size == (2500, 2000)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("a.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("a.html", b"<html></html>"),
        ("a.exe", b"MZ\x90\x00"),
        ("a.csv", b"<html></html>"),
        ("a.csv", b"a\x00b"),
        ("a.xlsx", draw_picture()),
        ("a.xls", b"\xd0\xcf\x11\xe0"),
        ("noextension", draw_picture()),
        ("a.pdf", b"hello %PDF-1.4 %%EOF"),
        ("", draw_picture()),
    ],
)
def test_an_unlisted_or_misnamed_file_is_refused(name: str, content: bytes) -> None:
    with pytest.raises(FileRefused, match="不支持的文件类型"):
        file_take(NamedBytes(name, content), kinds=ANY_KIND, max_mb=2)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "文件中没有内容"), ("账号,昵称".encode("utf-16"), "UTF-16")],
    ids=["empty", "utf-16"],
)
def test_empty_or_utf16_csv_is_refused_with_its_reason(content: bytes, message: str) -> None:
    with pytest.raises(FileRefused, match=message):
        file_take(NamedBytes("a.csv", content), kinds=ANY_KIND, max_mb=2)


class NamedBytes(io.BytesIO):
    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


@pytest.mark.parametrize("extra", [b"<script>alert(1)</script>", b"<!DOCTYPE html>"])
def test_pdf_that_is_also_html_is_refused(extra: bytes) -> None:
    with pytest.raises(FileRefused, match="PDF 文件已损坏"):
        take("a.pdf", b"%PDF-1.4\n" + extra + PDF_BYTES)


def test_pdf_that_is_also_a_zip_is_refused() -> None:
    with pytest.raises(FileRefused, match="PDF 文件已损坏"):
        take("a.pdf", PDF_BYTES + b"PK\x05\x06" + PDF_BYTES)


def test_a_pdf_without_its_end_is_refused() -> None:
    with pytest.raises(FileRefused, match="PDF 文件已损坏"):
        take("a.pdf", PDF_BYTES.replace(b"%%EOF", b""))


def test_a_page_behind_a_byte_order_mark_is_no_table() -> None:
    with pytest.raises(FileRefused):
        take("a.csv", b"\xef\xbb\xbf<html></html>")


def test_a_broken_picture_is_refused() -> None:
    with pytest.raises(FileRefused, match="图片已损坏"):
        take("a.png", draw_picture(size=(300, 300))[:60])


@pytest.mark.parametrize(("size", "is_taken"), [(1024 * 1024, True), (1024 * 1024 + 1, False)])
def test_the_largest_size_counts_a_megabyte_as_1024_times_1024(size: int, is_taken: bool) -> None:
    content = PDF_BYTES[:9] + b" " * (size - len(PDF_BYTES)) + PDF_BYTES[9:]
    if is_taken:
        assert take("a.pdf", content, kinds=(PDF,), max_mb=1).size == size
        return
    with pytest.raises(FileRefused, match=r"^文件大小不能超过 1MB$"):
        take("a.pdf", content, kinds=(PDF,), max_mb=1)


def test_a_file_below_the_smallest_size_is_refused() -> None:
    with pytest.raises(FileRefused, match=r"^文件大小不能小于 1MB$"):
        take("a.pdf", PDF_BYTES, min_mb=1)


def test_image_upload_uses_its_own_messages() -> None:
    with pytest.raises(FileRefused, match=r"^请上传图片文件$"):
        take("a.pdf", PDF_BYTES, kinds=IMAGES, message="请上传图片文件")
    with pytest.raises(FileRefused, match=r"^图片大小不能超过2MB$"):
        take(
            "a.png", b"x" * (2 * 1024 * 1024 + 1), kinds=IMAGES, size_message="图片大小不能超过2MB"
        )


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("../../etc/passwd.png", "passwd.png"),
        ("C:\\docs\\报价 单.xlsx", "报价 单.xlsx"),
        ('a"\r\nX: y.png', "aX y.png"),
        ("gnp.\u202egnp.exe", "gnp.gnp.exe"),
        ("\ud800a.png", "a.png"),
        ("x" * 300 + ".png", "x" * 110 + ".png"),
    ],
)
def test_names_are_cleaned(raw: str, clean: str) -> None:
    assert clean_name(raw) == clean


@pytest.mark.parametrize(
    "content", ["名称,数量\n中性笔,3\n".encode(), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b""]
)
def test_text_or_old_workbook_named_xlsx_is_refused_with_a_hint(content: bytes) -> None:
    with pytest.raises(FileRefused) as refused:
        take("a.xlsx", content, kinds=SHEETS, message="请上传 .xlsx 或 .csv 文件")

    assert refused.value.text == "文件内容不是有效的 Excel 工作簿，请另存为 .xlsx 后重试"
