"""The picture of the slide captcha: a background with a hole, and the jigsaw piece that was cut out of it."""

from __future__ import annotations

import base64
import io
import math
import random
import secrets
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH, HEIGHT = 340, 180
BODY, KNOB = 44, 9
PIECE = BODY + 2 * KNOB
SCALE = 4  # the mask is drawn this much larger, so that its edge is smooth


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Data URLs and sizes in the picture's own pixels; `x` is the answer: how far the piece's left edge must slide from 0."""

    background: str
    piece: str
    x: int
    y: int


def make_puzzle() -> Puzzle:
    """Return a new puzzle; no two look alike."""
    rng = random.Random(secrets.randbits(64))
    picture = _scenery(rng)
    mask = _piece_mask(rng)
    x = rng.randint(PIECE + 24, WIDTH - PIECE - 6)
    y = rng.randint(6, HEIGHT - PIECE - 6)
    piece = _cut(picture, mask, x, y)
    _dig(picture, mask, x, y, depth=0.45)
    _decoy(picture, rng, x, y)
    return Puzzle(background=_data_url(picture, "WEBP"), piece=_data_url(piece, "PNG"), x=x, y=y)


def _scenery(rng: random.Random) -> Image.Image:
    """Return hills under a sky of two colours, with discs, bands and grain: bright, varied and hard to subtract."""
    hue = rng.random()
    top, bottom = _colour(hue, 0.45, 0.95), _colour(hue + rng.uniform(0.08, 0.3), 0.35, 0.98)
    rows = np.linspace(0, 1, HEIGHT)[:, None, None]
    cols = np.linspace(0, 1, WIDTH)[None, :, None]
    blend = np.clip(rows * rng.uniform(0.5, 1) + cols * rng.uniform(-0.5, 0.5), 0, 1)
    pixels = np.array(top) * (1 - blend) + np.array(bottom) * blend
    noise = np.random.default_rng(rng.getrandbits(64))
    for layer in range(rng.randint(3, 5)):
        pixels = _hill(pixels, rng, hue + layer * 0.07, 0.35 + layer * 0.14)
    picture = Image.fromarray(np.clip(pixels + noise.normal(0, 5, pixels.shape), 0, 255).astype("uint8"), "RGB")
    draw = ImageDraw.Draw(picture, "RGBA")
    for _ in range(rng.randint(14, 22)):
        size, left, upper = rng.randint(8, 54), rng.randint(-20, WIDTH), rng.randint(-20, HEIGHT)
        fill = (*_colour(rng.random(), 0.5, 0.95), rng.randint(50, 140))
        box = (left, upper, left + size, upper + size)
        shape = rng.choice(("disc", "square", "ring", "line"))
        if shape == "disc":
            draw.ellipse(box, fill=fill)
        elif shape == "square":
            draw.rounded_rectangle(box, radius=size // 4, fill=fill)
        elif shape == "ring":
            draw.ellipse(box, outline=fill, width=3)
        else:
            draw.line((left, upper, left + rng.randint(-80, 80), upper + rng.randint(-60, 60)), fill=fill, width=rng.randint(2, 5))
    return picture.filter(ImageFilter.GaussianBlur(0.6))


def _hill(pixels: np.ndarray, rng: random.Random, hue: float, level: float) -> np.ndarray:
    xs = np.arange(WIDTH)
    ridge = np.full(WIDTH, HEIGHT * level)
    for _ in range(3):
        ridge += rng.uniform(4, 16) * np.sin(xs / rng.uniform(18, 60) + rng.uniform(0, 6.3))
    below = np.arange(HEIGHT)[:, None] > ridge[None, :]
    colour = np.array(_colour(hue, rng.uniform(0.3, 0.6), rng.uniform(0.55, 0.9)))
    return np.where(below[:, :, None], pixels * 0.25 + colour * 0.75, pixels)


def _colour(hue: float, saturation: float, value: float) -> tuple[int, int, int]:
    import colorsys

    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return int(red * 255), int(green * 255), int(blue * 255)


def _piece_mask(rng: random.Random) -> Image.Image:
    """Return the piece's alpha: a square whose sides have a knob, a notch or nothing, at least one of each of the first two."""
    mask = Image.new("L", (PIECE * SCALE, PIECE * SCALE), 0)
    draw = ImageDraw.Draw(mask)
    near, far = KNOB * SCALE, (KNOB + BODY) * SCALE
    draw.rectangle((near, near, far, far), fill=255)
    sides = [1, -1, rng.choice((-1, 0, 1)), rng.choice((-1, 0, 1))]
    rng.shuffle(sides)
    middle, radius = (near + far) / 2, KNOB * SCALE * 0.95
    for side, kind in enumerate(sides):
        if not kind:
            continue
        edge = near if side < 2 else far
        outward = -1 if side < 2 else 1
        offset = edge + outward * kind * radius * 0.15
        cx, cy = (offset, middle) if side % 2 == 0 else (middle, offset)
        draw.ellipse((cx - radius, cy - radius, cx + radius, cy + radius), fill=255 if kind > 0 else 0)
    return mask.resize((PIECE, PIECE), Image.Resampling.LANCZOS)


def _edge(mask: Image.Image, dx: int, dy: int) -> Image.Image:
    """Return where the mask's edge faces (dx, dy)."""
    return ImageChops.subtract(mask, ImageChops.offset(mask, -dx, -dy))


def _cut(picture: Image.Image, mask: Image.Image, x: int, y: int) -> Image.Image:
    """Return the piece with its alpha, lit at the upper left and shaded at the lower right."""
    piece = picture.crop((x, y, x + PIECE, y + PIECE))
    piece.paste((255, 255, 255), mask=_edge(mask, -2, -2).point(lambda value: int(value * 0.75)))
    piece.paste((20, 24, 36), mask=_edge(mask, 2, 2).point(lambda value: int(value * 0.55)))
    piece.putalpha(mask)
    return piece


def _dig(picture: Image.Image, mask: Image.Image, x: int, y: int, *, depth: float) -> None:
    """Darken the hole in place, with an inner shadow at the upper left and a light rim at the lower right."""
    picture.paste((24, 28, 40), (x, y), mask.point(lambda value: int(value * depth)))
    picture.paste((0, 0, 0), (x, y), _edge(mask, -2, -2).point(lambda value: int(value * 0.45)))
    picture.paste((255, 255, 255), (x, y), _edge(mask, 2, 2).point(lambda value: int(value * 0.5)))


def _decoy(picture: Image.Image, rng: random.Random, x: int, y: int) -> None:
    """Dig a fainter hole of another shape beside the true one, where there is room."""
    for _ in range(12):
        left, upper = rng.randint(PIECE // 2, WIDTH - PIECE), rng.randint(0, HEIGHT - PIECE)
        if math.hypot(left - x, upper - y) > PIECE * 1.1:
            _dig(picture, _piece_mask(rng).rotate(rng.choice((20, 45, 70))), left, upper, depth=0.2)
            return


def _data_url(picture: Image.Image, kind: str) -> str:
    target = io.BytesIO()
    picture.save(target, kind, quality=82)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(target.getvalue()).decode()}"
