"""Separates the subject of a picture from its background: the bounding box of the
subject, and the share of each pixel that belongs to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

Pixels = np.ndarray[Any, Any]
SIDE = 160
# The background is fitted to this share of the picture at each edge.
EDGE = 0.05
FIT_ROUNDS = 4
MIN_CONTRAST = 7.0
# Parts smaller than this share of the largest part are captions, watermarks or specks.
PART = 0.12
CHROMA = 1.5


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a picture.

    `pixels` are luma (0 to 255) and the blue and red differences (about -190 to 190). `share` is
    each pixel's share of the subject (0 to 1). `ground` is the background colour. `box` is left,
    top, right, bottom in pixels. `cut` says for each of these sides whether the subject reaches the
    edge of the picture.
    """

    pixels: Pixels
    share: Pixels
    ground: Pixels
    box: tuple[int, int, int, int]
    cut: tuple[bool, bool, bool, bool]


def find_subject(image: Image.Image) -> Subject | None:
    """Return the subject of an RGB picture, or None if nothing differs from the background."""
    small = image.copy()
    small.thumbnail(
        (SIDE, SIDE),
        Image.Resampling.BOX if max(image.size) > 4 * SIDE else Image.Resampling.LANCZOS,
    )
    pixels = to_opponent_colours(small.filter(ImageFilter.GaussianBlur(0.7)))
    background, noise = _fit_background(pixels)
    distance = np.sqrt(((pixels - background) ** 2).sum(axis=2))
    min_distance = max(MIN_CONTRAST, 4.5 * noise)
    is_subject = _without_holes(distance > min_distance)
    is_subject = _main_parts(is_subject)
    if is_subject.sum() < 0.004 * is_subject.size:
        return None
    rows, columns = np.flatnonzero(is_subject.any(axis=1)), np.flatnonzero(is_subject.any(axis=0))
    left, top, right, bottom = (
        int(columns[0]),
        int(rows[0]),
        int(columns[-1]) + 1,
        int(rows[-1]) + 1,
    )
    cut_sides = tuple(
        bool(line.mean() > 0.06)
        for line in (is_subject[:, 0], is_subject[0], is_subject[:, -1], is_subject[-1])
    )
    coverage = (
        np.asarray(
            Image.fromarray((is_subject * 255).astype(np.uint8)).filter(ImageFilter.BoxBlur(1)),
            dtype=np.float32,
        )
        / 255
    )
    return Subject(
        pixels,
        coverage,
        np.median(background.reshape(-1, 3), axis=0),
        (left, top, right, bottom),
        cut_sides,  # type: ignore[arg-type]
    )


def to_opponent_colours(image: Image.Image) -> Pixels:
    """Return luma, and the blue and red differences around 0."""
    pixels = np.asarray(image.convert("YCbCr"), dtype=np.float32).copy()
    pixels[..., 1:] = (pixels[..., 1:] - 128) * CHROMA
    return pixels


def _fit_background(pixels: Pixels) -> tuple[Pixels, float]:
    """Fit a slanted plane with a bend to the edges of the picture and drop outliers step by
    step. Return the fitted background and its noise level.
    """
    height, width = pixels.shape[:2]
    column_positions, row_positions = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    terms = np.stack(
        [
            np.ones_like(column_positions),
            column_positions,
            row_positions,
            row_positions * row_positions,
        ],
        axis=2,
    ).reshape(-1, 4)
    margin_x, margin_y = max(2, round(width * EDGE)), max(2, round(height * EDGE))
    edge = np.zeros((height, width), dtype=bool)
    edge[:margin_y] = edge[-margin_y:] = True
    edge[:, :margin_x] = edge[:, -margin_x:] = True
    edge_indexes = np.flatnonzero(edge)
    pixel_rows = pixels.reshape(-1, 3)
    edge_terms, samples = terms[edge_indexes], pixel_rows[edge_indexes]
    middle = np.median(samples, axis=0)
    is_kept = _select_near(np.sqrt(((samples - middle) ** 2).sum(axis=1)), 40)
    coefficients: Pixels = np.zeros((4, 3), dtype=np.float32)
    noise = 0.0
    for _ in range(FIT_ROUNDS):
        coefficients = np.linalg.lstsq(edge_terms[is_kept], samples[is_kept], rcond=None)[0]
        residual = np.sqrt(((samples - edge_terms @ coefficients) ** 2).sum(axis=1))
        noise = float(np.median(residual[is_kept]))
        is_kept = _select_near(residual, max(5.0, 3.5 * noise))
    background: Pixels = (terms @ coefficients).reshape(height, width, 3)
    return background, noise


def _select_near(distance: Pixels, limit: float) -> Pixels:
    """Return which distances are within the limit, or the smaller half if these are too few to
    fit.
    """
    keep: Pixels = distance <= limit
    return keep if keep.sum() >= 32 else distance <= np.quantile(distance, 0.5)


def _without_holes(is_subject: Pixels) -> Pixels:
    """Return the mask of the subject with its holes filled. A hole is an area without connection to
    the edge of the picture.
    """
    is_outside = np.zeros_like(is_subject)
    is_free = ~is_subject
    is_outside[0], is_outside[-1], is_outside[:, 0], is_outside[:, -1] = (
        is_free[0],
        is_free[-1],
        is_free[:, 0],
        is_free[:, -1],
    )
    while True:
        grown_outside = is_outside.copy()
        grown_outside[1:] |= is_outside[:-1]
        grown_outside[:-1] |= is_outside[1:]
        grown_outside[:, 1:] |= is_outside[:, :-1]
        grown_outside[:, :-1] |= is_outside[:, 1:]
        grown_outside &= is_free
        if (grown_outside == is_outside).all():
            without_holes: Pixels = ~is_outside
            return without_holes
        is_outside = grown_outside


def _main_parts(solid: Pixels) -> Pixels:
    """Keep the connected parts that are not much smaller than the largest one."""
    parts = _label_parts(solid)
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    if not sizes.any():
        return solid
    keep = sizes >= max(PART * sizes.max(), 6)
    main: Pixels = keep[parts]
    return main


def _label_parts(solid: Pixels) -> Pixels:
    """Return a number for each connected part, 0 for the background. Runs of a row join the
    runs of the row above that they touch.
    """
    labels = np.zeros(solid.shape, dtype=np.intp)
    parents = [0]
    above: list[tuple[int, int, int]] = []
    for row, line in enumerate(solid):
        edges = np.flatnonzero(np.diff(line.astype(np.int8), prepend=0, append=0)).tolist()
        runs: list[tuple[int, int, int]] = []
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            touching_labels = [
                _find_root(parents, label)
                for start, stop, label in above
                if start <= end and stop >= begin
            ]
            label = min(touching_labels) if touching_labels else len(parents)
            if not touching_labels:
                parents.append(label)
            for other in touching_labels:
                parents[other] = label
            runs.append((begin, end, label))
            labels[row, begin:end] = label
        above = runs
    numbered: Pixels = np.array([_find_root(parents, label) for label in range(len(parents))])[
        labels
    ]
    return numbered


def _find_root(parents: list[int], label: int) -> int:
    while parents[label] != label:
        label = parents[label]
    return label
