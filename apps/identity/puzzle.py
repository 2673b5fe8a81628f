"""The picture of the slide captcha: a background with several holes, and a jigsaw piece. The
outline of one hole matches the piece.

A person compares outlines. All holes are at the height of the piece. Each has a different outline
and random rendering. The answer is a hole that the usual solver programs do not choose. The piece
shows different scenery, so its pixels do not reveal its place. `bench/captcha_solvers.py` has
solver programs; `python -m bench captcha` measures how often they succeed.
"""

from __future__ import annotations

import base64
import colorsys
import io
import math
import random
import secrets
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

# Pictures use 32-bit floats, for speed.
Pixels = NDArray[np.floating[Any]]
Sides = tuple[int, int, int, int]

WIDTH, HEIGHT = 340, 180
BODY, KNOB = 30, 8
PIECE = BODY + 2 * KNOB
SCALE = 3  # outlines are drawn at this scale and reduced, so that their edge is smooth
HOLES = 5
# The maximum number of drawings until no solver finds the answer.
DRAWINGS = 5
# Rotations, in degrees, that a solver may try.
TURNS = (-10, 10)
# The rows of `_rank_holes` for solvers that use edges. They are the best solvers.
EDGES = slice(4, None)
# A solver finds a hole up to this distance in pixels.
REACH = 4
# The piece starts at the left edge, so there is no hole.
LEFTMOST, RIGHTMOST = PIECE + 8, WIDTH - PIECE - 4
CUTS = (1, -1, 1, -1, 0)
GRAIN = 9  # standard deviation of the noise in the whole picture


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Data URLs, and sizes in pixels of the picture. `x` is the answer: the distance that the
    piece's left edge must slide from 0.
    """

    background: str
    piece: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Hole:
    """The shape of its four sides, and the distance of its left edge from the picture's left
    edge.
    """

    sides: Sides
    x: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The strip of the picture at the height of the piece, the hole that is the answer, and the
    number of solver kinds that find it.
    """

    strip: Pixels
    answer: Hole
    solved_by: int


def make_puzzle(seed: int | None = None) -> Puzzle:
    """Return a new random puzzle. Tests pass a seed to get the same puzzle again."""
    rng = random.Random(secrets.randbits(64) if seed is None else seed)
    picture, weather = _draw_scenery(rng, WIDTH, HEIGHT), _draw_weather(rng)
    y = rng.randint(6, HEIGHT - PIECE - 6)
    rows = slice(y, y + PIECE)
    drawing = _draw_holes(picture[rows], weather[rows], rng)
    picture += weather
    picture[rows] = drawing.strip
    piece = _draw_piece(rng, _draw_outline(drawing.answer.sides))
    return Puzzle(
        background=_get_data_url(_build_image(picture), "WEBP"),
        piece=_get_data_url(piece, "PNG"),
        x=drawing.answer.x,
        y=y,
    )


def _draw_holes(scenery: Pixels, weather: Pixels, rng: random.Random) -> Drawing:
    """Return the strip of the picture with its holes, and the hole that is the answer.

    If any solver kind finds the answer, the holes are drawn again, at most DRAWINGS times in total.
    The drawing that the fewest solver kinds solve wins. A drawing takes about 3 ms.
    """
    best = _draw_strip(scenery, weather, rng)
    for _ in range(DRAWINGS - 1):
        if not best.solved_by:
            break
        best = min(best, _draw_strip(scenery, weather, rng), key=lambda drawing: drawing.solved_by)
    return best


def _draw_strip(scenery: Pixels, weather: Pixels, rng: random.Random) -> Drawing:
    """Return a strip with several holes. One of them is the answer."""
    holes = [
        Hole(sides, x) for sides, x in zip(_choose_sides(rng), _choose_places(rng), strict=True)
    ]
    strip = scenery.copy()
    for hole in holes:
        _dig_hole(strip[:, hole.x : hole.x + PIECE], _draw_loose_outline(hole.sides, rng), rng)
    strip = np.clip(strip + weather, 0, 255)
    answer_index, solved_by = _choose_answer_hole(strip, holes, rng)
    return Drawing(strip, holes[answer_index], solved_by)


def _choose_sides(rng: random.Random) -> list[Sides]:
    """Return the sides of each hole, in the order left, top, right, bottom: 1 is a knob, -1 a
    notch, 0 straight. All holes differ.
    """
    kinds: list[Sides] = []
    while len(kinds) < HOLES:
        sides = (rng.choice(CUTS), rng.choice(CUTS), rng.choice(CUTS), rng.choice(CUTS))
        if {1, -1} <= set(sides) and all(_count_differences(sides, other) >= 2 for other in kinds):
            kinds.append(sides)
    return kinds


