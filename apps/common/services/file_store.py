"""Keep a file that passed the intake, under a name that nobody can guess."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.common.files.intake import TakenFile
from apps.common.models import StoredFile

if TYPE_CHECKING:
    from apps.org.models import Account


def file_store(*, actor: Account, taken: TakenFile) -> StoredFile:
    """Write the bytes to the storage and return the row that stands for them, owned by `actor` and its group."""
    path = default_storage.save(f"files/{timezone.localdate():%Y/%m}/{uuid.uuid4().hex}.{taken.extension}", ContentFile(taken.content))
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
