"""Parse a line of cells: the known column titles of customers' tables, and lines without titles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from apps.cart.parsing.line import Reading, WrittenLine, build_item_line, build_unreadable_line
from apps.cart.parsing.phrase import CODE_DIGITS, read_phrase
from apps.common.quantity import (
    FIGURE,
    BadFigure,
    is_figure,
    is_unit,
    parse_figure,
    parse_quantity_cell,
)


class Role(StrEnum):
    """The content of a column."""

    CODE = "code"
    NAME = "name"
    SPEC = "spec"
    QUANTITY = "quantity"
    UNIT = "unit"
    REMARK = "remark"
    OTHER = "other"


TITLES: dict[Role, str] = {
    Role.CODE: "商品编码|商品编号|产品编码|产品编号|商品代码|编码|编号|货号|商品号|sku|skucode|"
    "code|itemcode|productcode|商品sku|物料编码|物料编号|物料号|物料代码|料号|客户物料编码|"
    "客户编码|我方编码|自有编码|material|materialcode|商品编码/名称|编码/名称|编码或名称|"
    "商品编码或名称|商品编码/物料编码/型号/名称",
    Role.NAME: "名称|品名|商品名称|商品|产品名称|产品|货品|货品名称|货物名称|物品|物品名称|"
    "物料名称|物料|客户品名|采购物品|name|productname|item|description",
    Role.SPEC: "型号|规格|规格型号|型号规格|品牌|颜色|尺寸|model|spec|brand|参数|描述|包装|"
    "包装规格",
    Role.QUANTITY: "数量|采购数量|订购数量|需求数量|订货数量|下单数量|申请数量|申购数量|购买数量|"
    "数目|件数|需求量|采购量|qty|quantity|number|count",
    Role.UNIT: "单位|计量单位|unit|uom",
    Role.REMARK: "备注|说明|用途|需求说明|备注说明|remark|remarks|note|notes|comment|部门|"
    "使用部门|申请部门|需求部门|申请人|领用人|收货人|使用人",
    Role.OTHER: "序号|行号|no|no.|#|单价|价格|含税单价|未税单价|协议价|参考价|金额|小计|总价|"
    "含税金额|税率|price|amount|total|图片|链接|日期|需求日期|交货日期|要求到货日期|供应商|类别|"
    "分类|品类|种类",
}
ROLES: dict[str, Role] = {
    title: role for role, titles in TITLES.items() for title in titles.split("|")
}
DECORATION = re.compile(r"[\s:：*＊]|[(（\[【][^)）\]】]*+[)）\]】]")
MAX_TITLE = 100
NAMELESS = "这一行没有商品编码或名称，请补填（合并的单元格请先拆分）"
SUM_LINE = re.compile(
    r"\s*(?:合计|总计|小计|共计|总金额|合计金额|total|subtotal)\s*+[:：]?[\s\d,.元¥￥件种个]*+",
    re.IGNORECASE,
)


def find_role(title: str) -> Role | None:
    """Return the role of a column title, or None for an unknown title."""
    return ROLES.get(DECORATION.sub("", title).casefold()) if len(title) <= MAX_TITLE else None


def find_columns(cells: Sequence[str]) -> dict[int, Role] | None:
    """Return the role of each column if the cells are column titles, else None.

    At least one title is a code, name or quantity. There are at least as many known titles as
    unknown ones, and no unknown title begins with a digit. A single known title counts if it is the
    only cell and not a quantity.
    """
    role_by_index = {index: find_role(cell) for index, cell in enumerate(cells) if cell}
    roles = {index: role for index, role in role_by_index.items() if role is not None}
    has_leading_title = any(
        role in (Role.CODE, Role.NAME, Role.QUANTITY) for role in roles.values()
    )
    unknown = [cells[index] for index, role in role_by_index.items() if role is None]
    if (
        not has_leading_title
        or len(unknown) > len(roles)
        or any(cell[0].isdigit() for cell in unknown)
    ):
        return None
    return (
        roles
        if len(roles) > 1
        or (len(role_by_index) == 1 and next(iter(roles.values())) is not Role.QUANTITY)
        else None
    )


def is_sum(text: str) -> bool:
    """Whether the line is a total of the lines above it."""
    return SUM_LINE.fullmatch(text) is not None


def read_titled(
    no: int, text: str, cells: Sequence[str], columns: Mapping[int, Role]
) -> WrittenLine:
    """Return the line of a table with known columns."""
    cells_by_role = {
        role: [
            cells[index]
            for index, at in columns.items()
            if at is role and index < len(cells) and cells[index]
        ]
        for role in Role
    }
    words = [*cells_by_role[Role.CODE], *cells_by_role[Role.NAME]] or cells_by_role[Role.SPEC]
    if not words:
        return build_unreadable_line(no, text, NAMELESS)
    try:
        quantity, unit = parse_quantity_cell(" ".join(cells_by_role[Role.QUANTITY][:1]))
    except BadFigure as error:
        return build_unreadable_line(no, text, str(error))
    unit = unit or " ".join(cells_by_role[Role.UNIT][:1])
    if quantity is None and Role.QUANTITY not in columns.values():
        return read_phrase(no, text, " ".join(words))
    if quantity is None and is_figure(unit):
        message = f"“数量”没有填写（“单位”列写的是“{unit[:20]}”），请填写数量"
        return build_item_line(
            no,
            text,
            [Reading(words[0], problem=message)],
            search=" ".join(words),
            remark=" ".join(cells_by_role[Role.REMARK]),
        )
    readings = _list_readings_of_words(words, quantity, unit)
    search = " ".join([*(cells_by_role[Role.NAME] or words), *cells_by_role[Role.SPEC]])
    readings += [
        Reading(word, quantity, unit, is_primary=False)
        for word in [*cells_by_role[Role.SPEC], search]
        if word not in words
    ]
    return build_item_line(
        no, text, readings, search=search, remark=" ".join(cells_by_role[Role.REMARK])
    )


def read_cells(no: int, text: str, cells: Sequence[str]) -> WrittenLine:
    """Return a line of cells without column titles. The format and the position of the numbers
    decide which cell is the quantity.
    """
    nonempty_cells = [cell for cell in cells if cell]
    at = _find_quantity_place(nonempty_cells)
    if at is None:
        return read_phrase(no, text, " ".join(nonempty_cells))
    other_cells = [cell for index, cell in enumerate(nonempty_cells) if index != at]
    unit = next((cell for cell in nonempty_cells[at + 1 : at + 2] if is_unit(cell)), "")
    words = [
        cell
        for index, cell in enumerate(other_cells)
        if not is_unit(cell) and not _is_number_of_row(other_cells, index)
    ]
    prices = [cell for cell in words if is_figure(cell) and "." in cell]
    words = [cell for cell in words if cell not in prices]
    if not words:
        return build_unreadable_line(no, text, NAMELESS)
    try:
        quantity, written_unit = parse_quantity_cell(nonempty_cells[at])
    except BadFigure as error:
        return build_unreadable_line(no, text, str(error))
    readings = _list_readings_of_words(words, quantity, written_unit or unit)
    if len(nonempty_cells) == 2 and all(_is_plain(cell) for cell in nonempty_cells):
        readings += _build_swapped_readings(nonempty_cells, at)
    search = " ".join(words)
    if len(words) > 1:
        readings.append(Reading(search, quantity, written_unit or unit, is_primary=False))
    return build_item_line(no, text, readings, search=search)


def _list_readings_of_words(words: Sequence[str], quantity: int | None, unit: str) -> list[Reading]:
    """The first word names the product. The other words only help the search."""
    return [Reading(word, quantity, unit, is_primary=not index) for index, word in enumerate(words)]


def _find_quantity_place(cells: Sequence[str]) -> int | None:
    """Return the index of the cell with the quantity: the last figure with a unit, otherwise the
    figure after the name. None if no cell is likely.
    """
    figures = [index for index, cell in enumerate(cells) if is_figure(cell)]
    figures_with_unit = [
        index for index in figures if (match := FIGURE.fullmatch(cells[index])) and match["unit"]
    ]
    if figures_with_unit:
        return figures_with_unit[-1]
    whole_figures = [index for index in figures if "." not in cells[index].rstrip("0").rstrip(".")]
    if len(cells) == 2 and len(whole_figures) == 2:
        # The longer number is the code. With equal lengths the second number is the quantity.
        return 0 if len(cells[0]) < len(cells[1]) else 1
    name_cells = [
        index for index in range(len(cells)) if index not in figures and not is_unit(cells[index])
    ]
    if len(whole_figures) == 1 and name_cells:
        return (
            whole_figures[0]
            if len(cells[whole_figures[0]]) < CODE_DIGITS or len(cells) < 2 or whole_figures[0] > 0
            else None
        )
    if len(whole_figures) > 1:
        first_word = min(
            [*name_cells, *(index for index in whole_figures if len(cells[index]) >= CODE_DIGITS)],
            default=whole_figures[0],
        )
        return next((index for index in whole_figures if index > first_word), whole_figures[-1])
    return figures[0] if figures and name_cells else None


def _is_number_of_row(cells: Sequence[str], index: int) -> bool:
    return index == 0 and len(cells) > 1 and cells[0].isdigit() and len(cells[0]) < CODE_DIGITS


def _is_plain(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _build_swapped_readings(cells: Sequence[str], code_index: int) -> list[Reading]:
    """Return the reading of two cells in the other order: the cell at `code_index` is the code, the
    other one the quantity.
    """
    try:
        return [Reading(cells[code_index], parse_figure(cells[1 - code_index]))]
    except BadFigure as error:
        return [
            Reading(cells[code_index], problem=f"数量“{cells[1 - code_index][:20]}”无效：{error}")
        ]
