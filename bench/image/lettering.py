"""Text of the set's pictures: real letters if a Chinese font is installed, otherwise built-in
Latin letters and blocks.

The search index never sees letters: its drawings have bars instead.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from apps.documents.drawings.raster import Sheet
from apps.documents.drawings.shapes import Attributes, Matrix, get_number, parse_colour

FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc",
    "/System/Library/Fonts/PingFang.ttc",
)


@lru_cache(maxsize=256)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for path in FONTS:
        if Path(path).exists():
            return ImageFont.truetype(path, size)
    return ImageFont.load_default(size)


def lettering(sheet: Sheet, text: str, attributes: Attributes, matrix: Matrix) -> None:
    """Draw a line of text with its group's position and rotation."""
    zoom = math.sqrt(abs(float(np.linalg.det(matrix[:2, :2]))))
    size = max(3, round(get_number(attributes, "font-size", 16) * zoom))
    font = _font(size)
    anchor = {"middle": "ms", "end": "rs"}.get(attributes.get("text-anchor", ""), "ls")
    x, y, _ = (
        matrix @ np.array([get_number(attributes, "x"), get_number(attributes, "y"), 1.0])
    ).tolist()
    turn = math.degrees(math.atan2(matrix[1, 0], matrix[0, 0]))
    reach = round(size * (len(text) + 2) * 1.1)
    paper = Image.new("L", (2 * reach, 2 * reach))
    ImageDraw.Draw(paper).text((reach, reach), text, fill=255, font=font, anchor=anchor)
    if abs(turn) > 0.5:
        paper = paper.rotate(-turn, resample=Image.Resampling.BILINEAR)
    mask = Image.new("L", (sheet.width, sheet.height))
    mask.paste(paper, (round(x) - reach, round(y) - reach))
    cover = np.asarray(mask, dtype=np.float32)[..., None] / 255
    sheet.pixels += cover * (
        np.array(parse_colour(attributes.get("fill", "black")), dtype=np.float32) - sheet.pixels
    )
