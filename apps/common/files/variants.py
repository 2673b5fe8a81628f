"""Variants of public pictures: WebP files in the widths that pages request, stored beside the
original. A background job creates them once.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable
from math import ceil
from typing import Any

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image

from apps.common.background.outbox import outbox_publish_all
from apps.common.files.images import MAX_PIXELS, MAX_WEBP

# frontend/src/ui/srcset.ts requests these widths.
WIDTHS = (400, 800, 1600)
TALLEST = MAX_WEBP // WIDTHS[-1]
LARGE = 8_000_000
TOPIC = "pictures.stored"
# Process at most 20 pictures per message, so that other messages do not wait and a retry repeats
# little work.
AT_ONCE = 20
DRAWN = (".png", ".jpg", ".jpeg", ".webp")
NAME = re.compile(rf"(?P<original>.+)\.(?:{'|'.join(map(str, WIDTHS))})\.webp")
log = structlog.get_logger(__name__)


def variant_path(path: str, width: int) -> str:
    """Return the path of the variant with that width."""
    return f"{path}.{width}.webp"


def original_of(path: str) -> str | None:
    """Return the path of the original picture, or None if `path` is not a variant."""
    found = NAME.fullmatch(path)
    return found["original"] if found else None


def pictures_stored(*, paths: Iterable[str]) -> None:
    """Create the variants of these pictures after the commit. SVG files need none."""
    drawn = sorted({path for path in paths if path.lower().endswith(DRAWN)})
    stretches = (drawn[start : start + AT_ONCE] for start in range(0, len(drawn), AT_ONCE))
    outbox_publish_all(topic=TOPIC, messages=[("", {"Paths": stretch}) for stretch in stretches])


def pictures_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox handler of TOPIC. A picture that is missing or unreadable gets no variants."""
    for path in payload["Paths"]:
        try:
            variants_make(path)
        except (
            OSError,
            ValueError,
            SyntaxError,
            Image.DecompressionBombError,
            Image.DecompressionBombWarning,
        ) as error:
            log.warning("picture_without_variants", path=path, error=str(error)[:200])


def variants_make(path: str) -> None:
    """Write the variants, widest first, and replace existing ones. A variant is never wider
    than the picture and has at most MAX_WEBP pixels.
    """
    with warnings.catch_warnings(), default_storage.open(path) as file:
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(file.read())) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ValueError("too many pixels")
            image.draft("RGB", (WIDTHS[-1], TALLEST))
            image.load()
            _write(_small(image), path)


def _write(picture: Image.Image, path: str) -> None:
    for width in reversed(WIDTHS):
        picture.thumbnail((width, MAX_WEBP // width))
        buffer = io.BytesIO()
        picture.save(buffer, "WEBP", quality=80)
        target = variant_path(path, width)
        default_storage.delete(target)
        default_storage.save(target, ContentFile(buffer.getvalue()))


def _small(image: Image.Image) -> Image.Image:
    """Return the picture in a colour mode of WebP. A large picture is first reduced by an
    integer factor, so that memory never holds two full copies.
    """
    mode = "RGBA" if "A" in image.getbands() or "transparency" in image.info else "RGB"
    if image.width * image.height > LARGE and image.mode in ("L", mode):
        image = image.reduce(ceil(max(image.width / WIDTHS[-1], image.height / TALLEST)))
    return image if image.mode == mode else image.convert(mode)
