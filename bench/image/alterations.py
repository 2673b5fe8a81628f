"""Eight kinds of altered pictures, forty each: crop, rotation, light, background, scale, noise,
JPEG, and all together.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter

from apps.documents.drawings import rasterise_drawing
from bench.image.drawn_anew import Studio, drawing, plain_studio, products
from bench.image.lettering import lettering

SEED = 20_261_121
OF_EACH = 40
SIZE = 640
GROUNDS = (
    "#dfe7ee",
    "#c9d6c4",
    "#e9dcc4",
    "#b9a58c",
    "#d7cbe0",
    "#8d99a8",
    "#f3d9d3",
    "#5c6b7a",
    "#cfe4f0",
    "#a8b59a",
)


@dataclass(frozen=True)
class Altered:
    """A query: the bytes of the picture, as from a phone or a screenshot, and the product to
    find.
    """

    family: str
    number: int
    code: str
    content: bytes

    @property
    def is_held_out(self) -> bool:
        """Whether the picture is held out: every third is not used for tuning and is reported
        separately.
        """
        return self.number % 3 == 0


def altered_pictures() -> Iterator[Altered]:
    """Yield the set. It is always the same."""
    rows = [row for row in products() if row["状态"] == "在售"]
    for place, (family, make) in enumerate(FAMILIES.items()):
        draw = random.Random(SEED + place)
        for number, row in enumerate(draw.sample(rows, OF_EACH)):
            yield Altered(family, number, row["商品编码"], make(row, draw))


def taken(row: Mapping[str, str], studio: Studio, *, size: int = SIZE) -> Image.Image:
    """Return the picture as pixels."""
    return rasterise_drawing(drawing(row, studio).encode(), size=size, text=lettering)


def jpeg(image: Image.Image, quality: int) -> bytes:
    """Return the picture as JPEG."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def crop(row: Mapping[str, str], draw: random.Random) -> bytes:
    image = taken(row, plain_studio(draw))
    left, top, right, bottom = (draw.uniform(0.02, 0.17) for _ in range(4))
    return jpeg(
        image.crop(
            (int(left * SIZE), int(top * SIZE), int((1 - right) * SIZE), int((1 - bottom) * SIZE))
        ),
        88,
    )


def rotate(row: Mapping[str, str], draw: random.Random) -> bytes:
    turn = draw.choice((-1, 1)) * draw.uniform(5, 25) + (90 if draw.random() < 0.1 else 0)
    return jpeg(taken(row, replace(plain_studio(draw), turn=turn, is_captioned=False)), 88)


def light(row: Mapping[str, str], draw: random.Random) -> bytes:
    return jpeg(relit(taken(row, plain_studio(draw)), draw), 85)


def background(row: Mapping[str, str], draw: random.Random) -> bytes:
    ground, floor = draw.sample(GROUNDS, 2)
    image = taken(
        row,
        replace(plain_studio(draw), ground=ground, floor=floor if draw.random() < 0.5 else ground),
    )
    return jpeg(grained(image, draw, draw.uniform(0, 6)), 85)


def scale(row: Mapping[str, str], draw: random.Random) -> bytes:
    studio = replace(
        plain_studio(draw),
        scale=draw.choice((draw.uniform(0.45, 0.75), draw.uniform(1.1, 1.25))),
        is_captioned=False,
    )
    small = studio.scale < 1
    shift = (draw.uniform(-110, 110), draw.uniform(-110, 110)) if small else (0.0, 0.0)
    return jpeg(
        taken(row, replace(studio, shift=shift), size=draw.choice((160, 240, 400, 900))), 88
    )


def noise(row: Mapping[str, str], draw: random.Random) -> bytes:
    image = taken(row, plain_studio(draw)).filter(ImageFilter.GaussianBlur(draw.uniform(0, 2.5)))
    return jpeg(grained(image, draw, draw.uniform(8, 25)), 80)


def compressed(row: Mapping[str, str], draw: random.Random) -> bytes:
    return jpeg(
        taken(row, plain_studio(draw), size=draw.choice((240, 320, 480))), draw.randint(10, 30)
    )


def mixed(row: Mapping[str, str], draw: random.Random) -> bytes:
    ground = draw.choice(GROUNDS)
    studio = replace(
        plain_studio(draw),
        ground=ground,
        floor=ground,
        turn=draw.uniform(-12, 12),
        scale=draw.uniform(0.6, 0.95),
        is_captioned=False,
    )
    return jpeg(
        grained(relit(taken(row, studio), draw), draw, draw.uniform(3, 12)), draw.randint(35, 70)
    )


FAMILIES: dict[str, Callable[[Mapping[str, str], random.Random], bytes]] = {
    "crop": crop,
    "rotate": rotate,
    "light": light,
    "background": background,
    "scale": scale,
    "noise": noise,
    "jpeg": compressed,
    "mixed": mixed,
}


def relit(image: Image.Image, draw: random.Random) -> Image.Image:
    """Return the picture with other brightness, a colour cast and a darker side."""
    pixels = np.asarray(image, dtype=np.float32) / 255
    pixels = pixels ** draw.uniform(0.65, 1.6) * np.array(
        [draw.uniform(0.88, 1.0) for _ in range(3)], dtype=np.float32
    )
    height, width = pixels.shape[:2]
    along = (
        np.linspace(1, draw.uniform(0.7, 1), width)[None, :]
        if draw.random() < 0.5
        else np.linspace(1, draw.uniform(0.7, 1), height)[:, None]
    )
    lit = Image.fromarray((np.clip(pixels * along[..., None], 0, 1) * 255).astype(np.uint8))
    return ImageEnhance.Contrast(lit).enhance(draw.uniform(0.75, 1.2))


def grained(image: Image.Image, draw: random.Random, sigma: float) -> Image.Image:
    """Return the picture with the noise of a small sensor."""
    grain = np.random.default_rng(draw.randrange(2**31)).normal(
        0, sigma, (image.height, image.width, 3)
    )
    return Image.fromarray(
        np.clip(np.asarray(image, dtype=np.float32) + grain, 0, 255).astype(np.uint8)
    )
