"""Documents as PDF with the Chinese font inside: `Paper` collects, `table_written` breaks pages, `Paper.finished()` returns the bytes."""

from apps.common.pdf.paper import FOOT, GREY, HEIGHT, INK, INNER, LINE, MARGIN, WIDTH, Paper, line_height, measured
from apps.common.pdf.table import Column, table_written

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
    "line_height",
    "measured",
    "table_written",
]