def _count_differences(first: Sides, second: Sides) -> int:
    """Return how clearly two holes differ. A side adds 2 if it is a knob in one and a notch in
    the other.
    """
    return sum(
        abs(first_side - second_side) for first_side, second_side in zip(first, second, strict=True)
    )


def _choose_places(rng: random.Random) -> list[int]:
    """Return the left edges of the holes from left to right. Holes do not touch each other."""
    room = RIGHTMOST - LEFTMOST - (HOLES - 1) * (PIECE + 1)
    offsets = sorted(rng.randint(0, room) for _ in range(HOLES))
    return [LEFTMOST + offset + number * (PIECE + 1) for number, offset in enumerate(offsets)]


def _draw_loose_outline(sides: Sides, rng: random.Random) -> Pixels:
    """Return the outline of a hole: the shape of the piece, but rotated, scaled, and with its
    knobs moved along their sides.
    """
    return _draw_outline(
        sides,
        tilt=rng.choice((-1, 1)) * rng.uniform(5, 13),
        size=rng.uniform(0.88, 1.06),
        shifts=tuple(rng.uniform(-3, 3) for _ in sides),
        bulge=rng.uniform(0.85, 1.1),
    )


def _draw_outline(
    sides: Sides,
    *,
    tilt: float = 0,
    size: float = 1,
    shifts: tuple[float, ...] = (0, 0, 0, 0),
    bulge: float = 1,
) -> Pixels:
    """Return the alpha (0 to 1) of a square with these sides, rotated by `tilt` degrees around
    its centre.
    """
    mask = Image.new("L", (PIECE * SCALE, PIECE * SCALE), 0)
    draw = ImageDraw.Draw(mask)
    middle, half, radius = (
        PIECE * SCALE / 2,
        BODY * SCALE * size / 2,
        KNOB * SCALE * size * bulge * 0.8,
    )
    draw.rectangle((middle - half, middle - half, middle + half, middle + half), fill=255)
    for side, kind in enumerate(sides):
        if not kind:
            continue
        edge = -1 if side < 2 else 1
        across, along = middle + edge * (half + kind * radius * 0.25), middle + shifts[side] * SCALE
        cx, cy = (across, along) if side % 2 == 0 else (along, across)
        draw.ellipse(
            (cx - radius, cy - radius, cx + radius, cy + radius), fill=255 if kind > 0 else 0
        )
    turned = mask.rotate(tilt, Image.Resampling.BILINEAR) if tilt else mask
    return (
        np.asarray(turned.resize((PIECE, PIECE), Image.Resampling.BOX), dtype=np.float32)[
            :, :, None
        ]
        / 255
    )


def _choose_answer_hole(strip: Pixels, holes: list[Hole], rng: random.Random) -> tuple[int, int]:
    """Return (index of the hole that becomes the answer, number of solver kinds that find it).

    The answer is one of the holes that the fewest solvers find. Its rank among the solvers' choices
    is random, so that a solver gains nothing by choosing its second best hole.
    """
    ranks = _rank_holes(strip, holes)
    solved_by = (ranks == 0).sum(axis=0)
    rank = rng.randrange(1, HOLES)
    candidates = [number for number in range(HOLES) if solved_by[number] == solved_by.min()]
    rng.shuffle(candidates)
    true = min(candidates, key=lambda number: abs(float(ranks[EDGES, number].mean()) - rank))
    return true, int(solved_by[true])


def _rank_holes(strip: Pixels, holes: list[Hole]) -> NDArray[np.int64]:
    """Return, for each solver kind (rows) and each hole (columns), the number of other holes
    that the solver prefers if this hole is the answer.
    """
    looks = [_build_look(hole.sides) for hole in holes]
    areas = [look.area for look in looks]
    grey = strip @ np.array([0.299, 0.587, 0.114], dtype=np.float32)
    colours = [
        _cut_windows(picture, holes)
        for picture in (grey, *(strip[:, :, channel] for channel in range(3)))
    ]
    sharp, smooth = (
        _cut_windows(_compute_gradient(picture), holes) for picture in (grey, _blur(grey))
    )
    contrasts = np.array([_compute_contrast(areas, windows) for windows in colours])
    scores = np.array(
        [
            contrasts[0].max(axis=2),
            -contrasts[0].min(axis=2),
            (contrasts[1:] ** 2).sum(axis=0).max(axis=2),
            np.max(
                [np.abs(_compute_correlation(areas, windows)) for windows in colours], axis=0
            ).max(axis=2),
            _compute_correlation([look.edges for look in looks], sharp).max(axis=2),
            _compute_correlation([look.smooth_edges for look in looks], smooth).max(axis=2),
            np.max(
                [
                    _compute_correlation([look.turned_edges[turn] for look in looks], smooth)
                    for turn in range(len(TURNS))
                ],
                axis=0,
            ).max(axis=2),
        ]
    )
    own_scores = np.diagonal(scores, axis1=1, axis2=2)
    return np.array((scores > own_scores[:, :, None]).sum(axis=2))


