"""Undo of a picture batch. Replaced pictures come back and added pictures are removed. Pictures
that changed after the batch stay.
"""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.errors import BatchUndone, PictureBatchNotWritten
from apps.catalog.models import CatalogChange, PictureBatch, Product, ProductImage
from apps.catalog.services.picture_batch_add import picture_batch_add, picture_batch_check
from apps.catalog.services.picture_batch_write import picture_batch_undo, picture_batch_write
from apps.catalog.tests.factories import ProductFactory
from apps.catalog.tests.services.test_picture_batch import draw_picture
from apps.common.models import OutboxMessage
from apps.org.models import Account


@pytest.fixture
def pen(platform: None) -> Product:
    pen: Product = ProductFactory(code="110001", image="products/old.png")
    ProductImage.objects.create(product=pen, position=2, path="products/old-2.png")
    return pen


def check_batch(staff: Account, *names: str, colour: str = "red") -> PictureBatch:
    batch = picture_batch_add(
        actor=staff, uploads=[SimpleUploadedFile(name, draw_picture(colour)) for name in names]
    )
    picture_batch_check(batch_id=batch.pk, seconds=60)
    return batch


def write_batch(staff: Account, *names: str, colour: str = "red") -> PictureBatch:
    return picture_batch_write(actor=staff, batch_id=check_batch(staff, *names, colour=colour).pk)


def get_pictures(pen: Product) -> tuple[str, list[tuple[int, str]]]:
    pen.refresh_from_db()
    return pen.image, list(
        ProductImage.objects.filter(product=pen)
        .order_by("position")
        .values_list("position", "path")
    )


def test_picture_batch_undo_restores_replaced_and_removes_added_pictures(
    pen: Product, staff: Account
) -> None:
    before = get_pictures(pen)
    batch = write_batch(staff, "110001.png", "110001-2.png", "110001-3.png")
    assert len(get_pictures(pen)[1]) == 2
    change_count = CatalogChange.objects.count()

    undone = picture_batch_undo(actor=staff, batch_id=batch.pk)

    assert get_pictures(pen) == before == ("products/old.png", [(2, "products/old-2.png")])
    assert (undone.undone_by, undone.rows_left, undone.undone_at is not None) == (staff, 0, True)
    assert CatalogChange.objects.count() == change_count + 1
    paths = [
        path
        for each in OutboxMessage.objects.filter(topic="pictures.stored")
        for path in each.payload["Paths"]
    ]
    assert {"products/old.png", "products/old-2.png"} <= set(paths)


def test_undo_removes_a_picture_that_was_added_to_an_empty_product(
    staff: Account, platform: None
) -> None:
    bare: Product = ProductFactory(code="110002", image="")
    picture_batch_undo(actor=staff, batch_id=write_batch(staff, "110002.png").pk)
    assert get_pictures(bare) == ("", [])


def test_picture_batch_undo_keeps_and_names_pictures_changed_since(
    pen: Product, staff: Account
) -> None:
    first = write_batch(staff, "110001.png", "110001-2.png")
    second = write_batch(staff, "110001.png", colour="blue")
    newest = get_pictures(pen)[0]

    undone = picture_batch_undo(actor=staff, batch_id=first.pk)

    assert get_pictures(pen) == (newest, [(2, "products/old-2.png")])
    assert undone.rows_left == 1
    assert list(undone.rows.filter(is_left=True).values_list("file_name", flat=True)) == [
        "110001.png"
    ]
    assert picture_batch_undo(actor=staff, batch_id=second.pk).rows_left == 0


def test_picture_batch_is_undone_once_and_only_after_writing(pen: Product, staff: Account) -> None:
    batch = check_batch(staff, "110001.png")
    with pytest.raises(PictureBatchNotWritten, match="尚未写入"):
        picture_batch_undo(actor=staff, batch_id=batch.pk)
    picture_batch_write(actor=staff, batch_id=batch.pk)
    picture_batch_undo(actor=staff, batch_id=batch.pk)
    with pytest.raises(BatchUndone, match="已撤销过"):
        picture_batch_undo(actor=staff, batch_id=batch.pk)
