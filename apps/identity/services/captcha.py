"""The slide captcha: create a puzzle, and check an answer once."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.utils import timezone

from apps.identity.errors import CaptchaFailed, CaptchaRequired
from apps.identity.models import Captcha
from apps.identity.puzzle import Puzzle, make_puzzle

LIFETIME = timedelta(minutes=2)
TOLERANCE_PX = 4
MAX_TRACK = 600
MIN_SECONDS, MAX_SECONDS = 0.15, 120.0


def captcha_issue() -> tuple[uuid.UUID, Puzzle]:
    """Return (Id, pictures) of a new puzzle. The answer is stored in the table and never sent."""
    puzzle = make_puzzle()
    row = Captcha.objects.create(answer_x=puzzle.x, expires_at=timezone.now() + LIFETIME)
    return row.public_id, puzzle


def captcha_verify(*, answer: object) -> None:
    """Check the client's CaptchaVerifyParam: {Id, X, Track [[x, y, ms]]}, as an object or as
    JSON text. Any try uses up the puzzle.

    Raises:
        CaptchaRequired: the parameter has no answer.
        CaptchaFailed: the puzzle is unknown, used or expired, the place is wrong, or the track does
            not look like a human movement.
    """
    parameter = _parse_parameter(answer)
    now = timezone.now()
    try:
        public_id = uuid.UUID(str(parameter.get("Id", "")))
    except ValueError:
        raise CaptchaFailed from None
    row = Captcha.objects.filter(public_id=public_id).first()
    # The conditional UPDATE makes the puzzle one-time: of two concurrent answers, only one
    # succeeds.
    is_first_use = Captcha.objects.filter(
        public_id=public_id, used_at__isnull=True, expires_at__gt=now
    ).update(used_at=now)
    if row is None or not is_first_use:
        raise CaptchaFailed
    place = _parse_number(parameter.get("X"))
    if (
        place is None
        or abs(place - row.answer_x) > TOLERANCE_PX
        or not is_hand_made(parameter.get("Track"), place)
    ):
        raise CaptchaFailed


def _parse_parameter(answer: object) -> dict[str, Any]:
    """Return the answer of the puzzle as a dict. A text is parsed as JSON.

    Raises:
        CaptchaRequired: it is no JSON object, or empty.
    """
    if isinstance(answer, str) and len(answer) <= 20_000:
        try:
            answer = json.loads(answer)
        except (ValueError, RecursionError):
            answer = None
    if not isinstance(answer, dict) or not answer:
        raise CaptchaRequired
    return answer


def _parse_number(value: object) -> float | None:
    return (
        float(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9
        else None
    )


def is_hand_made(track: object, place: float) -> bool:
    """Whether the points [x, y, ms] look like a human movement to `place`: from the left,
    within the time limits, without a single jump, ending at `place`.

    Arrow keys are allowed, so even steps are accepted.
    """
    points = _parse_points(track)
    if points is None or len(points) < 4:
        return False
    xs, times = [point[0] for point in points], [point[2] for point in points]
    seconds = (times[-1] - times[0]) / 1000
    distances = [abs(after - before) for before, after in pairwise(xs)]
    return (
        all(after >= before for before, after in pairwise(times))
        and MIN_SECONDS <= seconds <= MAX_SECONDS
        and xs[0] <= place / 2
        and abs(xs[-1] - place) <= TOLERANCE_PX * 2
        and max(distances) <= max(place * 0.7, 20)
    )


def _parse_points(track: object) -> list[tuple[float, float, float]] | None:
    """Return the points (x, y, time) of the pointer's track. None if the track is malformed or
    too long.
    """
    if not isinstance(track, list) or len(track) > MAX_TRACK:
        return None
    points: list[tuple[float, float, float]] = []
    for point in track:
        numbers = (
            [_parse_number(part) for part in point]
            if isinstance(point, list) and len(point) == 3
            else [None]
        )
        if any(number is None for number in numbers):
            return None
        x, y, at = (number or 0.0 for number in numbers)
        points.append((x, y, at))
    return points
