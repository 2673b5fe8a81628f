"""PDF documents with an embedded Chinese font. `Paper` collects the pages, `draw_table` breaks
pages, `Paper.finish()` returns the bytes.
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
    compute_line_height,
    draw_table,
    measure_text,
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
    "compute_line_height",
    "draw_table",
    "measure_text",
]
