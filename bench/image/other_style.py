"""Drawings in another style: flat colours with dark outlines on a coloured ground, no letters,
another brand, model and colour.

No product of the catalogue looks like these, so the search can only find the kind.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from apps.documents.drawings import rasterise_drawing
from bench.image.alterations import jpeg
from bench.image.drawn_anew import Studio, framed, kind_of, products, subject_of
from demo.pictures.canvas import Canvas
from demo.pictures.colour import NAMED, shade
from demo.pictures.templates import TEMPLATES

SEED = 7_1121
PICTURES = 160
FEWEST = 5  # of a kind, for its precision to say something
OUTLINE = "#27303b"
PASTELS = ("#fdf1dc", "#e3f1e8", "#e6ecfb", "#fbe6ea", "#efe8f8", "#e4f4f7")


@dataclass(frozen=True)
class Poster:
    """A query: a picture, and the kind of its object."""

    number: int
    kind: str
    content: bytes

    @property
    def is_held_out(self) -> bool:
        """Whether the picture is held out: every third is not used for tuning and is reported
        separately.
        """
        return self.number % 3 == 0


class Flat(Canvas):
    """Fills are one colour, shapes have an outline, and there is no text."""

    def _gradient(self, kind: str, colour: str, *_rest: object, **_more: object) -> str:
        return shade(colour, 0.12 if kind in ("down", "slant") else 0.0)

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str, rx: float = 0, more: str = ""
    ) -> None:
        """Draw the rectangle with an outline."""
        super().rect(x, y, w, h, fill, rx * 1.6, _add_outline(more))

    def path(self, d: str, fill: str, more: str = "") -> None:
        """Draw the path with an outline, closed ones only."""
        super().path(d, fill, _add_outline(more) if "Z" in d.upper() else more)

    def oval(self, cx: float, cy: float, rx: float, ry: float, fill: str, more: str = "") -> None:
        """Draw the ellipse with an outline."""
        super().oval(cx, cy, rx, ry, fill, _add_outline(more))

    def disc(self, cx: float, cy: float, r: float, fill: str, more: str = "") -> None:
        """Draw the circle with an outline."""
        super().disc(cx, cy, r, fill, _add_outline(more))

    def text(self, *_args: object, **_more: object) -> None:
        """Write nothing."""

    def shadow(self, *_args: object, **_more: object) -> None:
        """Lay no shadow."""


def _add_outline(more: str) -> str:
    return (
        more
        if "stroke" in more or "opacity" in more
        else f'{more} stroke="{OUTLINE}" stroke-width="5" stroke-linejoin="round"'.strip()
    )


def iterate_posters() -> Iterator[Poster]:
    """Yield the set. It is always the same."""
    rows = products()
    kinds = Counter(kind_of(row) for row in rows if row["状态"] == "在售")
    draw = random.Random(SEED)
    many = [row for row in rows if kinds[kind_of(row)] >= FEWEST]
    for number, row in enumerate(draw.sample(many, PICTURES)):
        yield Poster(number, kind_of(row), jpeg(_draw(row, rows, draw), 85))


def _draw(row: dict[str, str], rows: list[dict[str, str]], draw: random.Random) -> Image.Image:
    colour = draw.choice(sorted(NAMED))
    attributes = ";".join(
        f"颜色:{colour}" if pair.startswith("颜色:") else pair for pair in row["属性"].split(";")
    )
    other = {
        **row,
        "品牌编码": draw.choice(rows)["品牌编码"],
        "型号": f"ZZ-{draw.randrange(10_000)}",
        "属性": attributes,
    }
    subject = subject_of(other)
    canvas = Flat("q")
    TEMPLATES[subject.kind](canvas, subject)
    body, canvas.body = canvas.body, []
    ground = draw.choice(PASTELS)
    studio = Studio(
        ground=ground,
        floor=ground,
        scale=draw.uniform(0.7, 1.0),
        shift=(draw.uniform(-40, 40), draw.uniform(-40, 40)),
    )
    return rasterise_drawing(
        framed(canvas, body, studio).encode(), size=draw.choice((320, 480, 720))
    )
