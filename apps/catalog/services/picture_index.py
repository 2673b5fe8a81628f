"""Describe the main pictures of products that have none, or another one than is described: in the background, a second at a time.

A handler works for SLICE, rests for REST and is called again: messages behind it wait no longer than that, and the shop, which may
run in the same process, has the machine to itself for three quarters of the time. However many messages ask for the work, one chain of
slices does it: the lease goes with the message that asks for the next slice.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import structlog
from django.db import connection, transaction

from apps.catalog.models import PictureVector, PictureVersion, Product
from apps.catalog.search.images.embedder import ImageEmbedder, image_embedder
from apps.catalog.search.images.matrix import packed
from apps.catalog.search.images.pictures import UNREADABLE, stored_picture
from apps.common.background.leases import lease_release, lease_take
from apps.common.background.outbox import outbox_publish

TOPIC = "catalog.pictures"
SLICE = 1.0
REST = timedelta(seconds=3)
# A worker that died in a slice is followed by another after so long.
HELD = timedelta(minutes=1)
BATCH = 40
# What is bought most is found first.
DUE = """
SELECT p.id, p.image FROM catalog_product p LEFT JOIN catalog_picturevector v ON v.product_id = p.id
WHERE p.image <> '' AND (v.product_id IS NULL OR v.path <> p.image OR v.embedder <> %s) ORDER BY p.sales_count DESC, p.id LIMIT %s
"""
log = structlog.get_logger(__name__)


def pictures_moved(*, product_ids: Iterable[int]) -> None:
    """Have these products' pictures described anew after the commit; until then they are found by what they were."""
    ids = list(product_ids)
    if ids:
        for start in range(0, len(ids), 500):
            PictureVector.objects.filter(product_id__in=ids[start : start + 500]).update(path="")
        outbox_publish(topic=TOPIC)


def pictures_handler(_key: str, payload: dict[str, Any]) -> None:
    """The outbox's handler of TOPIC: work for a slice, and ask for another where it is not done. A bystander's message ends here."""
    holder = payload.get("holder") or uuid.uuid4().hex
    if not lease_take(name=TOPIC, holder=holder, duration=HELD):
        return
    is_done = True  # after an error the message itself comes again
    try:
        is_done = pictures_index(seconds=SLICE)
    finally:
        with transaction.atomic():
            lease_release(name=TOPIC, holder=holder)
            if not is_done:
                _next_slice()


def _next_slice() -> None:
    """Ask for another slice after a rest, in which nobody else begins one; a message delivered twice has lost the lease to its heir."""
    heir = uuid.uuid4().hex
    lease_take(name=TOPIC, holder=heir, duration=HELD)
    outbox_publish(topic=TOPIC, payload={"holder": heir}, rest=REST)


def pictures_due() -> int:
    """The job by the clock: ask for the work where a picture waits, whoever wrote it or changed the embedder; return 1 or 0."""
    waits = bool(_due(image_embedder(), 1))
    if waits:
        outbox_publish(topic=TOPIC)
    return int(waits)


def pictures_index(*, seconds: float) -> bool:
    """Describe pictures for about so long; tell whether none is left."""
    embedder = image_embedder()
    until = time.monotonic() + seconds
    while due := _due(embedder, BATCH):
        done: list[PictureVector] = []
        for product_id, path in due:
            done.append(PictureVector(product_id=product_id, path=path, embedder=embedder.name, vector=_vector(embedder, path)))
            if time.monotonic() > until:
                break
        vectors_write(done)
        if time.monotonic() > until:
            return len(done) == len(due) < BATCH
    return True


def _due(embedder: ImageEmbedder, limit: int) -> list[tuple[int, str]]:
    with connection.cursor() as cursor:
        cursor.execute(DUE, [embedder.name, limit])
        return list(cursor.fetchall())


@transaction.atomic
def vectors_write(rows: list[PictureVector]) -> None:
    """Write the vectors and move the token; a product that has gone in between is left out.

    So is one whose picture somebody is just changing: it is due again, and waiting for him he might wait for us, for another.
    """
    ids = [row.product_id for row in rows]
    there = set(Product.objects.filter(pk__in=ids).values_list("pk", flat=True))
    known = PictureVector.objects.filter(product__in=ids)
    moving = set(known.values_list("pk", flat=True)) - set(known.select_for_update(skip_locked=True).values_list("pk", flat=True))
    PictureVector.objects.bulk_create(
        sorted((row for row in rows if row.product_id in there - moving), key=lambda row: row.product_id),
        update_conflicts=True,
        unique_fields=["product"],
        update_fields=["path", "embedder", "vector", "at"],
    )
    PictureVersion.objects.update_or_create(pk=PictureVersion.ONLY, defaults={"token": uuid.uuid4().hex})


def _vector(embedder: ImageEmbedder, path: str) -> bytes:
    """Return the packed vector of a stored picture; empty where it is not there, cannot be read, or shows nothing."""
    try:
        vector = embedder.describe(stored_picture(path))
    except UNREADABLE as error:
        log.warning("picture_not_described", path=path, error=str(error)[:200])
        return b""
    return b"" if vector is None else packed(vector)
