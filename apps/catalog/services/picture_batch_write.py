"""Write the previewed pictures of a batch to the products, undo a written batch, or delete a
batch that was not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import ChangeKind, PictureRowState
from apps.catalog.errors import BatchOvertaken, PictureBatchAlreadyWritten, PictureBatchWaits
from apps.catalog.locks import lock_picture_batch, lock_written_pictures
from apps.catalog.models import PictureBatch, PictureBatchRow, Product
from apps.catalog.selectors.pictures import get_pictures_at
from apps.catalog.services.changes import changes_record
from apps.catalog.services.product_files import (
    get_final_path,
    picture_file_put,
    pictures_put,
)
from apps.common.errors import DomainError

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_UNWRITTEN = timedelta(days=1)
MOVED = "预览之后该图片已被修改，未覆盖；请重新上传"
log = structlog.get_logger(__name__)


def picture_batch_write(*, actor: Account, batch_id: int) -> PictureBatch:
    """Write every READY picture to its product and return the batch. A place that was changed
    since the preview is marked and does not change.

    The files are copied before the transaction, so several writers of one batch may copy at once.
    Only the first one uses its copies.

    Raises:
        PictureBatchAlreadyWritten: the batch was already written or no longer exists.
        PictureBatchWaits: a picture is not checked yet.
    """
    if not PictureBatch.objects.filter(pk=batch_id, written_at=None).exists():
        raise PictureBatchAlreadyWritten
    rows = _list_ready_rows(batch_id)
    copies = {row.pk: _copy_file(row) for row in rows}
    try:
        return _write_ready_rows(actor, batch_id, copies)
    except DomainError:  # another process wrote the batch meanwhile
        shared_paths = {_get_final_path_of_row(row) for row in rows}
        _delete_files([path for path in copies.values() if path and path not in shared_paths])
        raise


@transaction.atomic
def _write_ready_rows(actor: Account, batch_id: int, copies: dict[int, str]) -> PictureBatch:
    """Write the READY rows of the batch and return the batch. `copies` are the paths of the copied
    files by row id.

    A row whose place holds another picture than in the preview, or whose file was not copied,
    becomes MOVED. The uploaded files are deleted after the commit.
    """
    batch = lock_picture_batch(batch_id=batch_id)
    if batch.rows.filter(state=PictureRowState.WAITING).exists():
        raise PictureBatchWaits
    rows = _list_ready_rows(batch_id)
    ids = {row.place[0] for row in rows}
    products = {
        product.pk: product
        for product in Product.objects.select_for_update(no_key=True)
        .filter(pk__in=ids)
        .order_by("pk")
    }
    current = get_pictures_at(product_ids=ids)
    uploaded = [row.path for row in rows]
    written_rows: list[PictureBatchRow] = []
    for row in rows:
        copy = copies.get(row.pk, "")
        if copy and current.get(row.place, "") == row.before:
            row.state, row.reason, row.path = PictureRowState.WRITTEN, "", copy
            written_rows.append(row)
        else:
            row.state, row.reason, row.path = PictureRowState.MOVED, MOVED, ""
    pictures_put({row.place: row.path for row in written_rows}, products=products)
    PictureBatchRow.objects.bulk_update(rows, ("state", "reason", "path"))
    changes_record(ChangeKind.PRODUCT, [products[row.place[0]].code for row in written_rows])
    batch.written_by, batch.written_at = actor, timezone.now()
    batch.save(update_fields=["written_by", "written_at"])
    log.info(
        "picture_batch_written",
        batch=batch.pk,
        written=len(written_rows),
        left=len(rows) - len(written_rows),
        actor=actor.pk,
    )
    transaction.on_commit(partial(_delete_files, uploaded))
    return batch


def _list_ready_rows(batch_id: int) -> list[PictureBatchRow]:
    rows = PictureBatchRow.objects.filter(batch=batch_id, state=PictureRowState.READY)
    return list(rows.select_related("product").order_by("pk"))


def _get_final_path_of_row(row: PictureBatchRow) -> str:
    return get_final_path(
        row.product.code if row.product else "", row.digest, row.path.rpartition(".")[2]
    )


def _copy_file(row: PictureBatchRow) -> str:
    """Copy the uploaded file of a row to the pictures of its product and return the path of the
    copy; empty if the file no longer exists.
    """
    try:
        with default_storage.open(row.path) as file:
            return picture_file_put(path=_get_final_path_of_row(row), file=file)
    except FileNotFoundError:
        return ""


def _delete_files(paths: Sequence[str]) -> None:
    for path in paths:
        default_storage.delete(path)


@transaction.atomic
def picture_batch_forget(*, batch_id: int) -> None:
    """Delete an unwritten batch and its files.

    Raises:
        PictureBatchAlreadyWritten: the batch was written or no longer exists.
    """
    batch = lock_picture_batch(batch_id=batch_id)
    paths = list(batch.rows.exclude(path="").values_list("path", flat=True))
    batch.delete()
    transaction.on_commit(partial(_delete_files, paths))


def picture_batches_forget() -> int:
    """Delete batches that were not written within a day. Return the number of deleted batches.
    Periodic job.
    """
    old_batches = list(
        PictureBatch.objects.filter(
            written_at=None, made_at__lt=timezone.now() - MAX_UNWRITTEN
        ).values_list("pk", flat=True)
    )
    count = 0
    for batch_id in old_batches:
        try:
            picture_batch_forget(batch_id=batch_id)
        except PictureBatchAlreadyWritten:
            continue
        count += 1
    return count


@transaction.atomic
def picture_batch_undo(*, actor: Account, batch_id: int) -> PictureBatch:
    """Restore the pictures that the batch replaced, remove the pictures it added, and return
    the batch. Places that were changed since are marked and do not change.

    The old files still exist, because orders show them.

    Raises:
        PictureBatchNotWritten: the batch was not written or no longer exists.
        BatchUndone: the batch was already undone.
        BatchOvertaken: later changes replaced all of its pictures. The batch does not change, so it
            can be undone after the later batches are undone.
    """
    batch = lock_written_pictures(batch_id=batch_id)
    rows = list(batch.rows.filter(state=PictureRowState.WRITTEN).order_by("pk"))
    ids = {row.place[0] for row in rows}
    products = {
        product.pk: product
        for product in Product.objects.select_for_update(no_key=True)
        .filter(pk__in=ids)
        .order_by("pk")
    }
    current = get_pictures_at(product_ids=ids)
    restored = [row for row in rows if current.get(row.place, "") == row.path]
    if not restored:
        raise BatchOvertaken
    keys = {row.pk for row in restored}
    pictures_put({row.place: row.before for row in restored}, products=products)
    batch.rows.filter(pk__in=[row.pk for row in rows if row.pk not in keys]).update(is_left=True)
    batch.undone_by, batch.undone_at = actor, timezone.now()
    batch.rows_left = len(rows) - len(restored)
    batch.save(update_fields=["undone_by", "undone_at", "rows_left"])
    changes_record(ChangeKind.PRODUCT, [products[row.place[0]].code for row in restored])
    log.info(
        "picture_batch_undone",
        batch=batch.pk,
        rows=len(restored),
        left=batch.rows_left,
        actor=actor.pk,
    )
    return batch
