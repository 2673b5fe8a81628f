"""The built-in embedder. It needs no model and no download: it separates the subject from the
background, rotates and crops it, and measures its features: outline, colours by position, edges
and brightness.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from apps.search.images.foreground import CHROMA, Pixels, Subject, find_subject

SIDE = 64
CELLS = 8
BINS = 8
# Margin around the subject in its square.
ROOM = 1.06
WEIGHTS = {"outline": 0.1, "colour": 0.2, "edges": 0.8, "luma": 0.2}
SIZES = {"outline": 256, "colour": 192, "edges": CELLS * CELLS * BINS, "luma": 256}
# The first bin of each pixel's cell.
CELL_OF = (
    np.arange(SIDE)[:, None] // (SIDE // CELLS) * CELLS + np.arange(SIDE) // (SIDE // CELLS)
) * BINS
DIMENSIONS = sum(SIZES.values())


def cut_subject(
    subject: Subject, *, turn: float = 0.0, grow: tuple[float, float, float, float] = (0, 0, 0, 0)
) -> tuple[Pixels, Pixels]:
    """Return the pixels of the subject in a square of SIDE, rotated by `turn` degrees, and the
    share of each pixel that it covers (0 to 1). `grow` moves the sides of its box outwards,
    as shares of the box.
    """
    picture, background_colour = _pack_channels(subject)
    left, top, right, bottom = subject.box
    if turn:
        picture = picture.rotate(
            turn, Image.Resampling.BILINEAR, expand=True, fillcolor=background_colour
        )
        is_subject = np.asarray(picture.getchannel(3)) > 100
        rows, columns = (
            np.flatnonzero(is_subject.any(axis=1)),
            np.flatnonzero(is_subject.any(axis=0)),
        )
        if not len(rows):
            return cut_subject(subject, grow=grow)
        left, top, right, bottom = (
            int(columns[0]),
            int(rows[0]),
            int(columns[-1]) + 1,
            int(rows[-1]) + 1,
        )
    width, height = right - left, bottom - top
    west, east = left - grow[0] * width, right + grow[2] * width
    north, south = top - grow[1] * height, bottom + grow[3] * height
    half_side = max(east - west, south - north) * ROOM / 2
    centre_x, centre_y = (west + east) / 2, (north + south) / 2
    pixels_and_share = np.asarray(
        _cut_square(
            picture,
            (
                centre_x - half_side,
                centre_y - half_side,
                centre_x + half_side,
                centre_y + half_side,
            ),
            background_colour,
        ),
        dtype=np.float32,
    )
    pixels = pixels_and_share[..., :3].copy()
    pixels[..., 1:] = (pixels[..., 1:] - 128) * CHROMA
    return pixels, pixels_and_share[..., 3] / 255


def _pack_channels(subject: Subject) -> tuple[Image.Image, tuple[int, ...]]:
    """Return pixels and shares as one four-channel picture, and its background. The mode has no
    alpha channel, so that resampling does not treat any channel as transparency.
    """
    bands = np.dstack(
        [subject.pixels[..., 0], subject.pixels[..., 1:] / CHROMA + 128, subject.share * 255]
    )
    ground = [subject.ground[0], *(subject.ground[1:] / CHROMA + 128), 0]
    return Image.fromarray(np.clip(np.rint(bands), 0, 255).astype(np.uint8), "CMYK"), tuple(
        round(float(value)) for value in ground
    )


def _cut_square(
    image: Image.Image, box: tuple[float, float, float, float], fill: tuple[int, ...]
) -> Image.Image:
    """Return the contents of the box as a square of SIDE. Use `fill` outside of the picture."""
    left, top, right, bottom = box
    padding = int(max(0, -left, -top, right - image.width, bottom - image.height)) + 1
    padded_image = Image.new("CMYK", (image.width + 2 * padding, image.height + 2 * padding), fill)
    padded_image.paste(image, (padding, padding))
    return padded_image.resize(
        (SIDE, SIDE),
        Image.Resampling.BOX,
        box=(left + padding, top + padding, right + padding, bottom + padding),
    )


def describe_square(pixels: Pixels, share: Pixels) -> Pixels:
    """Return the feature vector of a square: DIMENSIONS numbers, normalised to length 1. `share`
    says for each pixel how much of it belongs to the subject, from 0 to 1.
    """
    luma = pixels[..., 0]
    inside = share > 0.5
    low, high = np.percentile(luma[inside], (4, 96)) if inside.sum() > 20 else (0.0, 255.0)
    level = np.clip((luma - low) / max(high - low, 40), -0.3, 1.3)
    parts = {
        "outline": _average_cells(share, 16) - 0.5 * _average_cells(share, 16).mean(),
        "colour": _compute_colour_features(pixels, share),
        "edges": _compute_edge_histogram(level, share),
        "luma": _average_cells((level - (level * share).sum() / max(share.sum(), 1)) * share, 16),
    }
    total = sum(WEIGHTS.values())
    vector: Pixels = np.concatenate(
        [
            _scale_to_unit_length(parts[name].ravel()) * np.sqrt(weight / total)
            for name, weight in WEIGHTS.items()
        ]
    )
    return vector


def _scale_to_unit_length(vector: Pixels) -> Pixels:
    length = float(np.linalg.norm(vector))
    unit: Pixels = vector / length if length > 1e-6 else vector
    return unit


def _average_cells(layer: Pixels, cells: int) -> Pixels:
    step = SIDE // cells
    pooled: Pixels = layer.reshape(cells, step, cells, step).mean(axis=(1, 3))
    return pooled


def _compute_colour_features(pixels: Pixels, share: Pixels) -> Pixels:
    """Return three values per cell of the square: darkness, blue and red, 0 where the subject is
    not.
    """
    coverage = _average_cells(share, CELLS)
    darkness = _average_cells(share * (235 - pixels[..., 0]) * 0.6, CELLS)
    blue, red = (_average_cells(share * pixels[..., n], CELLS) for n in (1, 2))
    return np.stack([darkness, blue * 1.6, red * 1.6]) * (coverage > 0.02)


def _compute_edge_histogram(level: Pixels, share: Pixels) -> Pixels:
    """Return a histogram of edge directions (without sign) for each cell: of the brightness
    inside, and of the outline.
    """
    cells = np.zeros(CELLS * CELLS * BINS)
    for layer, weight in ((level * share + (1 - share) * 0.5, 1.0), (share, 0.7)):
        dy, dx = np.gradient(layer)
        strength = np.hypot(dx, dy) * weight
        angle = (np.arctan2(dy, dx) % np.pi) / np.pi * BINS
        lower = np.floor(angle).astype(np.intp) % BINS
        part = angle - np.floor(angle)
        for which, amount in ((lower, 1 - part), ((lower + 1) % BINS, part)):
            cells += np.bincount(
                (CELL_OF + which).ravel(), weights=(strength * amount).ravel(), minlength=len(cells)
            )
    root: Pixels = np.sqrt(cells)
    return root


# Rotations of the query picture, in degrees: photos are rarely straight, and sometimes on their
# side.
TURNS = (0, -5, 5, -10, 10, -15, 15, -20, 20, -25, 25, 90, -90)
# Shares of the subject that may be missing where it reaches the edge of the picture.
MISSING = (0.08, 0.16)


class Descriptor:
    """Describes the subject of a picture by outline, colours by position, edges and brightness."""

    # Increase the number when the same picture gives other vectors: the background job then
    # rebuilds the index.
    name = "builtin:1"
    dimensions = DIMENSIONS
    least_score = 0.55

    def describe(self, image: Image.Image) -> Pixels | None:
        """Return the vector of the unrotated picture, or None if it has no subject."""
        subject = find_subject(image)
        return None if subject is None else describe_square(*cut_subject(subject))

    def compute_query_vectors(self, image: Image.Image) -> Pixels | None:
        """Return the vectors of the subject as rows: one for each rotation, and some that extend it
        beyond the edges that cut it off. Return None if the picture has no subject.
        """
        subject = find_subject(image)
        if subject is None:
            return None
        squares = [cut_subject(subject, turn=turn) for turn in TURNS]
        if any(subject.cut):
            left, top, right, bottom = subject.cut
            squares += [
                cut_subject(
                    subject, grow=(share * left, share * top, share * right, share * bottom)
                )
                for share in MISSING
            ]
        return np.stack([describe_square(*square) for square in squares])
