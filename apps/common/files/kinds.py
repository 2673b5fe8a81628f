"""The kinds of files that can be uploaded, one row each. Extension and first bytes together
identify a kind.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from apps.common.errors import FileRefused

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP_TYPE = "application/zip"
DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file.

    `family` selects the check, `magics` are the possible first bytes, `part` is a required entry of
    an Office file. `misnamed` is the message for a file that only has the extension.
    """

    family: str
    extensions: tuple[str, ...]
    content_type: str
    magics: tuple[bytes, ...] = ()
    part: str = ""
    misnamed: str = ""


JPEG = FileKind("image", ("jpg", "jpeg"), "image/jpeg", (b"\xff\xd8\xff",))
PNG = FileKind("image", ("png",), "image/png", (b"\x89PNG\r\n\x1a\n",))
WEBP = FileKind("image", ("webp",), "image/webp", (b"RIFF",))
GIF = FileKind("image", ("gif",), "image/gif", (b"GIF87a", b"GIF89a"))
NOT_A_WORKBOOK = "文件内容不是有效的 Excel 工作簿，请另存为 .xlsx 后重试"
XLSX = FileKind("office", ("xlsx",), XLSX_TYPE, (b"PK\x03\x04",), "xl/workbook.xml", NOT_A_WORKBOOK)
XLS = FileKind(
    "legacy",
    ("xls",),
    "application/vnd.ms-excel",
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    "",
    NOT_A_WORKBOOK,
)
DOCX = FileKind("office", ("docx",), DOCX_TYPE, (b"PK\x03\x04",), "word/document.xml")
CSV = FileKind("text", ("csv",), "text/csv")
PDF = FileKind("pdf", ("pdf",), "application/pdf", (b"%PDF-",))
IMAGES = (JPEG, PNG, WEBP, GIF)
SHEETS = (XLSX, CSV)
# Formats of users' own lists. The reader limits an .xls while it reads.
TABLES = (*SHEETS, XLS)
ANY_KIND = (*IMAGES, *SHEETS, DOCX, PDF)


EMPTY = "文件中没有内容，请检查后重新选择"
IN_UTF16 = (
    "文件是 UTF-16（Unicode 文本）编码，请另存为 UTF-8 或 GB18030 编码的 CSV，或 .xlsx 后重试"
)


def refuse_unreadable_text(beginning: bytes) -> None:
    """Raise FileRefused if the beginning of a file is empty or UTF-16, which Excel calls
    Unicode 文本.
    """
    if not beginning.removeprefix(codecs.BOM_UTF8).strip():
        raise FileRefused(EMPTY)
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileRefused(IN_UTF16)
