"""Undo a written batch of pictures. Each place shows its old picture again, unless it was
changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from django.utils import timezone

from apps.catalog.enums import ChangeKind, PictureRowState
from apps.catalog.errors import BatchOvertaken
from apps.catalog.locks import lock_written_pictures
from apps.catalog.models import PictureBatch, Product
from apps.catalog.selectors.picture_places import pictures_at
from apps.catalog.services.changes import changes_record
from apps.catalog.services.product_pictures import pictures_put

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)


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
    now = pictures_at(product_ids=ids)
    back = [row for row in rows if now.get(row.place, "") == row.path]
    if not back:
        raise BatchOvertaken
    keys = {row.pk for row in back}
    pictures_put({row.place: row.before for row in back}, products=products)
    batch.rows.filter(pk__in=[row.pk for row in rows if row.pk not in keys]).update(is_left=True)
    batch.undone_by, batch.undone_at, batch.rows_left = actor, timezone.now(), len(rows) - len(back)
    batch.save(update_fields=["undone_by", "undone_at", "rows_left"])
    changes_record(ChangeKind.PRODUCT, [products[row.place[0]].code for row in back])
    log.info(
        "picture_batch_undone", batch=batch.pk, rows=len(back), left=batch.rows_left, actor=actor.pk
    )
    return batch
