"""QR codes as SVG. The URL is the hash of the target, so it can be cached forever."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache

import segno

from apps.content.models import SiteSetting

# (field of SiteSetting, name on the page)
QR_CODES: tuple[tuple[str, str], ...] = (
    ("android_url", "安卓客户端"),
    ("official_url", "微信公众号"),
    ("mini_program_url", "微信小程序"),
)
# Some phones do not recognise a code with a smaller margin.
QUIET_ZONE = 4


def get_qr_address(target: str) -> str:
    """Return the URL of the QR code for `target`."""
    return f"/qr/{_file_name_of(target)}.svg"


def find_qr_target(name: str) -> str | None:
    """Return the target of a QR code; None if no version of the site's texts has it."""
    fields = [field for field, _ in QR_CODES]
    targets = {
        target for row in SiteSetting.objects.values_list(*fields) for target in row if target
    }
    return next((target for target in targets if _file_name_of(target) == name), None)


@lru_cache(maxsize=64)
def draw_qr_svg(target: str) -> bytes:
    """Return the QR code as SVG, with 15% error correction."""
    buffer = io.BytesIO()
    segno.make(target, error="m", micro=False).save(
        buffer, kind="svg", border=QUIET_ZONE, omitsize=True, light="#fff", nl=False
    )
    return buffer.getvalue()


def _file_name_of(target: str) -> str:
    return hashlib.sha256(target.encode()).hexdigest()[:16]
