"""A simulated user that solves the slide captcha."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from apps.identity.models import Captcha
from apps.identity.services.captcha import LIFETIME


def solve(public_id: str, *, off_by: int = 0) -> dict[str, Any]:
    """Return a CaptchaVerifyParam with a slow slide that ends `off_by` pixels beside the hole."""
    place = Captcha.objects.get(public_id=public_id).answer_x + off_by
    track = [[round(place * step / 20), 80 + step % 3, step * 40] for step in range(21)]
    return {"Id": public_id, "X": place, "Track": track}


def solve_new() -> dict[str, Any]:
    """Return a CaptchaVerifyParam that solves a new puzzle. The puzzle is stored without its
    pictures, because drawing them takes 30 ms.
    """
    puzzle = Captcha.objects.create(answer_x=120, expires_at=timezone.now() + LIFETIME)
    return solve(str(puzzle.public_id))
