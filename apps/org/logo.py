"""The group's logo. An uploaded picture becomes a small PNG in a data URL."""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image

from apps.common.files.intake import file_take
from apps.common.files.kinds import JPEG, PNG, WEBP

MAX_SIZE = (360, 96)


def logo_data_url(upload: Any) -> str:
    """Return the uploaded picture as a data URL, scaled down to at most 360 × 96.

    Raises:
        FileRefused, TooLarge: the file is not a picture, or it is larger than 2MB.
    """
    taken = file_take(
        upload,
        kinds=(PNG, JPEG, WEBP),
        max_mb=2,
        message="请上传图片文件",
        size_message="图片大小不能超过2MB",
    )
    with Image.open(io.BytesIO(taken.content)) as image:
        image.thumbnail(MAX_SIZE)
        target = io.BytesIO()
        image.save(target, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(target.getvalue()).decode()}"
