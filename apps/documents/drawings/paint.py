"""Fill colours and gradients. A gradient is relative to the bounding box of its shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.documents.drawings.outlines import Attributes, number

Pixels = np.ndarray[Any, Any]
Matrix = np.ndarray[Any, Any]
# left, top, right, bottom in pixels
Box = tuple[int, int, int, int]
HEX = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "gray": "#808080",
}
SHADES = 64


def colour_of(text: str) -> tuple[int, int, int]:
    """Return red, green and blue from 0 to 255. An unknown colour is black, as in a browser."""
    found = HEX.fullmatch(NAMES.get(text, text).strip())
    if not found:
        return 0, 0, 0
    digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@dataclass(frozen=True, slots=True)
class Gradient:
    """A linear or radial gradient. `place` is its position in the unit square of the shape's
    bounding box, `shades` has rows of r, g, b, alpha.
    """

    kind: str
    place: tuple[float, ...]
    shades: Pixels


def gradient_of(tag: str, attributes: Attributes, stops: list[Attributes]) -> Gradient:
    """Return the gradient. Raises ValueError if it has no stops."""
    if not stops:
        raise ValueError("gradient")
    offsets = [number(stop, "offset") for stop in stops]
    rows = [
        [*colour_of(stop.get("stop-color", "black")), 255 * number(stop, "stop-opacity", 1)]
        for stop in stops
    ]
    columns = np.array(rows, dtype=np.float32).T
    at = np.linspace(0, 1, SHADES)
    shades = np.stack([np.interp(at, offsets, column) for column in columns], axis=1)
    if tag == "linearGradient":
        return Gradient(
            "linear",
            tuple(
                number(attributes, name, default)
                for name, default in (("x1", 0), ("y1", 0), ("x2", 1), ("y2", 0))
            ),
            shades,
        )
    return Gradient(
        "radial", tuple(number(attributes, name, 0.5) for name in ("cx", "cy", "r")), shades
    )


def shades_over(
    gradient: Gradient, frame: tuple[float, float, float, float], inverse: Matrix, box: Box
) -> Pixels:
    """Return r, g, b, alpha of each pixel in `box`.

    `frame` is the shape's bounding box (x, y, width, height); `inverse` maps pixels to its
    coordinates.
    """
    left, top, right, bottom = box
    x, y, w, h = frame
    columns = np.arange(left, right, dtype=np.float32) + 0.5
    rows = np.arange(top, bottom, dtype=np.float32)[:, None] + 0.5
    u = (inverse[0, 0] * columns + inverse[0, 1] * rows + inverse[0, 2] - x) / (w or 1)
    v = (inverse[1, 0] * columns + inverse[1, 1] * rows + inverse[1, 2] - y) / (h or 1)
    t = _PLACES[gradient.kind](gradient.place, u, v)
    shades: Pixels = gradient.shades[np.clip(t * (SHADES - 1), 0, SHADES - 1).astype(np.intp)]
    return shades


def _along(place: tuple[float, ...], u: Pixels, v: Pixels) -> Pixels:
    x1, y1, x2, y2 = place
    dx, dy = x2 - x1, y2 - y1
    along: Pixels = ((u - x1) * dx + (v - y1) * dy) / ((dx * dx + dy * dy) or 1)
    return along


def _around(place: tuple[float, ...], u: Pixels, v: Pixels) -> Pixels:
    cx, cy, r = place
    around: Pixels = np.hypot(u - cx, v - cy) / (r or 1)
    return around


_PLACES: dict[str, Callable[[tuple[float, ...], Pixels, Pixels], Pixels]] = {
    "linear": _along,
    "radial": _around,
}
