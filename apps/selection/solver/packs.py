"""The number of pieces in one unit of sale: a 盒 of 12支/盒 contains twelve pieces."""

from __future__ import annotations

import re

# Measure words for one piece. Customers use them interchangeably (20个笔 means 20支). 张 and 页 are
# excluded, because they count the contents of a piece.
PIECES = frozenset("个支只枚件根把条本块片粒台副顶盏面具双节颗")
INNER = re.compile(r"(\d{1,6})\s*([^\d\s/]{1,3})\s*/")
MAX_PIECES = 100_000


def read_pack_contents(
    *, unit: str, pack: str, base_unit: str = "", contents: int | None = None
) -> tuple[int, str]:
    """Return the contents of one unit of sale as number and unit: the product's own contents
    (内含数量), otherwise 12 支 for a 盒 of 12支/盒. One of its own unit if nothing is known.
    """
    if contents is not None:
        return contents, base_unit
    inner = INNER.match(pack)
    return (int(inner[1]), inner[2]) if inner and 0 < int(inner[1]) <= MAX_PIECES else (1, unit)


def count_pieces_in(
    *, unit: str, pack: str, piece_unit: str, base_unit: str = "", contents: int | None = None
) -> int | None:
    """Return how many pieces one unit of sale contains, or None if unknown. `piece_unit` is the
    unit to count: `支`, or `盒/罐` for either.

    `pack` is the product's 包装规格, such as 12支/盒; `contents` is its 内含数量 in `base_unit`.
    Without a `piece_unit`, one unit of sale counts as one.
    """
    piece_units = [word for word in piece_unit.split("/") if word]
    if not piece_units or unit in piece_units:
        return 1
    if contents is not None and base_unit in piece_units:
        return contents
    inner_pack = INNER.match(pack)
    can_be_pieces = unit not in PIECES and PIECES.intersection(piece_units)
    if (
        inner_pack
        and 0 < int(inner_pack[1]) <= MAX_PIECES
        and (inner_pack[2] in piece_units or (inner_pack[2] in PIECES and can_be_pieces))
    ):
        return int(inner_pack[1])
    return 1 if unit in PIECES and PIECES.intersection(piece_units) else None
