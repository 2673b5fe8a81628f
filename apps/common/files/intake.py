"""The one intake of uploads: measure a file, detect its type, clean it and name it."""

from __future__ import annotations

import codecs
import hashlib
import io
import re
import unicodedata
from dataclasses import dataclass
from typing import IO, Protocol

from apps.common.errors import FileRefused
from apps.common.files.archives import MEGABYTE, check_archive
from apps.common.files.images import reencode
from apps.common.files.kinds import FileKind, refuse_unreadable_text

UNSUPPORTED = "不支持的文件类型"
TEXT_ENCODINGS = ("utf-8-sig", "gb18030")
UNSAFE_NAME = re.compile(
    r'[\x00-\x1f\x7f<>:"/\\|?*\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]'
)


class Upload(Protocol):
    """The part of Django's uploaded file that the intake uses."""

    name: str | None

    @property
    def size(self) -> int | None: ...

    def read(self, num_bytes: int = ...) -> bytes: ...

    def seek(self, offset: int, /) -> int: ...


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that passed the checks (文件验证通过): its cleaned bytes, its display name and its
    real type.
    """

    name: str
    content: bytes
    content_type: str
    extension: str

    @property
    def size(self) -> int:
        return len(self.content)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def file_take(
    upload: Upload | IO[bytes],
    *,
    kinds: tuple[FileKind, ...],
    max_mb: float,
    min_mb: float = 0,
    message: str = "",
    size_message: str = "",
) -> CheckedFile:
    """Return the cleaned file.

    `message` and `size_message` replace the spec's default messages for a wrong type and for a file
    that is too large.

    Raises:
        FileRefused: its size, type or content is not allowed (spec section 5, Generic file upload
            validation).
    """
    bound = int(max_mb * MEGABYTE)
    upload.seek(0)
    content = upload.read(bound + 1)
    if len(content) > bound:
        raise FileRefused(size_message or f"文件大小不能超过 {max_mb:g}MB")
    if len(content) < int(min_mb * MEGABYTE):
        raise FileRefused(f"文件大小不能小于 {min_mb:g}MB")
    name = clean_name(getattr(upload, "name", None) or "")
    kind = recognise(name, content, kinds, message or UNSUPPORTED)
    if kind.family == "image":
        content, kind = reencode(content, kind)
    elif kind.family == "office":
        check_archive(io.BytesIO(content), part=kind.part)
    elif kind.family == "pdf":
        _check_pdf(content)
    elif kind.family == "text":
        _check_text(content, message or UNSUPPORTED)
    return CheckedFile(
        f"{get_stem(name)}.{kind.extensions[0]}", content, kind.content_type, kind.extensions[0]
    )


def clean_name(raw: str) -> str:
    """Return the last part of a file name without characters that are unsafe in file systems or
    headers, at most 120 characters.
    """
    base_name = re.split(
        r"[/\\]", unicodedata.normalize("NFC", raw.encode("utf-8", "ignore").decode())
    )[-1]
    safe_name = UNSAFE_NAME.sub("", base_name).strip(" .")
    stem, dot, extension = safe_name.rpartition(".")
    return f"{stem[:110]}{dot}{extension[:9]}"


def get_stem(name: str) -> str:
    """Return a name without its extension, or 文件 if nothing remains."""
    return name.rpartition(".")[0] or "文件"


def recognise(name: str, content: bytes, kinds: tuple[FileKind, ...], message: str) -> FileKind:
    """Return the allowed kind that matches both the extension and the first bytes.

    Raises:
        FileRefused: no allowed kind matches.
    """
    extension = name.rpartition(".")[2].lower()
    for kind in kinds:
        if (
            kind.family == "image"
            and _has_magic_bytes(content, kind)
            and any(extension in other.extensions for other in kinds if other.family == "image")
        ):
            return kind  # pictures often have the extension of another picture format
        if extension in kind.extensions and (not kind.magics or _has_magic_bytes(content, kind)):
            return kind
    # Without a message of the screen, the spec's general message applies.
    misnamed = (
        next((kind.misnamed for kind in kinds if extension in kind.extensions), "")
        if message != UNSUPPORTED
        else ""
    )
    raise FileRefused(misnamed or message)


def _has_magic_bytes(content: bytes, kind: FileKind) -> bool:
    if not content.startswith(kind.magics):
        return False
    return kind.content_type != "image/webp" or content[8:12] == b"WEBP"


def _check_pdf(content: bytes) -> None:
    """Refuse a PDF that is also another format: an HTML page or a zip."""
    if b"%%EOF" not in content[-2048:] or re.search(
        rb"<(script|html|svg|!doctype)", content[:4096], re.IGNORECASE
    ):
        raise FileRefused("PDF 文件已损坏或格式不正确，请重新选择")
    if b"PK\x05\x06" in content[-66_000:]:
        raise FileRefused("PDF 文件已损坏或格式不正确，请重新选择")


def _check_text(content: bytes, message: str) -> None:
    """Refuse a text with NUL, markup at its start, or an unknown encoding. `message` is for
    markup.
    """
    refuse_unreadable_text(content)
    if b"\x00" in content or content.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"<":
        raise FileRefused(message)
    for encoding in TEXT_ENCODINGS:
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return
    raise FileRefused("文件编码无法识别，请另存为 UTF-8 编码后重试")
