"""Cells of an .xlsx that are formulas whose result nobody has worked out: a reader would take them for empty, or for what they were."""

from __future__ import annotations

import re
import zipfile
from typing import IO

from apps.common.errors import FileRefused
from apps.common.files.archives import BROKEN, BROKEN_ERRORS, check_archive

_NAME = rb"(?:[^\s<>:/]*+:)?"
# A cell, its formula, and the value that was kept of it.
FORMULA = re.compile(
    rb"<" + _NAME + rb"c\s([^<>]*+)>\s*+<" + _NAME + rb"f(?:\s[^<>]*?)?(?:/>|>[^<]*+</" + _NAME + rb"f>)\s*+"
    rb"(?:<" + _NAME + rb"v>([^<]*+)</)?"
)
PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Z]{1,3}[0-9]{1,7})[\"']")
ERROR = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
# Who wrote the file had no spreadsheet at hand: what stands beside the formulas is a stand-in, to be worked out when it is opened.
TO_BE_WORKED_OUT = re.compile(rb"<" + _NAME + rb"calcPr\s[^<>]*fullCalcOnLoad\s*=\s*[\"'](?:1|true)[\"']")


def refuse_uncertain_formulas(file: IO[bytes]) -> None:
    """Raise FileRefused, naming the first, where a cell is a formula without a certain value; leaves `file` at its start."""
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
        raise FileRefused(f"单元格 {place} 是公式且没有确定的结果，请在表格软件中打开并保存，或改为填写数值后重试")


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
