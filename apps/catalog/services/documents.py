"""Store the document of a product."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.common.files import IMAGES, file_take
from apps.common.files.intake import Upload
from apps.common.files.kinds import DOCX, PDF

FOLDER = "documents"
MAX_MB = 20
KINDS = (PDF, *IMAGES, DOCX)


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """The storage path and type of a stored document. `size` is in bytes."""

    path: str
    content_type: str
    size: int


def document_store(*, upload: Upload | IO[bytes]) -> KeptDocument:
    """Store the file outside the public folders and return its path, type and size.

    Raises:
        FileRefused: the file is not a PDF, picture or Word document of at most 20 MB.
    """
    taken = file_take(upload, kinds=KINDS, max_mb=MAX_MB, message="请上传 PDF、图片或 Word 文件")
    path = default_storage.save(
        f"{FOLDER}/{secrets.token_hex(12)}.{taken.extension}", ContentFile(taken.content)
    )
    return KeptDocument(path, taken.content_type, taken.size)
