"""Computing the vectors of product pictures in the background."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.services.products import product_save
from apps.catalog.tests.factories import ProductFactory
from apps.common.background.leases import lease_take
from apps.common.models import OutboxMessage
from apps.common.testing import assert_queries
from apps.org.models import Account
from apps.search.images.descriptor import Descriptor
from apps.search.images.embedder import get_image_embedder
from apps.search.images.matrix import get_picture_matrix
from apps.search.models import PictureVector, PictureVersion
from apps.search.services.picture_index import (
    TOPIC,
    handle_outdated_pictures,
    pictures_index,
    pictures_mark_outdated,
    pictures_publish_due,
)
from apps.search.tests.api.test_image_search import draw_picture, encode_png

DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><rect x="20" y="20" width="40" '
    b'height="30" fill="#d63b3f"/></svg>'
)


def create_pictured_product(content: bytes, name: str = "products/one.png") -> Product:
    product: Product = ProductFactory(image=default_storage.save(name, ContentFile(content)))
    return product


def build_vector(product: Product) -> bytes:
    return bytes(PictureVector.objects.get(product=product).vector)


def test_photographs_and_drawings_are_described(db: None) -> None:
    photo, drawing = (
        create_pictured_product(encode_png(draw_picture("disc"))),
        create_pictured_product(DRAWING, "products/two.svg"),
    )
    assert pictures_index(seconds=60)
    assert [len(build_vector(product)) for product in (photo, drawing)] == [
        Descriptor.dimensions
    ] * 2


@pytest.mark.parametrize(
    "content",
    [b"", b"no picture", b"<svg", encode_png(draw_picture("box"))[:200]],
    ids=["empty", "text", "broken svg", "cut off"],
)
def test_unreadable_picture_gets_an_empty_vector_and_no_retry(db: None, content: bytes) -> None:
    product = create_pictured_product(
        content, "products/bad.svg" if content.startswith(b"<svg") else "products/bad.png"
    )
    assert pictures_index(seconds=60)
    assert build_vector(product) == b""
    assert pictures_publish_due() == 0


def test_missing_picture_gets_an_empty_vector(db: None) -> None:
    product = ProductFactory(image="products/nowhere.png")
    assert pictures_index(seconds=60)
    assert build_vector(product) == b""


def test_unfinished_picture_slice_publishes_another_message(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for shape in ("box", "disc"):
        create_pictured_product(encode_png(draw_picture(shape)), f"products/{shape}.png")
    monkeypatch.setattr("apps.search.services.picture_index.SLICE_SECONDS", 0.0)
    handle_outdated_pictures("", {})
    assert (
        PictureVector.objects.count(),
        OutboxMessage.objects.filter(topic=TOPIC, available_at__gt=timezone.now()).count(),
    ) == (1, 1)


def test_two_workers_describe_a_picture_once(db: None) -> None:
    create_pictured_product(encode_png(draw_picture("box")))
    lease_take(name=TOPIC, holder="another", duration=timedelta(minutes=1))
    handle_outdated_pictures("", {})
    assert not PictureVector.objects.exists()


def test_many_messages_are_one_chain_of_slices(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(6):
        create_pictured_product(encode_png(draw_picture("box")), f"products/{at}.png")
    monkeypatch.setattr("apps.search.services.picture_index.SLICE_SECONDS", 0.0)
    for _ in range(3):
        handle_outdated_pictures("", {})
    assert (PictureVector.objects.count(), OutboxMessage.objects.filter(topic=TOPIC).count()) == (
        1,
        1,
    )

    next_slice = OutboxMessage.objects.get(topic=TOPIC)
    for _ in range(2):  # a message can be delivered twice
        handle_outdated_pictures("", next_slice.payload)
    assert (PictureVector.objects.count(), OutboxMessage.objects.filter(topic=TOPIC).count()) == (
        2,
        2,
    )


def test_an_error_in_a_slice_leaves_the_work_to_the_same_message(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_pictured_product(encode_png(draw_picture("box")))
    monkeypatch.setattr("apps.search.services.picture_index.SLICE_SECONDS", 0.0)
    with patch("PIL.Image.open", side_effect=MemoryError), pytest.raises(MemoryError):
        handle_outdated_pictures("", {})
    assert not OutboxMessage.objects.filter(topic=TOPIC).exists()
    handle_outdated_pictures("", {})
    assert PictureVector.objects.count() == 1


def test_product_save_rebuilds_its_picture_vector(db: None, staff: Account) -> None:
    product = create_pictured_product(encode_png(draw_picture("box")))
    pictures_index(seconds=60)
    before = build_vector(product)
    default_storage.delete(product.image)
    default_storage.save(product.image, ContentFile(encode_png(draw_picture("disc"))))
    product_save(actor=staff, product=product)

    assert OutboxMessage.objects.filter(topic=TOPIC).exists()
    assert build_vector(product) == before  # the old vector stays until the job has run
    pictures_index(seconds=60)
    assert build_vector(product) != before


def test_changed_embedder_rebuilds_all_vectors(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    create_pictured_product(encode_png(draw_picture("box")))
    pictures_index(seconds=60)
    monkeypatch.setattr(Descriptor, "name", "builtin:2")
    assert pictures_publish_due() == 1


def test_a_process_reads_the_vectors_once_until_they_move(db: None) -> None:
    product = create_pictured_product(encode_png(draw_picture("box")))
    pictures_index(seconds=60)
    get_picture_matrix(get_image_embedder())
    with assert_queries(1):
        matrix = get_picture_matrix(get_image_embedder())
    assert matrix.ids.tolist() == [product.pk]
    pictures_mark_outdated(product_ids=[product.pk])
    pictures_index(seconds=60)
    with assert_queries(2):
        moved = get_picture_matrix(get_image_embedder())
    assert moved.token == PictureVersion.objects.get().token != matrix.token
