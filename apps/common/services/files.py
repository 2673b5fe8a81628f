"""Store files in the private storage, delete them, and find an account's pictures by public id."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.common.errors import NotAPicture, PictureUnavailable
from apps.common.files import IMAGES
from apps.common.files.intake import CheckedFile
from apps.common.models import StoredFile

if TYPE_CHECKING:
    from apps.org.models import Account


def file_store(*, actor: Account, file: CheckedFile) -> StoredFile:
    """Store the bytes under a random path. Return the new row, owned by `actor` and its group."""
    path = default_storage.save(
        f"files/{timezone.localdate():%Y/%m}/{uuid.uuid4().hex}.{file.extension}",
        ContentFile(file.content),
    )
    stored_file: StoredFile = StoredFile.objects.create(
        group_id=actor.group_id,
        owner=actor,
        path=path,
        name=file.name,
        content_type=file.content_type,
        size=file.size,
        sha256=file.sha256,
    )
    return stored_file


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
    stored_file: StoredFile = StoredFile.objects.create(
        group_id=owner.group_id,
        owner=owner,
        path=saved,
        name=name,
        content_type=content_type,
        size=size,
        sha256=digest.hexdigest(),
    )
    return stored_file


def file_forget(file: StoredFile) -> None:
    """Delete the bytes and the row. Missing bytes are not an error."""
    default_storage.delete(file.path)
    file.delete()


PICTURE_TYPES = frozenset(kind.content_type for kind in IMAGES)


def get_own_pictures(*, actor: Account, file_ids: Sequence[uuid.UUID]) -> list[StoredFile]:
    """Return the files in the order of `file_ids`. A file of another account is refused like a
    missing one.

    Raises:
        ValidationFailed: an id is not a picture that the actor has uploaded.
    """
    own_files = (
        {
            file.public_id: file
            for file in StoredFile.objects.filter(owner=actor, public_id__in=file_ids)
        }
        if file_ids
        else {}
    )
    if any(file_id not in own_files for file_id in file_ids):
        raise PictureUnavailable
    if any(file.content_type not in PICTURE_TYPES for file in own_files.values()):
        raise NotAPicture
    return [own_files[file_id] for file_id in file_ids]
