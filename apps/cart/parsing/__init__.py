"""Parse typed, pasted or uploaded order lines. Every input line gives a result. The parser does
not access the database.
"""

from apps.cart.parsing.document import MAX_LINES, MAX_TEXT, read_text
from apps.cart.parsing.line import Kind, Reading, WrittenLine
from apps.cart.parsing.sheet import MAX_COLUMNS, MAX_MB, read_sheet

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
