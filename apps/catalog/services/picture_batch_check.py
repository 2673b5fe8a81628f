"""Check the pictures of a batch one by one: decode them within limits, re-encode them, and
compare them with the current picture of the product.
"""

from __future__ import annotations

import time

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.catalog.enums import PictureRowState
from apps.catalog.models import PictureBatchRow
from apps.catalog.selectors.picture_places import pictures_at
from apps.catalog.services.picture_batch_add import FOLDER, KINDS_TEXT, MAX_MB
from apps.common.errors import FileRefused
from apps.common.files import IMAGES, TakenFile, file_take

SLICE = 2.0
GONE = "文件已不在，请重新上传"


def picture_batch_check(*, batch_id: int, seconds: float = SLICE) -> int:
    """Check pictures for about `seconds`, at least one. Return how many still wait. Products do
    not change.
    """
    until = time.monotonic() + seconds
    waiting = (
        PictureBatchRow.objects.filter(batch=batch_id, state=PictureRowState.WAITING)
        .select_related("product")
        .order_by("pk")
    )
    for row in waiting[:100]:
        _check(row)
        if time.monotonic() > until:
            break
    return waiting.count()


def _check(row: PictureBatchRow) -> None:
    """Check one row and set its state. If two requests check the same row, the first update
    wins and the other deletes its file.
    """
    raw = row.path
    try:
        with default_storage.open(raw) as file:
            taken = file_take(file, kinds=IMAGES, max_mb=MAX_MB, message=KINDS_TEXT)
    except FileRefused as refused:
        told = {"state": PictureRowState.REFUSED, "reason": refused.text[:200], "path": ""}
    except FileNotFoundError:
        told = {"state": PictureRowState.REFUSED, "reason": GONE, "path": ""}
    else:
        told = _compared(row, taken)
    if PictureBatchRow.objects.filter(pk=row.pk, state=PictureRowState.WAITING, path=raw).update(
        **told
    ):
        default_storage.delete(raw)
    elif told["path"]:
        default_storage.delete(told["path"])


def _compared(row: PictureBatchRow, taken: TakenFile) -> dict[str, str]:
    before = pictures_at(product_ids=[row.place[0]]).get(row.place, "")
    digest = taken.sha256
    if before == final_path(row.product.code if row.product else "", digest, taken.extension):
        return {"state": PictureRowState.SAME, "path": "", "before": before, "digest": digest}
    path = default_storage.save(
        f"{FOLDER}/{row.batch_id}-{row.pk}.{taken.extension}", ContentFile(taken.content)
    )
    return {"state": PictureRowState.READY, "path": path, "before": before, "digest": digest}


def final_path(code: str, digest: str, extension: str) -> str:
    """Return the storage path of a product's picture. It contains a hash of the content, so a
    new picture has a new URL and no cache shows the old one.
    """
    return f"products/{code}-{digest[:20]}.{extension}"
