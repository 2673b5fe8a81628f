"""Add pictures to a batch, then check them one by one. The file name gives the product and the
position. Products do not change.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from apps.catalog.enums import PictureRowState
from apps.catalog.errors import (
    ArchiveEmpty,
    ArchiveUnpacksTooLarge,
    NothingUploaded,
    PictureBatchFull,
    PictureTooLarge,
)
from apps.catalog.locks import lock_picture_batch
from apps.catalog.models import PictureBatch, PictureBatchRow, Product
from apps.catalog.models.picture_batch import HOLDING
from apps.catalog.selectors.pictures import PicturePlace, get_pictures_at, parse_file_name
from apps.catalog.services.product_files import (
    KINDS_TEXT,
    MAX_PICTURE_MB,
    get_final_path,
    picture_take,
)
from apps.common.errors import DomainError, FileRefused
from apps.common.files import IMAGES, CheckedFile
from apps.common.files.archives import MEGABYTE, BundledFile, bundle_open
from apps.common.files.intake import clean_name, recognise

if TYPE_CHECKING:
    from apps.org.models import Account

FOLDER = "picture-batches"
MAX_FILES = 500
MAX_ZIP_MB = 100
# Maximum unpacked size of a zip.
MAX_UNPACKED = 400 * MEGABYTE
# How long one request of the page checks pictures.
SLICE_SECONDS = 2.0
MISSING_FILE = "文件已不在，请重新上传"


@dataclass(frozen=True, slots=True)
class Piece:
    """An uploaded file, or a file inside an uploaded zip."""

    name: str
    source: IO[bytes] | BundledFile

    def read(self) -> bytes:
        """Return the bytes of the file. Raises FileRefused if it is too large."""
        if isinstance(self.source, BundledFile):
            return self.source.read(max_mb=MAX_PICTURE_MB)
        self.source.seek(0)
        content = self.source.read(MAX_PICTURE_MB * MEGABYTE + 1)
        if len(content) > MAX_PICTURE_MB * MEGABYTE:
            raise PictureTooLarge(MAX_PICTURE_MB)
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
        PictureBatchAlreadyWritten: the batch was written or cancelled meanwhile.
    """
    batch = PictureBatch.objects.filter(pk=batch_id).first() if batch_id else None
    for upload in uploads:
        name = clean_name(upload.name or "")
        if name.lower().endswith(".zip"):
            with bundle_open(upload, max_mb=MAX_ZIP_MB) as files:
                batch = _store_files(
                    actor, batch, [Piece(clean_name(file.name), file) for file in files]
                )
        else:
            batch = _store_files(actor, batch, [Piece(name, upload)])
    if batch is None:
        raise NothingUploaded
    return batch


def _store_files(actor: Account, batch: PictureBatch | None, pieces: list[Piece]) -> PictureBatch:
    """Store the files, then write the rows under the batch's lock. If two files name the same
    place, the first one wins.
    """
    if not pieces:
        raise ArchiveEmpty
    _check_limit(batch, len(pieces))
    rows = list(_read_rows(pieces))
    stored_paths = [row.path for row in rows if row.path]
    try:
        return _write_rows(actor, batch, rows)
    except DomainError:  # others wrote, cancelled or filled the batch meanwhile
        for path in stored_paths:
            default_storage.delete(path)
        raise


def _check_limit(batch: PictureBatch | None, more: int) -> None:
    existing = batch.rows.count() if batch else 0
    if existing + more > MAX_FILES:
        raise PictureBatchFull(limit=MAX_FILES, existing=existing, more=more)


@transaction.atomic
def _write_rows(
    actor: Account, batch: PictureBatch | None, rows: list[PictureBatchRow]
) -> PictureBatch:
    """Write the rows under the batch's lock. Check the limit of files again."""
    batch = (
        PictureBatch.objects.create(made_by=actor)
        if batch is None
        else lock_picture_batch(batch_id=batch.pk)
    )
    _check_limit(batch, len(rows))
    names_by_place = {row.place: row.file_name for row in batch.rows.filter(state__in=HOLDING)}
    for row in rows:
        row.batch = batch
        if row.state == PictureRowState.WAITING:
            _claim_place(row, names_by_place)
    PictureBatchRow.objects.bulk_create(rows)
    return batch


def _claim_place(row: PictureBatchRow, names_by_place: dict[tuple[int, int], str]) -> None:
    """Refuse the row if another file of the batch is for the same picture; otherwise note its
    place.
    """
    place = row.place
    if place in names_by_place:
        default_storage.delete(row.path)
        row.state, row.path = PictureRowState.REFUSED, ""
        row.reason = f"与 {names_by_place[place]} 是同一商品的同一张，只能保留一个"
    else:
        names_by_place[place] = row.file_name


def _read_rows(pieces: list[Piece]) -> Iterator[PictureBatchRow]:
    """Yield a row for each file. Read only files with a known product, one file at a time."""
    places = [parse_file_name(piece.name) for piece in pieces]
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
        if problem := _find_place_problem(place, row.product_id):
            row.state, row.reason = PictureRowState.UNKNOWN, problem
        else:
            try:
                if unpacked >= MAX_UNPACKED:
                    raise ArchiveUnpacksTooLarge
                content = piece.read()
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


def _find_place_problem(place: PicturePlace, product_id: int | None) -> str:
    return place.refusal or ("" if product_id else f"没有编码为 {place.code} 的商品")


def picture_batch_check(*, batch_id: int, seconds: float = SLICE_SECONDS) -> int:
    """Check pictures for about `seconds`, at least one. Return how many still wait. Products do
    not change.
    """
    until = time.monotonic() + seconds
    waiting_rows = (
        PictureBatchRow.objects.filter(batch=batch_id, state=PictureRowState.WAITING)
        .select_related("product")
        .order_by("pk")
    )
    for row in waiting_rows[:100]:
        _check_row(row)
        if time.monotonic() > until:
            break
    return waiting_rows.count()


def _check_row(row: PictureBatchRow) -> None:
    """Check one row and set its state. If two requests check the same row, the first update
    wins and the other deletes its file.
    """
    raw = row.path
    try:
        with default_storage.open(raw) as file:
            picture = picture_take(upload=file)
    except FileRefused as refused:
        result = {"state": PictureRowState.REFUSED, "reason": refused.text[:200], "path": ""}
    except FileNotFoundError:
        result = {"state": PictureRowState.REFUSED, "reason": MISSING_FILE, "path": ""}
    else:
        result = _store_if_new(row, picture)
    if PictureBatchRow.objects.filter(pk=row.pk, state=PictureRowState.WAITING, path=raw).update(
        **result
    ):
        default_storage.delete(raw)
    elif result["path"]:
        default_storage.delete(result["path"])


def _store_if_new(row: PictureBatchRow, picture: CheckedFile) -> dict[str, str]:
    """Store the picture, unless the product already shows it at this position. Return the row's new
    values by field name.
    """
    before = get_pictures_at(product_ids=[row.place[0]]).get(row.place, "")
    digest = picture.sha256
    if before == get_final_path(row.product.code if row.product else "", digest, picture.extension):
        return {"state": PictureRowState.SAME, "path": "", "before": before, "digest": digest}
    path = default_storage.save(
        f"{FOLDER}/{row.batch_id}-{row.pk}.{picture.extension}", ContentFile(picture.content)
    )
    return {"state": PictureRowState.READY, "path": path, "before": before, "digest": digest}
