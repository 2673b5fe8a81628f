"""Draw a subset of SVG: shapes, groups, transforms, gradients and strokes. A line of text
becomes a bar of its height and length.

Scripts, style sheets, external references and fonts are never read. Unsupported elements are
skipped, and a document type is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
from PIL import Image, ImageDraw

from apps.documents.drawings.shapes import (
    REFERENCE,
    Attributes,
    Gradient,
    Matrix,
    Outline,
    Pixels,
    build_outlines,
    compute_shades,
    get_number,
    parse_colour,
    parse_gradient,
)

MAX_BYTES = 512 * 1024
MAX_ELEMENTS = 4_000
MAX_DEPTH = 40
TRANSFORM = re.compile(r"(\w+)\s*\(([^)]*)\)")
INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "opacity",
    "text-anchor",
    "font-size",
    "stroke-linecap",
    "fill-rule",
)
# The share of a text bar's area that letters would cover.
INK = 0.5
TextDrawer = Callable[["Sheet", str, Attributes, Matrix], None]


class DrawingRefused(ValueError):
    """The file is not an SVG drawing, or it exceeds the limits."""


def rasterise_drawing(content: bytes, *, size: int, text: TextDrawer | None = None) -> Image.Image:
    """Return the drawing as an RGB image on white, with `size` pixels on its longer side.
    `text` replaces `draw_text_bars` for drawing lines of text.

    Raises:
        DrawingRefused: it is not an SVG, declares a document type, or has more than 4,000 elements.
    """
    if len(content) > MAX_BYTES or b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise DrawingRefused("document")
    try:
        root = ElementTree.fromstring(content)  # noqa: S314
        if _get_local_name(root) != "svg" or sum(1 for _ in root.iter()) > MAX_ELEMENTS:
            raise DrawingRefused("document")
        sheet, matrix = _create_sheet(root, size, text)
        sheet.draw(root, matrix, {"fill": "black"}, 0)
        return Image.fromarray(np.clip(sheet.pixels, 0, 255).astype(np.uint8))
    except (
        ElementTree.ParseError,
        ValueError,
        KeyError,
        IndexError,
        OverflowError,
        np.linalg.LinAlgError,
    ) as error:
        raise DrawingRefused(str(error)[:100]) from error


def _get_local_name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _create_sheet(
    root: ElementTree.Element, size: int, text: TextDrawer | None
) -> tuple[Sheet, Matrix]:
    """Return a white canvas whose longer side is `size` pixels, and the matrix from the drawing to
    it.
    """
    view_box = [
        float(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip()) if part
    ]
    x, y, width, height = (
        view_box
        if len(view_box) == 4
        else (0.0, 0.0, _read_length(root, "width"), _read_length(root, "height"))
    )
    if not (0 < width < 1e5 and 0 < height < 1e5):
        raise ValueError("viewBox")
    scale = size / max(width, height)
    matrix = np.array([[scale, 0, -x * scale], [0, scale, -y * scale], [0, 0, 1]])
    return Sheet(
        max(1, round(width * scale)), max(1, round(height * scale)), _collect_gradients(root), text
    ), matrix


def _read_length(root: ElementTree.Element, name: str) -> float:
    return float(re.sub(r"[a-z%]+$", "", root.get(name, "100")))


def _collect_gradients(root: ElementTree.Element) -> dict[str, Gradient]:
    """Return the gradients of the drawing by their id."""
    gradients: dict[str, Gradient] = {}
    for element in root.iter():
        name = _get_local_name(element)
        if name in ("linearGradient", "radialGradient") and (key := element.get("id")):
            gradients[key] = parse_gradient(
                name,
                dict(element.attrib),
                [dict(stop.attrib) for stop in element if _get_local_name(stop) == "stop"],
            )
    return gradients


class Sheet:
    """A white canvas. Shapes are drawn on it one after the other."""

    def __init__(
        self, width: int, height: int, gradients: dict[str, Gradient], text: TextDrawer | None
    ) -> None:
        self.width, self.height = width, height
        self.pixels: Pixels = np.full((height, width, 3), 255.0, dtype=np.float32)
        self.gradients = gradients
        self._text = text or draw_text_bars

    def draw(
        self, element: ElementTree.Element, matrix: Matrix, inherited: Attributes, depth: int
    ) -> None:
        """Draw an SVG element and its children. `inherited` are the attributes of the parents."""
        name = _get_local_name(element)
        if name in ("defs", "style", "script", "title", "desc") or depth > MAX_DEPTH:
            return
        attributes = {**inherited, **element.attrib}
        if "opacity" in element.attrib and "opacity" in inherited:
            attributes["opacity"] = str(
                get_number(inherited, "opacity", 1) * get_number(attributes, "opacity", 1)
            )
        matrix = matrix @ _parse_transform(element.get("transform", ""))
        if name == "text":
            self._text(self, "".join(element.itertext()), attributes, matrix)
        else:
            self._draw_shape(name, attributes, matrix)
        down = {key: attributes[key] for key in INHERITED if key in attributes}
        for child in element:
            self.draw(child, matrix, down, depth + 1)

    def _draw_shape(self, name: str, attributes: Attributes, matrix: Matrix) -> None:
        """Draw an SVG shape with its fill and its stroke. `matrix` maps its points to pixels."""
        outlines, closed = build_outlines(name, attributes)
        outlines = [outline for outline in outlines if outline]
        if not outlines:
            return
        placed_outlines = [transform_outline(matrix, outline) for outline in outlines]
        alpha = get_number(attributes, "opacity", 1)
        fill = attributes.get("fill", "black")
        if fill != "none":
            flat = np.array([point for outline in outlines for point in outline])
            corner, span = flat.min(axis=0), np.ptp(flat, axis=0)
            frame = (float(corner[0]), float(corner[1]), float(span[0]), float(span[1]))
            self.fill(
                placed_outlines,
                fill,
                frame,
                matrix,
                alpha * get_number(attributes, "fill-opacity", 1),
                attributes.get("fill-rule") == "evenodd",
            )
        stroke = attributes.get("stroke", "none")
        if stroke != "none":
            self._draw_stroke(
                placed_outlines,
                closed,
                stroke,
                attributes,
                matrix,
                alpha * get_number(attributes, "stroke-opacity", 1),
            )

    def fill(
        self,
        outlines: list[Outline],
        fill: str,
        frame: tuple[float, float, float, float],
        matrix: Matrix,
        opacity: float,
        is_even_odd: bool = False,
    ) -> None:
        """Fill outlines given in pixels. An outline that runs in the opposite direction is a
        hole; with even-odd, every further outline is one.
        """

        def draw_polygons(draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
            first_area = _compute_signed_area(outlines[0])
            for index, outline in enumerate(outlines):
                if len(outline) > 2:
                    is_hole = index > 0 and (
                        is_even_odd or _compute_signed_area(outline) * first_area < 0
                    )
                    draw.polygon(
                        [(x - left, y - top) for x, y in outline], fill=0 if is_hole else 255
                    )

        self._draw_with_coverage(
            [point for outline in outlines for point in outline],
            0,
            draw_polygons,
            fill,
            frame,
            matrix,
            opacity,
        )

    def _draw_stroke(
        self,
        outlines: list[Outline],
        closed: list[bool],
        stroke: str,
        attributes: Attributes,
        matrix: Matrix,
        opacity: float,
    ) -> None:
        """Draw the outlines, given in pixels, as lines. Dashes are drawn as a paler solid line."""
        width = get_number(attributes, "stroke-width", 1) * math.sqrt(
            abs(float(np.linalg.det(matrix[:2, :2])))
        )
        if dashes := [
            float(part)
            for part in re.split(r"[\s,]+", attributes.get("stroke-dasharray", "").strip())
            if part not in ("", "none")
        ]:
            opacity *= sum(dashes[::2]) / (sum(dashes) or 1) if len(dashes) > 1 else 0.5
        line_width, opacity = max(1, round(width)), opacity * min(1.0, width)

        def draw_lines(draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
            for outline, is_closed in zip(outlines, closed, strict=False):
                points = [
                    (x - left, y - top)
                    for x, y in ([*outline, outline[0]] if is_closed else outline)
                ]
                draw.line(points, fill=255, width=line_width, joint="curve")
                if line_width > 2 and not is_closed and attributes.get("stroke-linecap") == "round":
                    for x, y in (points[0], points[-1]):
                        draw.ellipse(
                            (
                                x - line_width / 2,
                                y - line_width / 2,
                                x + line_width / 2,
                                y + line_width / 2,
                            ),
                            fill=255,
                        )

        self._draw_with_coverage(
            [point for outline in outlines for point in outline],
            line_width,
            draw_lines,
            stroke,
            (0, 0, 1, 1),
            matrix,
            opacity,
        )

    def _draw_with_coverage(
        self,
        points: Outline,
        margin: int,
        draw_mask: Callable[[ImageDraw.ImageDraw, int, int], None],
        paint: str,
        frame: tuple[float, float, float, float],
        matrix: Matrix,
        alpha: float,
    ) -> None:
        """Draw a mask of the points' box with `draw_mask(draw, left, top)` and blend the paint
        through it. Nothing is drawn outside of the canvas.
        """
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if not all(math.isfinite(value) and abs(value) < 1e6 for value in (*xs, *ys)):
            raise ValueError("outside")
        left, right = (
            max(0, math.floor(min(xs)) - margin),
            min(self.width, math.ceil(max(xs)) + margin + 1),
        )
        top, bottom = (
            max(0, math.floor(min(ys)) - margin),
            min(self.height, math.ceil(max(ys)) + margin + 1),
        )
        if left >= right or top >= bottom or alpha <= 0:
            return
        mask = Image.new("L", (right - left, bottom - top))
        draw_mask(ImageDraw.Draw(mask), left, top)
        self._blend_paint(
            np.asarray(mask, dtype=np.float32)[..., None] * (alpha / 255),
            paint,
            frame,
            matrix,
            (left, top, right, bottom),
        )

    def _blend_paint(
        self,
        coverage: Pixels,
        paint: str,
        frame: tuple[float, float, float, float],
        matrix: Matrix,
        box: tuple[int, int, int, int],
    ) -> None:
        """Blend a colour or gradient into the pixels of the box. `coverage` is the share of each
        pixel, `frame` the bounding box (x, y, width, height) to which a gradient is relative.
        """
        left, top, right, bottom = box
        area = self.pixels[top:bottom, left:right]
        gradient = self.gradients.get(match[1]) if (match := REFERENCE.match(paint)) else None
        if gradient is None:
            area += coverage * (np.array(parse_colour(paint), dtype=np.float32) - area)
            return
        shades = compute_shades(gradient, frame, np.linalg.inv(matrix), box)
        area += coverage * (shades[..., 3:] / 255) * (shades[..., :3] - area)


def _parse_transform(text: str) -> Matrix:
    """Return the 3×3 matrix of an SVG `transform` attribute."""
    matrix: Matrix = np.eye(3)
    for name, arguments in TRANSFORM.findall(text):
        transform: Matrix = _build_transform_matrix(
            name, [float(part) for part in re.split(r"[\s,]+", arguments.strip()) if part]
        )
        matrix = matrix @ transform
    return matrix


def _build_transform_matrix(name: str, values: list[float]) -> Matrix:
    """Return the 3×3 matrix of an SVG transformation. Unknown names give the identity."""
    if name == "translate":
        return np.array([[1, 0, values[0]], [0, 1, values[1] if len(values) > 1 else 0], [0, 0, 1]])
    if name == "scale":
        return np.diag([values[0], values[-1], 1.0])
    if name == "matrix":
        return np.array(
            [[values[0], values[2], values[4]], [values[1], values[3], values[5]], [0, 0, 1]]
        )
    if name == "rotate":
        cos, sin = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
        rotation = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        if len(values) < 3:
            return rotation
        rotation_about_point: Matrix = (
            _build_transform_matrix("translate", values[1:])
            @ rotation
            @ _build_transform_matrix("translate", [-values[1], -values[2]])
        )
        return rotation_about_point
    return np.eye(3)


def transform_outline(matrix: Matrix, outline: Outline) -> Outline:
    """Return the outline's points in pixels."""
    (a, c, e), (b, d, f) = matrix[0].tolist(), matrix[1].tolist()
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in outline]


