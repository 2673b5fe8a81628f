"""Parse a line of cells, with or without column titles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.cart.parsing.headers import Role
from apps.cart.parsing.line import Reading, WrittenLine, item, unreadable
from apps.cart.parsing.phrase import CODE_DIGITS, read_phrase
from apps.common.figures import FIGURE, BadFigure, cell_quantity, is_figure, is_unit, parse_figure

NAMELESS = "这一行没有商品编码或名称，请补填（合并的单元格请先拆分）"


def read_titled(
    no: int, text: str, cells: Sequence[str], columns: Mapping[int, Role]
) -> WrittenLine:
    """Return the line of a table with known columns."""
    held = {
        role: [
            cells[index]
            for index, at in columns.items()
            if at is role and index < len(cells) and cells[index]
        ]
        for role in Role
    }
    words = [*held[Role.CODE], *held[Role.NAME]] or held[Role.SPEC]
    if not words:
        return unreadable(no, text, NAMELESS)
    try:
        quantity, unit = cell_quantity(" ".join(held[Role.QUANTITY][:1]))
    except BadFigure as error:
        return unreadable(no, text, str(error))
    unit = unit or " ".join(held[Role.UNIT][:1])
    if quantity is None and Role.QUANTITY not in columns.values():
        return read_phrase(no, text, " ".join(words))
    if quantity is None and is_figure(unit):
        said = f"“数量”没有填写（“单位”列写的是“{unit[:20]}”），请填写数量"
        return item(
            no,
            text,
            [Reading(words[0], problem=said)],
            search=" ".join(words),
            remark=" ".join(held[Role.REMARK]),
        )
    readings = _readings(words, quantity, unit)
    search = " ".join([*(held[Role.NAME] or words), *held[Role.SPEC]])
    readings += [
        Reading(word, quantity, unit, is_primary=False)
        for word in [*held[Role.SPEC], search]
        if word not in words
    ]
    return item(no, text, readings, search=search, remark=" ".join(held[Role.REMARK]))


def read_cells(no: int, text: str, cells: Sequence[str]) -> WrittenLine:
    """Return a line of cells without column titles. The format and the position of the numbers
    decide which cell is the quantity.
    """
    filled = [cell for cell in cells if cell]
    at = _quantity_place(filled)
    if at is None:
        return read_phrase(no, text, " ".join(filled))
    rest = [cell for index, cell in enumerate(filled) if index != at]
    unit = next((cell for cell in filled[at + 1 : at + 2] if is_unit(cell)), "")
    words = [
        cell
        for index, cell in enumerate(rest)
        if not is_unit(cell) and not _is_number_of_row(rest, index)
    ]
    prices = [cell for cell in words if is_figure(cell) and "." in cell]
    words = [cell for cell in words if cell not in prices]
    if not words:
        return unreadable(no, text, NAMELESS)
    try:
        quantity, written = cell_quantity(filled[at])
    except BadFigure as error:
        return unreadable(no, text, str(error))
    readings = _readings(words, quantity, written or unit)
    if len(filled) == 2 and all(_is_plain(cell) for cell in filled):
        readings += _other_way(filled, at)
    search = " ".join(words)
    if len(words) > 1:
        readings.append(Reading(search, quantity, written or unit, is_primary=False))
    return item(no, text, readings, search=search)


def _readings(words: Sequence[str], quantity: int | None, unit: str) -> list[Reading]:
    """The first word names the product. The other words only help the search."""
    return [Reading(word, quantity, unit, is_primary=not index) for index, word in enumerate(words)]


def _quantity_place(cells: Sequence[str]) -> int | None:
    figures = [index for index, cell in enumerate(cells) if is_figure(cell)]
    counted = [
        index for index in figures if (found := FIGURE.fullmatch(cells[index])) and found["unit"]
    ]
    if counted:
        return counted[-1]
    plain = [index for index in figures if "." not in cells[index].rstrip("0").rstrip(".")]
    if len(cells) == 2 and len(plain) == 2:
        # The longer number is the code. With equal lengths the second number is the quantity.
        return 0 if len(cells[0]) < len(cells[1]) else 1
    named = [
        index for index in range(len(cells)) if index not in figures and not is_unit(cells[index])
    ]
    if len(plain) == 1 and named:
        return (
            plain[0]
            if len(cells[plain[0]]) < CODE_DIGITS or len(cells) < 2 or plain[0] > 0
            else None
        )
    if len(plain) > 1:
        first_word = min(
            [*named, *(index for index in plain if len(cells[index]) >= CODE_DIGITS)],
            default=plain[0],
        )
        return next((index for index in plain if index > first_word), plain[-1])
    return figures[0] if figures and named else None


def _is_number_of_row(cells: Sequence[str], index: int) -> bool:
    return index == 0 and len(cells) > 1 and cells[0].isdigit() and len(cells[0]) < CODE_DIGITS


def _is_plain(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _other_way(cells: Sequence[str], at: int) -> list[Reading]:
    try:
        return [Reading(cells[at], parse_figure(cells[1 - at]))]
    except BadFigure as error:
        return [Reading(cells[at], problem=f"数量“{cells[1 - at][:20]}”无效：{error}")]
