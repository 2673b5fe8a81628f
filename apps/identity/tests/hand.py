"""A hand that solves a slide puzzle."""

from __future__ import annotations

from typing import Any

from apps.identity.models import Captcha


def solve(public_id: str, *, off_by: int = 0) -> dict[str, Any]:
    """Return the CaptchaVerifyParam of a patient hand that ends `off_by` pixels beside the hole."""
    place = Captcha.objects.get(public_id=public_id).answer_x + off_by
    track = [[round(place * step / 20), 80 + step % 3, step * 40] for step in range(21)]
    return {"Id": public_id, "X": place, "Track": track}
