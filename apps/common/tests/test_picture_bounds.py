"""Limits on the memory and time that decoding a small file may need."""

from __future__ import annotations

import pytest
from django.test import Client
from PIL import PngImagePlugin

from apps.common.errors import FileRefused
from apps.common.files import IMAGES, CheckedFile, file_take
from apps.common.files.images import MAX_SCANS, START_OF_SCAN, variants_make
from apps.common.services.files import file_store
from apps.common.tests.test_files import NamedBytes, draw_picture
from apps.common.tests.test_variants import open_variant, store_picture
from apps.org.models import Account


def take(name: str, content: bytes) -> CheckedFile:
    return file_take(NamedBytes(name, content), kinds=IMAGES, max_mb=20)


def with_scans(count: int) -> bytes:
    """A progressive JPEG whose last scan is repeated until it has `count` scans."""
    content = draw_picture("JPEG", (64, 64), "L", progressive=True)
    at = content.rindex(START_OF_SCAN)
    last = content[at:-2]
    return content[:at] + last * (count - content[:at].count(START_OF_SCAN)) + content[-2:]


def test_a_photo_of_many_scans_is_refused_unread() -> None:
    assert take("a.jpg", with_scans(MAX_SCANS)).content_type == "image/jpeg"
    with pytest.raises(FileRefused, match="图片已损坏"):
        take("a.jpg", with_scans(MAX_SCANS + 1))


@pytest.mark.parametrize(("mode", "options"), [("L", {"progressive": True}), ("CMYK", {})])
def test_large_photo_without_reduced_decoding_is_refused(
    mode: str, options: dict[str, bool]
) -> None:
    with pytest.raises(FileRefused, match="800 万像素以内"):
        take("a.jpg", draw_picture("JPEG", (4000, 2001), mode, **options))


@pytest.mark.parametrize(("size", "mode"), [((12_001, 8), "RGB"), ((5000, 2501), "P")])
def test_a_drawing_too_long_or_in_need_of_a_large_copy_is_refused(
    size: tuple[int, int], mode: str
) -> None:
    with pytest.raises(FileRefused, match="像素过大"):
        take("a.png", draw_picture("PNG", size, mode))


@pytest.mark.parametrize("form", ["PNG", "GIF"])
def test_picture_metadata_is_dropped(form: str) -> None:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", "CanaryText")
    options = (
        {"pnginfo": texts, "icc_profile": b"CanaryProfile"}
        if form == "PNG"
        else {"comment": b"CanaryText"}
    )

    assert b"Canary" not in take(f"a.{form.lower()}", draw_picture(form, **options)).content


def test_a_large_transparent_drawing_is_shrunk_by_whole_pixels_before_its_widths_are_made() -> None:
    path = store_picture(draw_picture("PNG", (4000, 4000), "RGBA"), "content/large.png")
    variants_make(path)

    assert open_variant(path, 1600).size == (1334, 1334)


def test_a_private_file_has_no_public_address(client: Client, buyer: Account) -> None:
    file = file_store(file=take("a.png", draw_picture()), actor=buyer)

    assert client.get(f"/media/{file.path}").status_code == 404
    assert client.get(f"/media/{file.path}.400.webp").status_code == 404


def test_a_public_address_below_a_file_is_none(client: Client) -> None:
    path = store_picture(b"<svg/>", "products/below.svg")

    assert client.get(f"/media/{path}").status_code == 200
    assert client.get(f"/media/{path}/foo.png").status_code == 404


def test_a_name_longer_than_a_disk_takes_is_refused(client: Client) -> None:
    assert client.get("/media/products/" + "%E4%B8%AD" * 84 + ".png").status_code == 400
