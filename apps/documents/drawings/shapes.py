"""SVG shapes: their outlines as points, and their fill colours and gradients.

Paths, rectangles and ellipses become outlines; curves are split into straight segments. A gradient
is relative to the bounding box of its shape.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Point = tuple[float, float]
Outline = list[Point]
Attributes = dict[str, str]
TOKENS = re.compile(r"([A-Za-z])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
PIECES = 8
MAX_POINTS = 20_000


def get_number(attributes: Attributes, name: str, default: float = 0.0) -> float:
    """Return an attribute as a number. Raises ValueError unless it is finite."""
    value = float(attributes.get(name, default))
    if not math.isfinite(value):
        raise ValueError(name)
    return value


def build_outlines(tag: str, attributes: Attributes) -> tuple[list[Outline], list[bool]]:
    """Return the outlines of a shape, and for each outline whether it is closed. Return empty
    lists for other elements.
    """
    if tag == "path":
        return _build_path_outlines(attributes.get("d", ""))
    if tag == "rect":
        return [_build_rectangle_outline(attributes)], [True]
    if tag == "circle":
        radius = get_number(attributes, "r")
        return [
            _build_ellipse_outline(
                get_number(attributes, "cx"), get_number(attributes, "cy"), radius, radius
            )
        ], [True]
    if tag == "ellipse":
        return [
            _build_ellipse_outline(
                *(get_number(attributes, name) for name in ("cx", "cy", "rx", "ry"))
            )
        ], [True]
    return [], []


def _build_ellipse_outline(cx: float, cy: float, rx: float, ry: float) -> Outline:
    """Return an ellipse as 40 points. (cx, cy) is the centre, rx and ry are the radii."""
    steps = 40
    return [
        (cx + rx * math.cos(math.tau * n / steps), cy + ry * math.sin(math.tau * n / steps))
        for n in range(steps)
    ]


def _build_rectangle_outline(attributes: Attributes) -> Outline:
    """Return the points of an SVG rectangle. Rounded corners become five points each."""
    x, y, width, height = (get_number(attributes, name) for name in ("x", "y", "width", "height"))
    radius = min(get_number(attributes, "rx"), abs(width) / 2, abs(height) / 2)
    if radius <= 0:
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    points: Outline = []
    for cx, cy, start in (
        (x + width - radius, y + radius, -90),
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
        (x + radius, y + radius, 180),
    ):
        for step in range(5):
            angle = math.radians(start + step * 22.5)
            points.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
    return points


class _Pen:
    """The pen of a path: `move` begins an outline, the other methods extend it."""

    def __init__(self) -> None:
        self.outlines: list[Outline] = []
        self.closed: list[bool] = []
        self.at: Point = (0.0, 0.0)
        self.control: Point | None = None

    def move(self, to: Point) -> None:
        self.outlines.append([to])
        self.closed.append(False)
        self.at = to

    def draw_line(self, end: Point) -> None:
        """Add a straight line to the point. Raises ValueError above MAX_POINTS."""
        if not self.outlines or self.closed[-1]:
            self.move(self.at)
        self.outlines[-1].append(end)
        self.at = end
        if sum(map(len, self.outlines)) > MAX_POINTS:
            raise ValueError("too many points")

    def close(self) -> None:
        if self.outlines:
            self.closed[-1] = True
            self.at = self.outlines[-1][0]

    def draw_curve(self, c1: Point, c2: Point, end: Point) -> None:
        """Add a cubic Bézier curve as PIECES straight lines. c1 and c2 are its control points."""
        start = self.at
        for number in range(1, PIECES + 1):
            t = number / PIECES
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            self.draw_line(
                (
                    a * start[0] + b * c1[0] + c * c2[0] + d * end[0],
                    a * start[1] + b * c1[1] + c * c2[1] + d * end[1],
                )
            )

    def draw_quadratic(self, control: Point, to: Point) -> None:
        """Add a quadratic Bézier curve, as the cubic one of the same shape."""
        start = self.at
        c1 = (
            start[0] + 2 / 3 * (control[0] - start[0]),
            start[1] + 2 / 3 * (control[1] - start[1]),
        )
        c2 = (to[0] + 2 / 3 * (control[0] - to[0]), to[1] + 2 / 3 * (control[1] - to[1]))
        self.draw_curve(c1, c2, to)

    def draw_arc(self, values: list[float], to: Point) -> None:
        for point in _iterate_arc_points(self.at, to, *values[:5]):
            self.draw_line(point)

    def mirror_control(self) -> Point:
        """Return the first control point of a smooth curve: the last control point, mirrored."""
        return (
            self.at
            if self.control is None
            else (2 * self.at[0] - self.control[0], 2 * self.at[1] - self.control[1])
        )


def _iterate_arc_points(
    start: Point, to: Point, rx: float, ry: float, turn: float, large: float, sweep: float
) -> Iterator[Point]:
    """Yield the points of an elliptic arc (SVG 1.1, F.6.5). Radii that are too small are scaled
    up.
    """
    phi = math.radians(turn)
    cos, sin = math.cos(phi), math.sin(phi)
    dx, dy = (start[0] - to[0]) / 2, (start[1] - to[1]) / 2
    x, y = cos * dx + sin * dy, -sin * dx + cos * dy
    rx, ry = abs(rx), abs(ry)
    if not rx or not ry or start == to:
        yield to
        return
    grow = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    under = max(0.0, (rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2) / (
        (rx * y) ** 2 + (ry * x) ** 2
    )
    factor = math.sqrt(under) * (-1 if bool(large) == bool(sweep) else 1)
    cx, cy = factor * rx * y / ry, -factor * ry * x / rx
    begin = math.atan2((y - cy) / ry, (x - cx) / rx)
    span = math.atan2((-y - cy) / ry, (-x - cx) / rx) - begin
    span += math.tau * ((span < 0) - (span > 0)) * ((span > 0) != bool(sweep))
    mx, my = (start[0] + to[0]) / 2, (start[1] + to[1]) / 2
    for n in range(1, 13):
        angle = begin + span * n / 12
        ex, ey = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
        yield (cos * ex - sin * ey + mx, sin * ex + cos * ey + my)


def _build_path_outlines(text: str) -> tuple[list[Outline], list[bool]]:
    """Return the outlines of an SVG path, and for each whether it is closed."""
    pen = _Pen()
    for command, values in _parse_commands(text):
        letter = command.upper()
        points = _compute_absolute_points(pen.at, letter, values, relative=command.islower())
        control: Point | None = None
        if letter == "M":
            pen.move(points[0])
        elif letter in "LHV":
            pen.draw_line(points[0])
        elif letter == "Z":
            pen.close()
        elif letter == "A":
            pen.draw_arc(values, points[-1])
        else:
            control = _CURVES[letter](pen, points)
        pen.control = control
    return pen.outlines, pen.closed


def _compute_absolute_points(
    current_point: Point, letter: str, values: list[float], *, relative: bool
) -> list[Point]:
    """Return the absolute points of a path command. Relative ones are added to the current
    point.
    """
    x, y = current_point if relative else (0.0, 0.0)
    if letter == "H":
        return [(x + values[0], current_point[1])]
    if letter == "V":
        return [(current_point[0], y + values[0])]
    pairs = values[5:] if letter == "A" else values
    return [(x + pairs[n], y + pairs[n + 1]) for n in range(0, len(pairs), 2)]


def _draw_cubic(pen: _Pen, points: list[Point]) -> Point:
    pen.draw_curve(*points)
    return points[1]


def _draw_smooth_cubic(pen: _Pen, points: list[Point]) -> Point:
    pen.draw_curve(pen.mirror_control(), points[0], points[1])
    return points[0]


def _draw_quadratic(pen: _Pen, points: list[Point]) -> Point:
    pen.draw_quadratic(points[0], points[1])
    return points[0]


def _draw_smooth_quadratic(pen: _Pen, points: list[Point]) -> Point:
    control = pen.mirror_control()
    pen.draw_quadratic(control, points[0])
    return control


_CURVES: dict[str, Callable[[_Pen, list[Point]], Point]] = {
    "C": _draw_cubic,
    "S": _draw_smooth_cubic,
    "Q": _draw_quadratic,
    "T": _draw_smooth_quadratic,
}


def _parse_commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command with its numbers. Additional numbers repeat the command; after a move
    they are lines.
    """
    command, values = "", list[float]()
    for letter, digits in TOKENS.findall(text):
        if letter:
            command, values = letter, []
            if letter in "Zz":
                yield letter, []
            continue
        values.append(float(digits))
        if command.upper() not in TAKES or not TAKES[command.upper()]:
            raise ValueError("path")
        if len(values) == TAKES[command.upper()]:
            yield command, values
            values = []
            command = {"M": "L", "m": "l"}.get(command, command)


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


