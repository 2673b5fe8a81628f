"""Programs that try to solve the slide captcha from the data that a client receives: two
pictures and the height of the piece.

Each program takes the background and the piece as pixels and the top of the piece. It returns a
score for each x position; its answer is the position with the highest score. The programs are short
on purpose: anybody's script can do the same.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from apps.identity.puzzle import PIECE, Puzzle, make_puzzle
from apps.identity.services.captcha import TOLERANCE_PX

Pixels = NDArray[np.float64]
# No hole begins where the piece lies at first.
FROM = PIECE


@dataclass(frozen=True, slots=True)
class Sight:
    """The input of a program: the strip of the background at the height of the piece, the
    piece's colours, and its alpha from 0 to 1.
    """

    strip: Pixels
    colours: Pixels
    alpha: Pixels


Solver = Callable[[Sight], Pixels]


def solves(solver: Solver, puzzle: Puzzle) -> bool:
    """Return whether the captcha would accept the program's answer."""
    scores = solver(_sight(puzzle))
    return abs(FROM + int(np.argmax(scores[FROM:])) - puzzle.x) <= TOLERANCE_PX


def _sight(puzzle: Puzzle) -> Sight:
    background, piece = (
        Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
        for url in (puzzle.background, puzzle.piece)
    )
    pixels = np.asarray(piece.convert("RGBA"), dtype=float)
    strip = np.asarray(background.convert("RGB"), dtype=float)[puzzle.y : puzzle.y + PIECE]
    return Sight(strip=strip, colours=pixels[:, :, :3], alpha=pixels[:, :, 3] / 255)


def _windows(strip: Pixels) -> Pixels:
    """Return the windows of the strip with the piece's size, by position."""
    return np.lib.stride_tricks.sliding_window_view(strip, PIECE, axis=1).swapaxes(0, 1)


def _grey(pixels: Pixels) -> Pixels:
    return np.asarray(pixels @ np.array([0.299, 0.587, 0.114]))


def _blurred(grey: Pixels, radius: float) -> Pixels:
    picture = Image.fromarray(np.clip(grey, 0, 255).astype("uint8"), "L")
    return np.asarray(picture.filter(ImageFilter.GaussianBlur(radius)), dtype=float)


def _correlation(windows: Pixels, template: Pixels) -> Pixels:
    """Return the normalised cross-correlation of each window with the template."""
    centred = windows - windows.mean(axis=(1, 2), keepdims=True)
    wanted = template - template.mean()
    return np.asarray(
        (centred * wanted).sum(axis=(1, 2))
        / (np.sqrt((centred**2).sum(axis=(1, 2))) * np.sqrt((wanted**2).sum()) + 1e-9)
    )


def _gradient(grey: Pixels) -> Pixels:
    down, right = np.gradient(grey)
    return np.asarray(np.hypot(down, right))


def darkest(sight: Sight) -> Pixels:
    """Score how much darker a position is inside the outline than around it."""
    windows = _windows(_grey(sight.strip))
    inside, outside = sight.alpha > 0.9, sight.alpha < 0.1
    return np.asarray(windows[:, outside].mean(axis=1) - windows[:, inside].mean(axis=1))


def most_unlike(sight: Sight) -> Pixels:
    """Score the colour difference between inside and around the outline, in any direction."""
    inside, outside = sight.alpha > 0.9, sight.alpha < 0.1
    distances = [_windows(sight.strip[:, :, channel]) for channel in range(3)]
    return np.asarray(
        sum((one[:, inside].mean(axis=1) - one[:, outside].mean(axis=1)) ** 2 for one in distances)
    )


def edges(sight: Sight) -> Pixels:
    """Score how well the edge strengths match those of the outline."""
    return _correlation(_windows(_gradient(_grey(sight.strip))), _gradient(sight.alpha))


def smooth_edges(sight: Sight) -> Pixels:
    """Like `edges`, after blurring the grain."""
    return _correlation(
        _windows(_gradient(_blurred(_grey(sight.strip), 2))),
        _gradient(_blurred(sight.alpha * 255, 2)),
    )


def outline(sight: Sight) -> Pixels:
    """Score how well a lighter or darker area matches the outline's area."""
    return np.abs(_correlation(_windows(_grey(sight.strip)), sight.alpha))


def coloured_outline(sight: Sight) -> Pixels:
    """Like `outline`, in the best matching colour channel."""
    channels = [
        _correlation(_windows(sight.strip[:, :, channel]), sight.alpha) for channel in range(3)
    ]
    return np.asarray(np.abs(np.array(channels)).max(axis=0))


def turned_edges(sight: Sight) -> Pixels:
    """Match edges at the best rotation of the outline: a determined attacker."""
    windows = _windows(_gradient(_blurred(_grey(sight.strip), 1)))
    alpha = Image.fromarray((sight.alpha * 255).astype("uint8"), "L")
    turns = [
        np.asarray(alpha.rotate(angle, Image.Resampling.BILINEAR), dtype=float)
        for angle in range(-14, 15, 4)
    ]
    return np.asarray(
        np.max([_correlation(windows, _gradient(_blurred(turn, 1))) for turn in turns], axis=0)
    )


def second_best(sight: Sight) -> Pixels:
    """Return the best position of smooth_edges that is not next to its first choice, because
    the answer is rarely the first choice.
    """
    scores = smooth_edges(sight)
    first = FROM + int(np.argmax(scores[FROM:]))
    scores[max(0, first - PIECE // 2) : first + PIECE // 2] = -1
    return scores


def texture(sight: Sight) -> Pixels:
    """Score how well the piece's own picture matches the position, as if it were cut out there."""
    return _correlation(_windows(_grey(sight.strip)), _grey(sight.colours) * sight.alpha)


def seam(sight: Sight) -> Pixels:
    """Score how well the colours along the piece's border continue the surrounding colours."""
    inside = Image.fromarray(((sight.alpha > 0.9) * 255).astype("uint8"), "L")
    border = (sight.alpha > 0.9) & (np.asarray(inside.filter(ImageFilter.MinFilter(7))) == 0)
    channels = [
        _windows(sight.strip[:, :, channel])[:, border] - sight.colours[border, channel]
        for channel in range(3)
    ]
    return np.asarray(-sum((one**2).mean(axis=1) for one in channels))


SOLVERS: dict[str, Solver] = {
    solver.__name__: solver
    for solver in (
        darkest,
        most_unlike,
        edges,
        smooth_edges,
        outline,
        coloured_outline,
        texture,
        seam,
        second_best,
        turned_edges,
    )
}


# These know how puzzles are made. Nobody who knows that is kept out by a picture: what bounds him
# is the ceiling of the sign-in
# and the number of lifts.
INFORMED = ("second_best", "turned_edges")


def measure(*, puzzles: int) -> dict[str, float]:
    """Return the share of puzzles that each program solves."""
    drawn = [make_puzzle(seed) for seed in range(puzzles)]
    return {
        name: sum(solves(solver, puzzle) for puzzle in drawn) / puzzles
        for name, solver in SOLVERS.items()
    }
