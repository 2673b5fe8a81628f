"""Write content; the site's row moves with it, so that the next page of any process shows it."""

from __future__ import annotations

import secrets
from typing import IO, TYPE_CHECKING

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from apps.common.files import IMAGES, file_take
from apps.common.files.intake import Upload
from apps.content.models import Banner, ContentPage, SiteLink, SiteSetting

if TYPE_CHECKING:
    from apps.org.models import Account

FOLDER = "content"
PICTURE_MB = 2
log = structlog.get_logger(__name__)


@transaction.atomic
def content_save(*, actor: Account | None, row: Banner | ContentPage | SiteLink | SiteSetting) -> None:
    """Save a row of content."""
    if isinstance(row, SiteSetting):
        row.pk = SiteSetting.ONLY
    row.save()
    _moved(actor, row, "saved")


@transaction.atomic
def content_delete(*, actor: Account | None, row: Banner | SiteLink) -> None:
    """Delete a banner or a link; its picture stays in the store, where an older page may still name it."""
    _moved(actor, row, "deleted")
    row.delete()


def content_picture(*, upload: Upload | IO[bytes]) -> str:
    """Store a public picture and return its path below MEDIA_URL.

    Raises:
        FileRefused: it is not a picture of at most 2 MB.
    """
    taken = file_take(upload, kinds=IMAGES, max_mb=PICTURE_MB, message="请上传图片文件", size_message=f"图片大小不能超过{PICTURE_MB}MB")
    return default_storage.save(f"{FOLDER}/{secrets.token_hex(8)}.{taken.extension}", ContentFile(taken.content))


def _moved(actor: Account | None, row: Banner | ContentPage | SiteLink | SiteSetting, what: str) -> None:
    if not SiteSetting.objects.filter(pk=SiteSetting.ONLY).update(updated_at=timezone.now()):
        SiteSetting.objects.create(pk=SiteSetting.ONLY)
    log.info("content_moved", what=what, kind=row._meta.model_name, key=row.pk, actor=actor.pk if actor else None)