def parse_colour(text: str) -> tuple[int, int, int]:
    """Return red, green and blue from 0 to 255. An unknown colour is black, as in a browser."""
    match = HEX.fullmatch(NAMES.get(text, text).strip())
    if not match:
        return 0, 0, 0
    digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@dataclass(frozen=True, slots=True)
class Gradient:
    """A linear or radial gradient. `place` is its position in the unit square of the shape's
    bounding box, `shades` has rows of r, g, b, alpha.
    """

    kind: str
    place: tuple[float, ...]
    shades: Pixels


def parse_gradient(tag: str, attributes: Attributes, stops: list[Attributes]) -> Gradient:
    """Return the gradient. Raises ValueError if it has no stops."""
    if not stops:
        raise ValueError("gradient")
    offsets = [get_number(stop, "offset") for stop in stops]
    rows = [
        [*parse_colour(stop.get("stop-color", "black")), 255 * get_number(stop, "stop-opacity", 1)]
        for stop in stops
    ]
    columns = np.array(rows, dtype=np.float32).T
    at = np.linspace(0, 1, SHADES)
    shades = np.stack([np.interp(at, offsets, column) for column in columns], axis=1)
    if tag == "linearGradient":
        return Gradient(
            "linear",
            tuple(
                get_number(attributes, name, default)
                for name, default in (("x1", 0), ("y1", 0), ("x2", 1), ("y2", 0))
            ),
            shades,
        )
    return Gradient(
        "radial", tuple(get_number(attributes, name, 0.5) for name in ("cx", "cy", "r")), shades
    )


