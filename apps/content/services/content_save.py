"""Write content. Each write changes the stamp, so that all processes refresh their cache."""

from __future__ import annotations

import secrets
from typing import IO, TYPE_CHECKING

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from apps.common.files import IMAGES, file_take
from apps.common.files.images import pictures_stored
from apps.common.files.intake import Upload
from apps.content.models import ContentPage, ContentStamp, Scheduled

if TYPE_CHECKING:
    from apps.org.models import Account

FOLDER = "content"
PICTURE_MB = 2
log = structlog.get_logger(__name__)


@transaction.atomic
def content_save(*, actor: Account | None, row: Scheduled | ContentPage) -> None:
    row.save()
    content_touch()
    log.info(
        "content_saved", kind=row._meta.model_name, key=row.pk, actor=actor.pk if actor else None
    )


@transaction.atomic
def content_delete(*, actor: Account | None, row: Scheduled | ContentPage) -> None:
    """Delete a row. Its picture stays, because an open page may still use it."""
    log.info(
        "content_deleted", kind=row._meta.model_name, key=row.pk, actor=actor.pk if actor else None
    )
    row.delete()
    content_touch()


def content_touch() -> None:
    """Change the stamp, so that all processes refresh their cache."""
    ContentStamp.objects.update_or_create(
        pk=ContentStamp.ONLY, defaults={"moved_at": timezone.now()}
    )


def content_picture_store(*, upload: Upload | IO[bytes]) -> str:
    """Store a public picture and return its path below MEDIA_URL. Its variants are created
    later.

    Raises:
        FileRefused: it is not a picture of at most 2 MB.
    """
    picture = file_take(
        upload,
        kinds=IMAGES,
        max_mb=PICTURE_MB,
        message="请上传图片文件",
        size_message=f"图片大小不能超过{PICTURE_MB}MB",
    )
    path = default_storage.save(
        f"{FOLDER}/{secrets.token_hex(8)}.{picture.extension}", ContentFile(picture.content)
    )
    pictures_stored(paths=[path])
    return path
