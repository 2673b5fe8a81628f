"""A simulated user that solves the slide captcha."""

from __future__ import annotations

from typing import Any

from apps.identity.models import Captcha


def solve(public_id: str, *, off_by: int = 0) -> dict[str, Any]:
    """Return a CaptchaVerifyParam with a slow slide that ends `off_by` pixels beside the hole."""
    place = Captcha.objects.get(public_id=public_id).answer_x + off_by
    track = [[round(place * step / 20), 80 + step % 3, step * 40] for step in range(21)]
    return {"Id": public_id, "X": place, "Track": track}