def compute_shades(
    gradient: Gradient, frame: tuple[float, float, float, float], inverse: Matrix, box: Box
) -> Pixels:
    """Return r, g, b, alpha of each pixel in `box`.

    `frame` is the shape's bounding box (x, y, width, height); `inverse` maps pixels to its
    coordinates.
    """
    left, top, right, bottom = box
    x, y, width, height = frame
    columns = np.arange(left, right, dtype=np.float32) + 0.5
    rows = np.arange(top, bottom, dtype=np.float32)[:, None] + 0.5
    frame_x = (inverse[0, 0] * columns + inverse[0, 1] * rows + inverse[0, 2] - x) / (width or 1)
    frame_y = (inverse[1, 0] * columns + inverse[1, 1] * rows + inverse[1, 2] - y) / (height or 1)
    position = _PLACES[gradient.kind](gradient.place, frame_x, frame_y)
    shades: Pixels = gradient.shades[
        np.clip(position * (SHADES - 1), 0, SHADES - 1).astype(np.intp)
    ]
    return shades


def _compute_linear_position(place: tuple[float, ...], u: Pixels, v: Pixels) -> Pixels:
    """Return the position of each point along the line (x1, y1, x2, y2): 0 at its start, 1 at its
    end.
    """
    x1, y1, x2, y2 = place
    dx, dy = x2 - x1, y2 - y1
    along: Pixels = ((u - x1) * dx + (v - y1) * dy) / ((dx * dx + dy * dy) or 1)
    return along


def _compute_radial_position(place: tuple[float, ...], u: Pixels, v: Pixels) -> Pixels:
    """Return the distance of each point from the centre (cx, cy), in radii."""
    cx, cy, r = place
    around: Pixels = np.hypot(u - cx, v - cy) / (r or 1)
    return around


_PLACES: dict[str, Callable[[tuple[float, ...], Pixels, Pixels], Pixels]] = {
    "linear": _compute_linear_position,
    "radial": _compute_radial_position,
}
