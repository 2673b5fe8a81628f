"""Refuse an .xlsx with formulas that have no calculated result. A reader would see an empty
cell or an outdated value.
"""

from __future__ import annotations

import re
import zipfile
from typing import IO

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN, BROKEN_ERRORS, check_archive

_NAME = rb"(?:[^\s<>:/]*+:)?"
# A cell with a formula, and the stored value.
FORMULA = re.compile(
    rb"<"
    + _NAME
    + rb"c\s([^<>]*+)>\s*+<"
    + _NAME
    + rb"f(?:\s[^<>]*?)?(?:/>|>[^<]*+</"
    + _NAME
    + rb"f>)\s*+"
    rb"(?:<" + _NAME + rb"v>([^<]*+)</)?"
)
PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Z]{1,3}[0-9]{1,7})[\"']")
ERROR = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
# The file was generated without calculating the formulas. The stored values are placeholders, which
# a spreadsheet program replaces when it opens the file.
TO_BE_WORKED_OUT = re.compile(
    rb"<" + _NAME + rb"calcPr\s[^<>]*fullCalcOnLoad\s*=\s*[\"'](?:1|true)[\"']"
)


def refuse_uncertain_formulas(file: IO[bytes]) -> None:
    """Raise FileRefused if a cell has a formula without a certain value; the message names the
    first such cell. Leaves `file` at its start.
    """
    file.seek(0)
    is_zip = file.read(4) == b"PK\x03\x04"
    file.seek(0)
    if not is_zip:
        return
    check_archive(file, part="xl/workbook.xml")
    try:
        with zipfile.ZipFile(file) as archive:
            place = _first(archive)
    except BROKEN_ERRORS as error:
        raise FileRefused(BROKEN) from error
    finally:
        file.seek(0)
    if place:
        raise FileRefused(
            f"单元格 {place} 是公式且没有确定的结果，请在表格软件中打开并保存，或改为填写数值后重试"
        )


def _first(archive: zipfile.ZipFile) -> str | None:
    everywhere = TO_BE_WORKED_OUT.search(archive.read("xl/workbook.xml")) is not None
    for name in archive.namelist():
        if not (name.startswith("xl/worksheets/") and name.endswith(".xml")):
            continue
        for cell, value in FORMULA.findall(archive.read(name)):
            if everywhere or not value.strip() or ERROR.search(cell):
                place = PLACE.search(cell)
                return place[1].decode() if place else "（未标明位置）"
    return None
