"""Reads the rows of a wish list's sheet, by its header row or, without one, as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from apps.common.figures import BadFigure, cell_quantity, is_figure
from apps.selection.solver.lines import MAX_LINE, Wish, plain, wish, wish_of

# Header words of each column. The first role that matches applies, in this order.
HEADS: dict[str, tuple[str, ...]] = {
    "limit": ("限价", "单价上限", "最高单价", "预算单价", "价格上限"),
    "quantity": ("数量", "采购数", "需求数", "申请数", "件数", "qty", "quantity"),
    "unit": ("单位", "unit"),
    "brand": ("品牌", "brand"),
    "spec": ("规格", "型号", "描述", "参数", "颜色", "要求", "spec"),
    "name": (
        "商品编码",
        "物料编码",
        "编码",
        "商品",
        "品名",
        "名称",
        "物料",
        "物品",
        "用品",
        "需求",
        "name",
        "item",
    ),
}
FIGURE = re.compile(r"[0-9]{1,12}(?:\.[0-9]+)?")
HEADER_WITHIN = 10


def wishes_of_rows(rows: Iterable[Sequence[str]]) -> list[Wish]:
    """Return a wish for each row that is not blank. Rows above the header are treated as
    titles.
    """
    filled = [cells for cells in ([cell.strip() for cell in row] for row in rows) if any(cells)]
    for place, cells in enumerate(filled[:HEADER_WITHIN]):
        columns = _columns(cells)
        if "name" in columns:
            return [_by_header(row, columns) for row in filled[place + 1 :]]
    return [_by_text(row) for row in filled]


def _columns(cells: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        title = plain(cell)
        role = (
            next(
                (role for role, heads in HEADS.items() if any(head in title for head in heads)), ""
            )
            if len(title) <= 12
            else ""
        )
        if role:
            found.setdefault(role, []).append(place)
    # A title above the table (采购需求) is not a header. The header of a single-column sheet
    # must be exactly one of these words.
    is_header = len(found) > 1 or (
        len([cell for cell in cells if cell]) == 1
        and any(plain(cell) in HEADS["name"] for cell in cells)
    )
    return found if is_header else {}


def _by_header(row: Sequence[str], columns: dict[str, list[int]]) -> Wish:
    def cells(role: str) -> list[str]:
        return [row[place] for place in columns.get(role, ()) if place < len(row) and row[place]]

    words = " ".join(dict.fromkeys([*cells("brand"), *cells("name"), *cells("spec")]))
    shown = " ".join(
        [*cells("brand"), *cells("name"), *cells("spec"), *cells("quantity"), *cells("unit")]
    )[:MAX_LINE]
    if len(words) > MAX_LINE or len(plain(words)) > MAX_LINE:
        return Wish(shown, "", problem=f"名称与规格超过 {MAX_LINE} 个字，请缩短后重试")
    said = plain(next(iter(cells("quantity")), ""))
    try:
        _, counted = cell_quantity(said)
    except BadFigure as error:
        return Wish(shown, plain(words), problem=str(error))
    unit = counted or plain(next(iter(cells("unit")), ""))[:2]
    figure = said.removesuffix(counted).strip()
    return wish(
        text=shown, words=plain(words), figure=figure, unit=unit, max_price=_money(cells("limit"))
    )


def _by_text(row: Sequence[str]) -> Wish:
    """Read a row of a sheet without a header: the first figure after a text is the quantity,
    the other cells are the text.
    """
    texts = [cell for cell in row if cell]
    at = next((place for place, cell in enumerate(texts) if place and is_figure(plain(cell))), 0)
    if not at:
        return wish_of(" ".join(texts))
    figure = plain(texts[at])
    return wish_of(
        f"{' '.join([*texts[:at], *texts[at + 1 :]])} "
        f"{figure if not figure.isdigit() else f'×{figure}'}"
    )


def _money(cells: Sequence[str]) -> Decimal | None:
    found = FIGURE.search(plain(cells[0])) if cells else None
    value = Decimal(found[0]) if found else None
    return value.quantize(Decimal("0.01")) if value is not None and 0 < value < 10**9 else None
