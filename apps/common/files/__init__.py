"""Uploaded files: the one intake, and the signed URLs for reading them."""

from apps.common.files.intake import CheckedFile, file_take
from apps.common.files.kinds import ANY_KIND, IMAGES, SHEETS, TABLES, FileKind
from apps.common.files.signing import file_url, read_signature

__all__ = [
    "ANY_KIND",
    "IMAGES",
    "SHEETS",
    "TABLES",
    "CheckedFile",
    "FileKind",
    "file_take",
    "file_url",
    "read_signature",
]
