"""Decode pictures within limits and encode them again, so that only the pixels remain.

Public pictures have variants: WebP files in the widths that pages request, stored beside the
original. A background job creates them once.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable
from math import ceil
from typing import IO, Any

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageOps, UnidentifiedImageError

from apps.common.background.outbox import outbox_publish_all
from apps.common.errors import FileRefused
from apps.common.files.kinds import GIF, JPEG, PNG, WEBP, FileKind

MAX_PIXELS = 25_000_000
# Pillow uses 4 bytes per pixel, and a second copy for a conversion. Above this size, pictures that
# need a conversion are refused, and JPEGs are decoded at half size.
MAX_COPIED = 12_500_000
# A progressive JPEG holds all coefficients until its last scan. A CMYK JPEG needs a copy.
MAX_UNSTREAMED = 8_000_000
# Cameras and encoders write at most ten scans. Each scan is another pass over all pixels.
MAX_SCANS = 40
START_OF_SCAN = b"\xff\xda"
# libwebp uses additional buffers while it decodes and encodes.
MAX_WEBP = 5_000_000
MAX_SIDE = 12_000
BROKEN = "图片已损坏或格式不正确，请重新选择"
DIRECT_MODES = ("L", "RGB", "RGBA")
TOO_MANY_PIXELS = "图片像素过大，请缩小到 1200 万像素（WebP 为 500 万）以内后重试"
NOT_STREAMED = "渐进式或印刷色（CMYK）的图片请缩小到 800 万像素以内，或另存为普通 JPEG 后重试"
PILLOW_NAMES = {JPEG: "JPEG", PNG: "PNG", WEBP: "WEBP", GIF: "GIF"}


def reencode(content: bytes, kind: FileKind) -> tuple[bytes, FileKind]:
    """Return the encoded picture without metadata and upright, and its new kind. A GIF becomes
    a PNG of its first frame.

    Raises:
        FileRefused: it is not a picture of that kind, is broken, or is too large to decode.
    """
    if kind == JPEG and content.count(START_OF_SCAN) > MAX_SCANS:
        raise FileRefused(BROKEN)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=[PILLOW_NAMES[kind]]) as image:
                _check_limits(image, kind)
                image.load()
                return _encode_image(
                    ImageOps.exif_transpose(image) if kind == JPEG else image, kind
                )
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise FileRefused(TOO_MANY_PIXELS) from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise FileRefused(BROKEN) from error


def is_animated(file: IO[bytes]) -> bool:
    """Return whether a picture has more than one frame, without decoding pixels. Return False
    for an unreadable file; `reencode` refuses it later.
    """
    file.seek(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            # Not JPEG: the second picture that phones add (MPO) is not an animation frame.
            with Image.open(file, formats=["GIF", "PNG", "WEBP"]) as image:
                return bool(getattr(image, "is_animated", False))
    except (Image.DecompressionBombError, UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return False


def _check_limits(image: Image.Image, kind: FileKind) -> None:
    """Check the limits. Only the header has been read, no pixel is decoded yet."""
    pixels = image.width * image.height
    if pixels > (MAX_WEBP if kind == WEBP else MAX_PIXELS) or max(image.size) > MAX_SIDE:
        raise FileRefused(TOO_MANY_PIXELS)
    if (
        kind == JPEG
        and pixels > MAX_UNSTREAMED
        and (image.info.get("progressive") or image.mode == "CMYK")
    ):
        raise FileRefused(NOT_STREAMED)
    if pixels <= MAX_COPIED:
        return
    if kind == JPEG:
        image.draft("RGB", (image.width // 2, image.height // 2))
    elif kind != PNG or image.mode not in DIRECT_MODES or "transparency" in image.info:
        raise FileRefused(TOO_MANY_PIXELS)


def _encode_image(image: Image.Image, kind: FileKind) -> tuple[bytes, FileKind]:
    """Return the encoded picture without metadata, and its kind. A GIF becomes a PNG."""
    saved_kind = PNG if kind == GIF else kind
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    mode = "RGBA" if has_alpha and saved_kind != JPEG else "RGB"
    converted = (
        image
        if image.mode == mode or (image.mode == "L" and not has_alpha)
        else image.convert(mode)
    )
    converted.info = {}
    buffer = io.BytesIO()
    save_options = {"quality": 88} if saved_kind in {JPEG, WEBP} else {}
    converted.save(buffer, PILLOW_NAMES[saved_kind], **save_options)
    return buffer.getvalue(), saved_kind


# frontend/src/ui/srcset.ts requests these widths.
WIDTHS = (400, 800, 1600)
TALLEST = MAX_WEBP // WIDTHS[-1]
LARGE = 8_000_000
TOPIC = "pictures.stored"
# Process at most 20 pictures per message, so that other messages do not wait and a retry repeats
# little work.
PICTURES_PER_MESSAGE = 20
DRAWN = (".png", ".jpg", ".jpeg", ".webp")
NAME = re.compile(rf"(?P<original>.+)\.(?:{'|'.join(map(str, WIDTHS))})\.webp")
log = structlog.get_logger(__name__)


def build_variant_path(path: str, width: int) -> str:
    """Return the path of the variant with that width."""
    return f"{path}.{width}.webp"


def find_original(path: str) -> str | None:
    """Return the path of the original picture, or None if `path` is not a variant."""
    match = NAME.fullmatch(path)
    return match["original"] if match else None


def request_picture_variants(*, paths: Iterable[str]) -> None:
    """Request the variants of these pictures after the commit, PICTURES_PER_MESSAGE in one message.
    SVG files need no variants.
    """
    drawing_paths = sorted({path for path in paths if path.lower().endswith(DRAWN)})
    path_groups = (
        drawing_paths[start : start + PICTURES_PER_MESSAGE]
        for start in range(0, len(drawing_paths), PICTURES_PER_MESSAGE)
    )
    outbox_publish_all(
        topic=TOPIC, messages=[("", {"Paths": path_group}) for path_group in path_groups]
    )


def handle_stored_pictures(_key: str, payload: dict[str, Any]) -> None:
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
            _write_variants(_reduce_for_webp(image), path)


def _write_variants(picture: Image.Image, path: str) -> None:
    """Store the WebP variants of a picture, from the widest on, so that each is made of the one
    before.
    """
    for width in reversed(WIDTHS):
        picture.thumbnail((width, MAX_WEBP // width))
        buffer = io.BytesIO()
        picture.save(buffer, "WEBP", quality=80)
        target = build_variant_path(path, width)
        default_storage.delete(target)
        default_storage.save(target, ContentFile(buffer.getvalue()))


def _reduce_for_webp(image: Image.Image) -> Image.Image:
    """Return the picture in a colour mode of WebP. A large picture is first reduced by an
    integer factor, so that memory never holds two full copies.
    """
    mode = "RGBA" if "A" in image.getbands() or "transparency" in image.info else "RGB"
    if image.width * image.height > LARGE and image.mode in ("L", mode):
        image = image.reduce(ceil(max(image.width / WIDTHS[-1], image.height / TALLEST)))
    return image if image.mode == mode else image.convert(mode)
