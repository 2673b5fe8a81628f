"""Opens pictures of any supported format as RGB on white, within memory limits."""

from __future__ import annotations

import io
import warnings

from django.core.files.storage import default_storage
from PIL import Image

from apps.common.files.images import MAX_PIXELS
from apps.documents.drawings import rasterise_drawing

# Pixels per side of drawings, and of photographs, whose subject may be small.
SIDE = 192
PHOTO = 1024
MAX_BYTES = 40 * 1024 * 1024
UNREADABLE = (
    OSError,
    ValueError,
    SyntaxError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)


def open_stored_picture(path: str) -> Image.Image:
    """Return a stored picture in RGB on white, reduced in size. Raises one of UNREADABLE."""
    with default_storage.open(path) as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError("too large")
    if path.lower().endswith(".svg"):
        return rasterise_drawing(content, size=SIDE)
    return open_picture(content)


def open_picture(content: bytes) -> Image.Image:
    """Return a picture in RGB on white, at most PHOTO pixels wide or high. Raises one of
    UNREADABLE.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(content)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ValueError("too many pixels")
            image.draft("RGB", (PHOTO, PHOTO))
            image.thumbnail((PHOTO, PHOTO))
            if "A" not in image.getbands() and "transparency" not in image.info:
                return image.convert("RGB")
            clear = image.convert("RGBA")
    white = Image.new("RGBA", clear.size, "white")
    white.alpha_composite(clear)
    return white.convert("RGB")
