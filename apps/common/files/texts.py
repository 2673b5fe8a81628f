"""Detect text files in an encoding that is not supported, so that the message can explain how
to save them.
"""

from __future__ import annotations

import codecs

from apps.common.errors import FileRefused

EMPTY = "文件中没有内容，请检查后重新选择"
IN_UTF16 = (
    "文件是 UTF-16（Unicode 文本）编码，请另存为 UTF-8 或 GB18030 编码的 CSV，或 .xlsx 后重试"
)


def refuse_unreadable_text(beginning: bytes) -> None:
    """Raise FileRefused if the beginning of a file is empty or UTF-16, which Excel calls
    Unicode 文本.
    """
    if not beginning.removeprefix(codecs.BOM_UTF8).strip():
        raise FileRefused(EMPTY)
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FileRefused(IN_UTF16)