@dataclass(frozen=True, slots=True)
class Look:
    """The templates that solvers derive from a piece with these sides."""

    area: Pixels
    edges: Pixels
    smooth_edges: Pixels
    turned_edges: tuple[Pixels, ...]


@cache
def _build_look(sides: Sides) -> Look:
    """Return the outline of a piece as pixels and edges, also tilted, for comparisons."""
    area = _draw_outline(sides)[:, :, 0]
    turned_outlines = [_draw_outline(sides, tilt=tilt)[:, :, 0] for tilt in TURNS]
    return Look(
        area=area,
        edges=_compute_gradient(area),
        smooth_edges=_compute_gradient(_blur(area * 255)),
        turned_edges=tuple(_compute_gradient(_blur(outline * 255)) for outline in turned_outlines),
    )


def _compute_contrast(areas: list[Pixels], windows: Pixels) -> Pixels:
    """Return how much lighter the surroundings of an area are than its inside, by area, hole
    and window.
    """
    return _multiply_templates(
        [(1 - area) / (1 - area).sum() - area / area.sum() for area in areas], windows
    )


def _compute_correlation(templates: list[Pixels], windows: Pixels) -> Pixels:
    """Return the normalised correlation, by template, hole and window."""
    centred = [template - template.mean() for template in templates]
    products = _multiply_templates(
        [template / np.sqrt((template**2).sum()) for template in centred], windows
    )
    return np.asarray(products / (windows.std(axis=2) * PIECE)[None])


def _multiply_templates(templates: list[Pixels], windows: Pixels) -> Pixels:
    flat = np.array(templates).reshape(len(templates), -1)
    return (windows @ flat.T).transpose(2, 0, 1)


def _cut_windows(picture: Pixels, holes: list[Hole]) -> Pixels:
    """Return the pixels of the windows near each hole, by hole, window and pixel."""
    steps = range(-REACH, REACH + 1, 2)
    return np.array(
        [
            [picture[:, hole.x + step : hole.x + step + PIECE].ravel() for step in steps]
            for hole in holes
        ]
    )


def _compute_gradient(grey: Pixels) -> Pixels:
    down, right = np.gradient(grey)
    return np.asarray(np.hypot(down, right))


def _blur(grey: Pixels) -> Pixels:
    picture = Image.fromarray(np.clip(grey, 0, 255).astype("uint8"), "L")
    return np.asarray(picture.filter(ImageFilter.GaussianBlur(2)), dtype=np.float32)


