"""The QR codes decode to the address that the staff entered."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import pytest
import zxingcpp
from django.test import Client
from PIL import Image, ImageDraw, ImageOps

from apps.content.selectors.qr import draw_qr_svg, get_qr_address
from apps.content.tests.factories import create_setting

TARGET = "https://m.wencai.example/app/android?来源=商城"
SCALE = 4


def raster(svg: bytes) -> Image.Image:
    """Draw the path of the code as pixels. segno writes the path as runs of horizontal lines:
    `M x y h n`, then `m dx dy h n`.
    """
    root = ET.fromstring(svg)
    side = int(root.attrib["viewBox"].split()[2])
    image = Image.new("1", (side * SCALE, side * SCALE), 1)
    draw = ImageDraw.Draw(image)
    path = next(
        element.attrib["d"] for element in root.iter() if element.attrib.get("class") == "qrline"
    )
    x = y = 0.0
    for part in path.replace("M", " M ").replace("m", " m ").replace("h", " h ").split(" M ")[1:]:
        for at, piece in enumerate(part.split(" m ")):
            where, length = piece.split(" h ")
            dx, dy = (float(value) for value in where.split())
            x, y = (dx, dy) if at == 0 else (x + dx, y + dy)
            draw.rectangle(
                (
                    x * SCALE,
                    (y - 0.5) * SCALE,
                    (x + float(length)) * SCALE - 1,
                    (y + 0.5) * SCALE - 1,
                ),
                fill=0,
            )
            x += float(length)
    return image


def test_the_code_reads_as_its_target() -> None:
    buffer = io.BytesIO()
    raster(draw_qr_svg(TARGET)).save(buffer, "PNG")

    assert [row.text for row in zxingcpp.read_barcodes(Image.open(buffer))] == [TARGET]


def test_the_quiet_zone_is_four_modules() -> None:
    box = ImageOps.invert(raster(draw_qr_svg(TARGET)).convert("L")).getbbox()
    assert box is not None
    assert box[:2] == (4 * SCALE, 4 * SCALE)


@pytest.mark.django_db
def test_a_code_is_a_picture_that_may_be_kept(client: Client) -> None:
    create_setting(android_url=TARGET)
    answer = client.get(get_qr_address(TARGET))

    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    assert answer.content == draw_qr_svg(TARGET)


@pytest.mark.django_db
def test_qr_code_of_a_foreign_address_is_not_found(client: Client) -> None:
    create_setting(android_url=TARGET)

    assert client.get(get_qr_address("https://evil.example/")).status_code == 404
