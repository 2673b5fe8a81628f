"""Store files in the private storage and delete them."""

from __future__ import annotations

import hashlib
import uuid
from typing import IO, TYPE_CHECKING

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.common.files.intake import TakenFile
from apps.common.models import StoredFile

if TYPE_CHECKING:
    from apps.org.models import Account


def file_store(*, actor: Account, taken: TakenFile) -> StoredFile:
    """Store the bytes under a random path. Return the new row, owned by `actor` and its group."""
    path = default_storage.save(
        f"files/{timezone.localdate():%Y/%m}/{uuid.uuid4().hex}.{taken.extension}",
        ContentFile(taken.content),
    )
    stored: StoredFile = StoredFile.objects.create(
        group_id=actor.group_id,
        owner=actor,
        path=path,
        name=taken.name,
        content_type=taken.content_type,
        size=taken.size,
        sha256=taken.sha256,
    )
    return stored


def file_keep(
    *,
    owner: Account,
    file: IO[bytes],
    path: str,
    name: str,
    content_type: str,
    replaced: StoredFile | None = None,
) -> StoredFile:
    """Store a file that the mall has generated at `path`, and return its row. An existing file
    at `path` and the row `replaced` are deleted.

    The bytes are read in pieces of 1 MB.
    """
    digest, size = hashlib.sha256(), 0
    while stretch := file.read(1 << 20):
        digest.update(stretch)
        size += len(stretch)
    file.seek(0)
    default_storage.delete(path)
    saved = default_storage.save(path, File(file))
    if replaced is not None:
        replaced.delete()
    stored: StoredFile = StoredFile.objects.create(
        group_id=owner.group_id,
        owner=owner,
        path=saved,
        name=name,
        content_type=content_type,
        size=size,
        sha256=digest.hexdigest(),
    )
    return stored


def file_forget(file: StoredFile) -> None:
    """Delete the bytes and the row. Missing bytes are no error."""
    default_storage.delete(file.path)
    file.delete()