def _draw_scenery(rng: random.Random, width: int, height: int) -> Pixels:
    """Return hills below a sky of two colours, with discs, bands and lines. The picture is
    bright and varied, so that it is hard to subtract.
    """
    hue = rng.random()
    top, bottom = (
        _build_colour(hue, 0.45, 0.95),
        _build_colour(hue + rng.uniform(0.08, 0.3), 0.35, 0.98),
    )
    rows = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    cols = np.linspace(0, 1, width, dtype=np.float32)[None, :, None]
    blend = np.clip(rows * rng.uniform(0.5, 1) + cols * rng.uniform(-0.5, 0.5), 0, 1)
    pixels = (
        np.array(top, dtype=np.float32) * (1 - blend) + np.array(bottom, dtype=np.float32) * blend
    )
    for layer in range(rng.randint(3, 5)):
        pixels = _draw_hill(pixels, rng, hue + layer * 0.07, 0.35 + layer * 0.14)
    picture = _build_image(pixels)
    draw = ImageDraw.Draw(picture, "RGBA")
    for _ in range(rng.randint(14, 22) * width * height // (WIDTH * HEIGHT) + 6):
        extent, left, upper = rng.randint(8, 54), rng.randint(-20, width), rng.randint(-20, height)
        fill = (*_build_colour(rng.random(), 0.5, 0.95), rng.randint(50, 140))
        box = (left, upper, left + extent, upper + extent)
        shape = rng.choice(("disc", "square", "ring", "line"))
        if shape == "disc":
            draw.ellipse(box, fill=fill)
        elif shape == "square":
            draw.rounded_rectangle(box, radius=extent // 4, fill=fill)
        elif shape == "ring":
            draw.ellipse(box, outline=fill, width=3)
        else:
            draw.line(
                (left, upper, left + rng.randint(-80, 80), upper + rng.randint(-60, 60)),
                fill=fill,
                width=rng.randint(2, 5),
            )
    return np.asarray(picture, dtype=np.float32).copy()


def _draw_hill(pixels: Pixels, rng: random.Random, hue: float, level: float) -> Pixels:
    """Return the picture with a hill below a random ridge. `level`: the place of the ridge, from
    0 (top) to 1 (bottom).
    """
    height, width = pixels.shape[:2]
    xs = np.arange(width)
    ridge = np.full(width, height * level)
    for _ in range(3):
        ridge += rng.uniform(4, 16) * np.sin(xs / rng.uniform(18, 60) + rng.uniform(0, 6.3))
    below = np.arange(height)[:, None] > ridge[None, :]
    colour = np.array(
        _build_colour(hue, rng.uniform(0.3, 0.6), rng.uniform(0.55, 0.9)), dtype=np.float32
    )
    return np.where(
        below[:, :, None], pixels * np.float32(0.25) + colour * np.float32(0.75), pixels
    )


def _build_colour(hue: float, saturation: float, value: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return int(red * 255), int(green * 255), int(blue * 255)


def _dig_hole(patch: Pixels, outline: Pixels, rng: random.Random) -> None:
    """Draw a hole into the strip: mostly its own colour, with a gradient from dark to light and
    a thin dark or light rim.
    """
    angle = rng.uniform(0, 2 * math.pi)
    along = np.linspace(-1, 1, PIECE, dtype=np.float32)
    slope = (math.cos(angle) * along[None, :] + math.sin(angle) * along[:, None])[:, :, None]
    colour = np.array(
        _build_colour(rng.random(), rng.uniform(0.2, 0.7), rng.uniform(0.35, 0.95)),
        dtype=np.float32,
    )
    share = np.float32(rng.uniform(0.55, 0.7))
    inside = patch * (1 - share) + colour * share + slope * np.float32(rng.uniform(25, 55))
    patch += outline * (inside - patch)
    rim = np.float32(rng.choice((20, 245)))
    patch += _compute_rim(outline) * np.float32(rng.uniform(0.45, 0.7)) * (rim - patch)


def _compute_rim(outline: Pixels) -> Pixels:
    """Return the alpha of a line, one or two pixels wide, along the inside of the outline."""
    alpha = Image.fromarray((outline[:, :, 0] * 255).astype("uint8"), "L")
    return (
        outline
        - np.asarray(alpha.filter(ImageFilter.MinFilter(3)), dtype=np.float32)[:, :, None] / 255
    )


def _draw_weather(rng: random.Random) -> Pixels:
    """Return an overlay for the whole picture, holes included: wide shadows, and coarse and
    fine noise.
    """
    noise = np.random.default_rng(rng.getrandbits(64))
    shading = (
        _draw_cloud(noise, 6, 10) * 22
        + _draw_cloud(noise, 11, 20) * 10
        + _draw_cloud(noise, HEIGHT // 4, WIDTH // 4) * (GRAIN / 2)
    )
    return shading[:, :, None] + noise.standard_normal((HEIGHT, WIDTH, 3), dtype=np.float32) * GRAIN


def _draw_cloud(noise: np.random.Generator, rows: int, columns: int) -> Pixels:
    """Return smooth noise of the picture's size with a standard deviation of about 1."""
    grid = Image.fromarray(noise.standard_normal((rows, columns), dtype=np.float32), "F")
    return np.asarray(grid.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC), dtype=np.float32)


def _draw_piece(rng: random.Random, outline: Pixels) -> Image.Image:
    """Return the piece with its alpha. Its scenery differs from the background, so that only
    its outline shows its place. A rim makes the outline visible.
    """
    pixels = _draw_scenery(rng, PIECE, PIECE) * np.float32(0.5) + np.float32(110)
    pixels += _compute_rim(outline) * (np.array((20, 24, 36), dtype=np.float32) - pixels)
    piece = _build_image(pixels)
    piece.putalpha(Image.fromarray((outline[:, :, 0] * 255).astype("uint8"), "L"))
    return piece


def _build_image(pixels: Pixels) -> Image.Image:
    return Image.fromarray(np.clip(pixels, 0, 255).astype("uint8"), "RGB")


def _get_data_url(picture: Image.Image, kind: str) -> str:
    target = io.BytesIO()
    picture.save(target, kind, quality=82, method=0)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(target.getvalue()).decode()}"
