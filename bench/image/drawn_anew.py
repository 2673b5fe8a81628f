"""Draw a product's picture again with another light, position, angle and studio, perhaps
without caption.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from demo.generate.sheets import CATALOGUE, read_sheet
from demo.pictures import FALLBACK, _brands, _kinds
from demo.pictures.canvas import FONT, Canvas
from demo.pictures.colour import mix
from demo.pictures.frame import brand_mark, caption
from demo.pictures.subject import Subject
from demo.pictures.templates import TEMPLATES

Stops = tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Studio:
    """The parameters of a picture; sizes refer to the drawing's 800 × 800."""

    ground: str = "#ffffff"
    floor: str = "#ffffff"
    contrast: float = 1.0
    scale: float = 1.0
    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    is_captioned: bool = False


class OtherLight(Canvas):
    """The same solids under flatter or harder light."""

    def __init__(self, key: str, contrast: float) -> None:
        super().__init__(key)
        self.contrast = contrast

    def _gradient(
        self, kind: str, colour: str, attributes: str, stops: Stops, tag: str = "linearGradient"
    ) -> str:
        other = tuple(
            (offset, mix(colour, stop, self.contrast) if self.contrast <= 1 else stop)
            for offset, stop in stops
        )
        return super()._gradient(kind, colour, attributes, other, tag)


def products() -> list[dict[str, str]]:
    """Return the rows of the demo's product sheet."""
    return list(read_sheet(CATALOGUE / "products.csv"))


def kind_of(row: Mapping[str, str]) -> str:
    """Return the kind of drawing of a product."""
    return _kinds().get(row["三级分类编码"], FALLBACK)


def subject_of(row: Mapping[str, str]) -> Subject:
    """Return the template's input for a row."""
    brand, english = _brands()[row["品牌编码"]]
    return Subject(row=row, brand=brand, english=english, kind=kind_of(row))


def drawing(row: Mapping[str, str], studio: Studio) -> str:
    """Return the SVG of the product in that studio."""
    subject = subject_of(row)
    canvas = OtherLight("q", studio.contrast)
    TEMPLATES[subject.kind](canvas, subject)
    body, canvas.body = canvas.body, []
    if studio.is_captioned:
        brand_mark(canvas, subject)
        caption(canvas, subject)
    return framed(canvas, body, studio)


def framed(canvas: Canvas, body: list[str], studio: Studio) -> str:
    """Return the SVG file with `body` placed in the studio, above the canvas's other content."""
    x, y = studio.shift
    place = (
        f"translate({400 + x:g} {400 + y:g}) rotate({studio.turn:g}) scale({studio.scale:g}) "
        "translate(-400 -400)"
    )
    stops = (
        f'<stop offset="0" stop-color="{studio.ground}"/><stop offset="1" '
        f'stop-color="{studio.floor}"/>'
    )
    wall = f'<linearGradient id="wall" x1="0" y1="0" x2="0" y2="1">{stops}</linearGradient>'
    defs = wall + "".join(canvas.defs.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" font-family="{FONT}'
        f'"><defs>{defs}</defs>'
        f'<rect width="800" height="800" fill="url(#wall)"/>{"".join(canvas.body)}<g '
        f'transform="{place}">{"".join(body)}</g></svg>'
    )


def plain_studio(draw: random.Random) -> Studio:
    """Return the mild change of every picture in the set: light, small shifts of position and
    size, with or without caption.
    """
    return Studio(
        contrast=draw.uniform(0.45, 1.0),
        scale=draw.uniform(0.92, 1.06),
        shift=(draw.uniform(-25, 25), draw.uniform(-25, 25)),
        is_captioned=draw.random() < 0.5,
    )
