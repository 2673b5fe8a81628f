"""Find the pictures that an account has uploaded, by their public ids."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.common.errors import ValidationFailed
from apps.common.files import IMAGES
from apps.common.models import StoredFile

if TYPE_CHECKING:
    from apps.org.models import Account

PICTURE_TYPES = frozenset(kind.content_type for kind in IMAGES)


def own_pictures(*, actor: Account, file_ids: Sequence[uuid.UUID]) -> list[StoredFile]:
    """Return the files in the order of `file_ids`. A file of another account is refused like a
    missing one.

    Raises:
        ValidationFailed: an id is not a picture that the actor has uploaded.
    """
    own = (
        {
            file.public_id: file
            for file in StoredFile.objects.filter(owner=actor, public_id__in=file_ids)
        }
        if file_ids
        else {}
    )
    if any(file_id not in own for file_id in file_ids):
        raise ValidationFailed({"FileIds": ["图片不存在或已失效，请重新上传"]})
    if any(file.content_type not in PICTURE_TYPES for file in own.values()):
        raise ValidationFailed({"FileIds": ["请上传图片文件"]})
    return [own[file_id] for file_id in file_ids]
