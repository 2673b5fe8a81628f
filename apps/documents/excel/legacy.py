"""Read .xls, the workbook format before 2007.

The reader allocates whatever the file claims, and this cannot be checked in advance. So it runs in
a child process with limited memory and time. If the child dies, the web process is not affected.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
CHILD = Path(__file__).with_name("legacy_child.py")
SECONDS = 8


def legacy_rows(
    content: bytes, *, max_rows: int, max_columns: int, max_cell: int, heading: int = 0
) -> list[list[str]]:
    """Return the rows of the first visible sheet as text.

    Raises:
        FileRefused: it is broken, or exceeds the limits of rows, columns, cells, memory or time.
    """
    command = [
        sys.executable,
        "-I",
        str(CHILD),
        str(max_rows),
        str(max_columns),
        str(max_cell),
        str(heading),
    ]
    try:
        done = subprocess.run(  # noqa: S603
            command, input=content, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise FileRefused(
            f"表格内容过大，最多 {max_rows} 行、{max_columns} 列，请删除多余的内容后重试"
        ) from None
    if done.returncode:
        raise FileRefused(BROKEN)
    answer = json.loads(done.stdout)
    if "refused" in answer:
        raise FileRefused(answer["refused"])
    rows: list[list[str]] = answer["rows"]
    return rows
