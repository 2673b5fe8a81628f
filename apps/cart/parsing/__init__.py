"""Parse typed, pasted or uploaded order lines. Every input line gives a result. The parser does
not access the database.
"""

from apps.cart.parsing.document import (
    MAX_COLUMNS,
    MAX_LINES,
    MAX_MB,
    MAX_TEXT,
    read_sheet,
    read_text,
)
from apps.cart.parsing.line import Kind, Reading, WrittenLine

__all__ = [
    "MAX_COLUMNS",
    "MAX_LINES",
    "MAX_MB",
    "MAX_TEXT",
    "Kind",
    "Reading",
    "WrittenLine",
    "read_sheet",
    "read_text",
]
