"""Public pictures in the widths that the pages request."""

from __future__ import annotations

import io

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from PIL import Image

from apps.common.files.images import handle_stored_pictures, variants_make
from apps.common.tests.test_files import draw_picture


def store_picture(content: bytes, name: str = "content/variants.png") -> str:
    return default_storage.save(name, ContentFile(content))


def open_variant(path: str, width: int) -> Image.Image:
    with default_storage.open(f"{path}.{width}.webp") as file:
        return Image.open(io.BytesIO(file.read()))


def test_picture_gets_three_widths_and_none_exceeds_the_original() -> None:
    path = store_picture(draw_picture(size=(1000, 500)))
    variants_make(path)

    assert [
        (open_variant(path, width).format, open_variant(path, width).size)
        for width in (400, 800, 1600)
    ] == [
        ("WEBP", (400, 200)),
        ("WEBP", (800, 400)),
        ("WEBP", (1000, 500)),
    ]


def test_transparent_picture_keeps_its_alpha_channel() -> None:
    path = store_picture(draw_picture(size=(500, 500), mode="RGBA"))
    variants_make(path)
    assert open_variant(path, 400).mode == "RGBA"


def test_replaced_picture_gets_new_variants() -> None:
    path = store_picture(draw_picture(size=(1000, 500)))
    variants_make(path)
    default_storage.delete(path)
    store_picture(draw_picture(size=(1000, 1000)), path)
    variants_make(path)
    assert open_variant(path, 400).size == (400, 400)


def test_very_tall_picture_is_scaled_to_the_webp_limit() -> None:
    path = store_picture(draw_picture(size=(1600, 12_000)))
    variants_make(path)
    assert open_variant(path, 1600).size == (400, 3000)


def test_broken_picture_does_not_stop_the_variants_of_others() -> None:
    path = store_picture(draw_picture(size=(500, 500)))
    handle_stored_pictures(
        "", {"Paths": ["content/missing.png", store_picture(b"no picture"), path]}
    )
    assert open_variant(path, 400).size == (400, 400)


@pytest.mark.django_db
def test_missing_variant_serves_the_original_for_a_minute() -> None:
    path = store_picture(draw_picture(size=(500, 500)))
    before = Client().get(f"/media/{path}.400.webp")
    assert (before.status_code, before["Content-Type"], before["Cache-Control"]) == (
        200,
        "image/png",
        "public, max-age=60",
    )

    variants_make(path)

    after = Client().get(f"/media/{path}.400.webp")
    assert (after.status_code, after["Content-Type"], after["Cache-Control"]) == (
        200,
        "image/webp",
        "public, max-age=86400",
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["content/none.png.400.webp", "content/none.png.401.webp", "private/a.png.400.webp"]
)
def test_a_width_of_no_picture_is_not_there(path: str) -> None:
    assert Client().get(f"/media/{path}").status_code == 404
