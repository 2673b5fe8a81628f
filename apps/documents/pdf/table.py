"""A table that continues over several pages and repeats its head on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.documents.pdf.paper import (
    FOOT,
    HEAD_FILL,
    INNER,
    MARGIN,
    Paper,
    drop_unwritable,
    line_height,
    wrap_text,
)

SIZE = 8.5
PAD = 1.6


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, its share of the width, and its alignment ("right" for numbers)."""

    title: str
    share: float
    align: str = "left"


def draw_table(
    paper: Paper,
    *,
    y: float,
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    bottom: float = FOOT - 3,
) -> float:
    """Write the rows from y on. Each row is as high as its longest cell. Return the y below the
    last row.
    """
    scale = INNER / sum(column.share for column in columns)
    widths = [column.share * scale for column in columns]
    y = _head(paper, y, columns, widths)
    for row in rows:
        cells = [
            wrap_text(drop_unwritable(cell), width=width - 2 * PAD, size=SIZE)
            for cell, width in zip(row, widths, strict=True)
        ]
        height = max(len(cell) for cell in cells) * line_height(SIZE) + 2 * PAD
        if y + height > bottom:
            y = _head(paper, paper.page(), columns, widths)
        _row(paper, y, columns, widths, cells)
        y += height
        paper.line(y=y)
    return y


def _head(paper: Paper, y: float, columns: Sequence[Column], widths: Sequence[float]) -> float:
    height = line_height(SIZE) + 2 * PAD
    paper.box(x=MARGIN, y=y, width=INNER, height=height, colour=HEAD_FILL, filled=True)
    x = MARGIN
    for column, width in zip(columns, widths, strict=True):
        paper.text(
            column.title,
            x=x + PAD,
            y=y + PAD,
            width=width - 2 * PAD,
            size=SIZE,
            bold=True,
            align=column.align,
        )
        x += width
    paper.line(y=y)
    paper.line(y=y + height)
    return y + height


def _row(
    paper: Paper,
    y: float,
    columns: Sequence[Column],
    widths: Sequence[float],
    cells: Sequence[Sequence[str]],
) -> None:
    x = MARGIN
    for column, width, lines in zip(columns, widths, cells, strict=True):
        for number, line in enumerate(lines):
            top = y + PAD + number * line_height(SIZE)
            paper.text(line, x=x + PAD, y=top, width=width - 2 * PAD, size=SIZE, align=column.align)
        x += width
