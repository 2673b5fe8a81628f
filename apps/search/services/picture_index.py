"""Computes the vectors of main pictures in the background: for products without a vector, and
for products whose picture or embedder has changed.

A handler works for SLICE_SECONDS, then publishes a message that starts the next slice after PAUSE.
Other messages wait no longer than one slice, and the web server, which may run in the same process,
has the CPU for three quarters of the time. A lease ensures that only one chain of slices runs,
whatever the number of messages. The lease passes to the message that starts the next slice.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import structlog
from django.db import connection, transaction

from apps.catalog.models import Product
from apps.common.background.leases import lease_release, lease_take
from apps.common.background.outbox import outbox_publish
from apps.search.images.embedder import ImageEmbedder, get_image_embedder
from apps.search.images.matrix import pack_vector
from apps.search.images.pictures import UNREADABLE, open_stored_picture
from apps.search.models import PictureVector, PictureVersion

TOPIC = "search.pictures"
SLICE_SECONDS = 1.0
PAUSE = timedelta(seconds=3)
# Duration of the lease: if a worker dies in a slice, another takes over after this time.
LEASE_TIME = timedelta(minutes=1)
BATCH = 40
# Best-selling products come first.
DUE = """
SELECT p.id, p.image FROM catalog_product p LEFT JOIN search_picturevector v ON v.product_id = p.id
WHERE p.image <> '' AND (v.product_id IS NULL OR v.path <> p.image OR v.embedder <> %s)
    ORDER BY p.sales_count DESC, p.id LIMIT %s
"""
log = structlog.get_logger(__name__)


def pictures_mark_outdated(product_ids: Iterable[int]) -> None:
    """Mark the products' vectors as outdated; the worker computes new ones after the commit.
    Until then the search uses the old vectors.
    """
    ids = list(product_ids)
    if ids:
        for start in range(0, len(ids), 500):
            PictureVector.objects.filter(product_id__in=ids[start : start + 500]).update(path="")
        outbox_publish(topic=TOPIC)


def handle_outdated_pictures(_key: str, payload: dict[str, Any]) -> None:
    """Handle an outbox message of TOPIC: work for one slice, and publish the next message if
    work is left. If another worker holds the lease, the message is dropped.
    """
    holder = payload.get("holder") or uuid.uuid4().hex
    if not lease_take(name=TOPIC, holder=holder, duration=LEASE_TIME):
        return
    is_done = True  # after an error the outbox delivers the message again
    try:
        is_done = pictures_index(seconds=SLICE_SECONDS)
    finally:
        with transaction.atomic():
            lease_release(name=TOPIC, holder=holder)
            if not is_done:
                _publish_next_slice()


def _publish_next_slice() -> None:
    """Publish the message of the next slice and give it the lease, so that no other worker starts
    during the rest. If a message is delivered twice, the second delivery no longer has the lease.
    """
    heir = uuid.uuid4().hex
    lease_take(name=TOPIC, holder=heir, duration=LEASE_TIME)
    outbox_publish(topic=TOPIC, payload={"holder": heir}, rest=PAUSE)


def pictures_publish_due() -> int:
    """Periodic job: publish a message if a picture has no current vector, for example after a
    change of the embedder. Return 1 or 0.
    """
    waits = bool(_list_undescribed_pictures(get_image_embedder(), 1))
    if waits:
        outbox_publish(topic=TOPIC)
    return int(waits)


def pictures_index(*, seconds: float) -> bool:
    """Compute picture vectors for about `seconds`. Return whether every picture has one."""
    embedder = get_image_embedder()
    until = time.monotonic() + seconds
    while undescribed := _list_undescribed_pictures(embedder, BATCH):
        vectors: list[PictureVector] = []
        for product_id, path in undescribed:
            vectors.append(
                PictureVector(
                    product_id=product_id,
                    path=path,
                    embedder=embedder.name,
                    vector=_describe_stored_picture(embedder, path),
                )
            )
            if time.monotonic() > until:
                break
        vectors_write(vectors)
        if time.monotonic() > until:
            return len(vectors) == len(undescribed) < BATCH
    return True


def _list_undescribed_pictures(embedder: ImageEmbedder, limit: int) -> list[tuple[int, str]]:
    with connection.cursor() as cursor:
        cursor.execute(DUE, [embedder.name, limit])
        return list(cursor.fetchall())


@transaction.atomic
def vectors_write(rows: list[PictureVector]) -> None:
    """Write the vectors and change the version token. Products that no longer exist are skipped.

    Rows that another transaction has locked are skipped too: they become due again, and waiting for
    the lock could cause a deadlock.
    """
    ids = [row.product_id for row in rows]
    existing_ids = set(Product.objects.filter(pk__in=ids).values_list("pk", flat=True))
    stored_vectors = PictureVector.objects.filter(product__in=ids)
    locked_ids = set(stored_vectors.values_list("pk", flat=True)) - set(
        stored_vectors.select_for_update(skip_locked=True).values_list("pk", flat=True)
    )
    PictureVector.objects.bulk_create(
        sorted(
            (row for row in rows if row.product_id in existing_ids - locked_ids),
            key=lambda row: row.product_id,
        ),
        update_conflicts=True,
        unique_fields=["product"],
        update_fields=["path", "embedder", "vector", "at"],
    )
    PictureVersion.objects.update_or_create(
        pk=PictureVersion.ONLY, defaults={"token": uuid.uuid4().hex}
    )


def _describe_stored_picture(embedder: ImageEmbedder, path: str) -> bytes:
    """Return the packed vector of a stored picture. Empty if the file is missing or unreadable,
    or if the picture has no subject.
    """
    try:
        vector = embedder.describe(open_stored_picture(path))
    except UNREADABLE as error:
        log.warning("picture_not_described", path=path, error=str(error)[:200])
        return b""
    return b"" if vector is None else pack_vector(vector)
