"""PDF documents with an embedded Chinese font. `Paper` collects the pages, `draw_table` breaks
pages, `Paper.finished()` returns the bytes.
"""

from apps.documents.pdf.paper import (
    FOOT,
    GREY,
    HEIGHT,
    INK,
    INNER,
    LINE,
    MARGIN,
    WIDTH,
    Column,
    Paper,
    draw_table,
    line_height,
    text_width,
)

__all__ = [
    "FOOT",
    "GREY",
    "HEIGHT",
    "INK",
    "INNER",
    "LINE",
    "MARGIN",
    "WIDTH",
    "Column",
    "Paper",
    "draw_table",
    "line_height",
    "text_width",
]
