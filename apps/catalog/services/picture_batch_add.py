"""Add pictures to a batch. The file name gives the product and the position. The files are
stored unchanged until they are checked.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from apps.catalog.enums import PictureRowState
from apps.catalog.errors import PictureBatchFull
from apps.catalog.locks import lock_picture_batch
from apps.catalog.models import PictureBatch, PictureBatchRow, Product
from apps.catalog.models.picture_batch import HOLDING
from apps.catalog.selectors.picture_places import NamedPlace, place_by_name
from apps.common.errors import DomainError, FileRefused
from apps.common.files import IMAGES
from apps.common.files.bundles import BundledFile, bundle_open
from apps.common.files.intake import MEGABYTE, clean_name, recognise

if TYPE_CHECKING:
    from apps.org.models import Account

FOLDER = "picture-batches"
MOST = 500
MAX_MB = 5
MAX_ZIP_MB = 100
# Maximum unpacked size of a zip.
MAX_UNPACKED = 400 * MEGABYTE
KINDS_TEXT = "请上传 JPG、PNG、WebP 或 GIF 图片"


@dataclass(frozen=True, slots=True)
class Piece:
    """An uploaded file, or a file inside an uploaded zip."""

    name: str
    source: IO[bytes] | BundledFile

    def read(self) -> bytes:
        """Return the bytes of the file. Raises FileRefused if it is too large."""
        if isinstance(self.source, BundledFile):
            return self.source.read(max_mb=MAX_MB)
        self.source.seek(0)
        content = self.source.read(MAX_MB * MEGABYTE + 1)
        if len(content) > MAX_MB * MEGABYTE:
            raise FileRefused(f"文件大小不能超过 {MAX_MB}MB")
        return content


def picture_batch_add(
    *, actor: Account, uploads: Sequence[Any], batch_id: int | None = None
) -> PictureBatch:
    """Add pictures or zips of pictures to the batch, or to a new batch without `batch_id`.
    Return the batch.

    Files without a product and files that are not pictures are listed in the batch with the reason.

    Raises:
        FileRefused: a zip is broken or too large, or nothing was uploaded.
        PictureBatchFull: the batch would have more than 500 files.
        PictureBatchWritten: the batch was written or cancelled meanwhile.
    """
    batch = PictureBatch.objects.filter(pk=batch_id).first() if batch_id else None
    for upload in uploads:
        name = clean_name(upload.name or "")
        if name.lower().endswith(".zip"):
            with bundle_open(upload, max_mb=MAX_ZIP_MB) as files:
                batch = _taken(actor, batch, [Piece(clean_name(file.name), file) for file in files])
        else:
            batch = _taken(actor, batch, [Piece(name, upload)])
    if batch is None:
        raise FileRefused("请选择图片或 .zip 压缩包")
    return batch


def _taken(actor: Account, batch: PictureBatch | None, pieces: list[Piece]) -> PictureBatch:
    """Store the files, then write the rows under the batch's lock. If two files name the same
    place, the first one wins.
    """
    if not pieces:
        raise FileRefused("压缩包中没有文件")
    _refuse_more(batch, len(pieces))
    rows = list(_rows(pieces))
    kept = [row.path for row in rows if row.path]
    try:
        return _listed(actor, batch, rows)
    except DomainError:  # others wrote, cancelled or filled the batch meanwhile
        for path in kept:
            default_storage.delete(path)
        raise


def _refuse_more(batch: PictureBatch | None, more: int) -> None:
    there = batch.rows.count() if batch else 0
    if there + more > MOST:
        raise PictureBatchFull(
            f"一批最多 {MOST} 个文件，现有 {there} 个，不能再加 {more} 个；请分批上传"
        )


@transaction.atomic
def _listed(
    actor: Account, batch: PictureBatch | None, rows: list[PictureBatchRow]
) -> PictureBatch:
    """Write the rows under the batch's lock. Check the limit of files again."""
    batch = (
        PictureBatch.objects.create(made_by=actor)
        if batch is None
        else lock_picture_batch(batch_id=batch.pk)
    )
    _refuse_more(batch, len(rows))
    held = {row.place: row.file_name for row in batch.rows.filter(state__in=HOLDING)}
    for row in rows:
        row.batch = batch
        if row.state == PictureRowState.WAITING:
            _place_given(row, held)
    PictureBatchRow.objects.bulk_create(rows)
    return batch


def _place_given(row: PictureBatchRow, held: dict[tuple[int, int], str]) -> None:
    place = row.place
    if place in held:
        default_storage.delete(row.path)
        row.state, row.path = PictureRowState.REFUSED, ""
        row.reason = f"与 {held[place]} 是同一商品的同一张，只能保留一个"
    else:
        held[place] = row.file_name


def _rows(pieces: list[Piece]) -> Iterator[PictureBatchRow]:
    """Yield a row for each file. Read only files with a known product, one file at a time."""
    places = [place_by_name(piece.name) for piece in pieces]
    products = dict(
        Product.objects.filter(code__in={place.code for place in places}).values_list("code", "pk")
    )
    unpacked = 0
    for piece, place in zip(pieces, places, strict=True):
        row = PictureBatchRow(
            file_name=piece.name,
            position=place.position or None,
            product_id=products.get(place.code),
        )
        if problem := _unplaced(place, row.product_id):
            row.state, row.reason = PictureRowState.UNKNOWN, problem
        else:
            try:
                content = piece.read() if unpacked < MAX_UNPACKED else _too_much()
                unpacked += len(content)
                kind = recognise(piece.name, content, IMAGES, KINDS_TEXT)
            except FileRefused as refused:
                row.state, row.reason = PictureRowState.REFUSED, refused.text[:200]
            else:
                row.state = PictureRowState.WAITING
                row.path = default_storage.save(
                    f"{FOLDER}/{secrets.token_hex(12)}.{kind.extensions[0]}", ContentFile(content)
                )
        yield row


def _too_much() -> bytes:
    raise FileRefused("压缩包解压后过大，请分成几个上传")


def _unplaced(place: NamedPlace, product_id: int | None) -> str:
    return place.refusal or ("" if product_id else f"没有编码为 {place.code} 的商品")
