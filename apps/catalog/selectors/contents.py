"""The contents (内含数量) of a unit of sale in base units (基本单位), checked against the text of
its pack (包装规格).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from math import prod

from apps.catalog.errors import (
    ContentsConflict,
    ContentsIncomplete,
    ContentsNotDivisible,
    PackOfOtherUnit,
)

# Spellings of measures, each with the usual spelling and its size in it.
MEASURES = {
    **dict.fromkeys(("克", "g"), ("克", 1)),
    **dict.fromkeys(("千克", "公斤", "kg"), ("克", 1000)),
    **dict.fromkeys(("毫升", "ml"), ("毫升", 1)),
    **dict.fromkeys(("升", "l"), ("毫升", 1000)),
}
WRAPPERS = frozenset({*"包盒箱袋条筒提桶卷套组本", "小包", "小盒", "内盒"})
TIMES = r"\s*[×xX*]\s*"
PART = r"[0-9]{1,6}(?:\.[0-9]{1,3})?\s*[^\W\d]{1,6}?"
PACK = re.compile(
    rf"(?P<parts>{PART}(?:{TIMES}{PART}){{0,2}})\s*(?:/\s*(?P<packed>[^\W\d]{{1,6}}))?"
)
NUMBER = re.compile(r"[0-9.]+")


@dataclass(frozen=True, slots=True)
class PackText:
    """What a pack says: 5包×500张/箱 is 5 包 of 500 张 each in one 箱. `parts` go from the outside
    in. `packed` is empty if the pack names no unit. Measures are in their usual spelling.
    """

    parts: tuple[tuple[Decimal, str], ...]
    packed: str

    def count(self, unit: str) -> Decimal | None:
        """Return the number of such units in the pack. None if the pack does not name the unit."""
        if unit == self.packed:
            return Decimal(1)
        units = [name for _, name in self.parts]
        if unit not in units:
            return None
        return Decimal(prod(number for number, _ in self.parts[: units.index(unit) + 1]))


def parse_pack(pack: str) -> PackText | None:
    """Return what a pack says, or None if it is free text."""
    match = PACK.fullmatch(pack.strip())
    if match is None:
        return None
    parts = []
    for part in re.split(TIMES, match["parts"]):
        number = NUMBER.match(part)
        if number is None:
            return None
        unit, size = _get_usual_unit(part[number.end() :].strip())
        parts.append((Decimal(number[0]) * size, unit))
    # 500张×5包 is the same as 5包×500张.
    if parts[0][1] not in WRAPPERS and parts[-1][1] in WRAPPERS:
        parts.reverse()
    return PackText(tuple(parts), match["packed"] or "")


def check_contents(*, unit: str, pack: str, base_unit: str, contents: int | None) -> None:
    """Check the contents of one unit of sale. Products without contents are in order.

    Raises:
        ContentsIncomplete: base unit or contents are missing.
        PackOfOtherUnit: the pack describes another unit than `unit`.
        ContentsConflict: the pack names the base unit with another number.
        ContentsNotDivisible: the contents do not fill the inner packs evenly.
    """
    if contents is None and not base_unit:
        return
    if contents is None or not base_unit:
        raise ContentsIncomplete(has_base_unit=bool(base_unit))
    pack_contents = parse_pack(pack)
    if pack_contents is None:
        return
    if pack_contents.packed and pack_contents.packed != unit:
        raise PackOfOtherUnit(pack=pack, packed=pack_contents.packed, unit=unit)
    base_name, base_size = _get_usual_unit(base_unit)
    pack_count = pack_contents.count(base_name)
    if pack_count == contents * base_size:
        return
    if pack_count is not None:
        raise ContentsConflict(
            pack=pack,
            pack_contents=f"{pack_count / base_size:,f}",
            contents=contents,
            base_unit=base_unit,
            unit=unit,
        )
    inner_count, inner_unit = pack_contents.parts[0]
    # A pack of 0包 holds nothing, so no contents fill it.
    if base_unit != unit and (not inner_count or contents % inner_count):
        raise ContentsNotDivisible(
            pack=pack, contents=contents, base_unit=base_unit, inner=f"{inner_count:f}{inner_unit}"
        )


def _get_usual_unit(unit: str) -> tuple[str, int]:
    return MEASURES.get(unit.lower(), (unit, 1))
