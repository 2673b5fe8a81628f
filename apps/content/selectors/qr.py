"""The three QR codes: drawn here, addressed by what they say, so that one may be kept for ever."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache

import segno

from apps.content.models import SiteSetting

# field of the site's texts → what the page calls it
QR_CODES: tuple[tuple[str, str], ...] = (("android_url", "安卓客户端"), ("official_url", "微信公众号"), ("mini_program_url", "微信小程序"))
# Light modules around the code: fewer than four, and some telephones do not find it.
QUIET_ZONE = 4


def qr_address(target: str) -> str:
    """Return the address of the picture whose code leads to `target`."""
    return f"/qr/{_name(target)}.svg"


def qr_target(name: str) -> str | None:
    """Return where the code of this name leads; None where no version of the site's texts has such a code."""
    fields = [field for field, _ in QR_CODES]
    targets = {target for row in SiteSetting.objects.values_list(*fields) for target in row if target}
    return next((target for target in targets if _name(target) == name), None)


@lru_cache(maxsize=64)
def qr_svg(target: str) -> bytes:
    """Return the code as SVG, with 15% of it to spare for dirt and reflections."""
    drawn = io.BytesIO()
    segno.make(target, error="m", micro=False).save(drawn, kind="svg", border=QUIET_ZONE, omitsize=True, light="#fff", nl=False)
    return drawn.getvalue()


def _name(target: str) -> str:
    return hashlib.sha256(target.encode()).hexdigest()[:16]