def _compute_signed_area(outline: Outline) -> float:
    """Return twice the area; the sign is the direction in which the outline runs."""
    return sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, [*outline[1:], outline[0]], strict=True)
    )


def draw_text_bars(sheet: Sheet, text: str, attributes: Attributes, matrix: Matrix) -> None:
    """Draw a bar of the text's length and height in place of the text. A Chinese character is as
    wide as it is high.
    """
    font_size = get_number(attributes, "font-size", 16)
    width = sum(font_size if ord(letter) > 0x2E80 else font_size * 0.55 for letter in text)
    x, y = get_number(attributes, "x"), get_number(attributes, "y")
    x -= {"middle": width / 2, "end": width}.get(attributes.get("text-anchor", ""), 0)
    outline = transform_outline(
        matrix, [(x, y - font_size * 0.8), (x + width, y - font_size * 0.8), (x + width, y), (x, y)]
    )
    opacity = INK * get_number(attributes, "opacity", 1)
    sheet.fill(
        [outline],
        attributes.get("fill", "black"),
        (x, y, width or 1, font_size or 1),
        matrix,
        opacity,
    )


__all__: list[Any] = [
    "DrawingRefused",
    "Sheet",
    "TextDrawer",
    "draw_text_bars",
    "rasterise_drawing",
    "transform_outline",
]
