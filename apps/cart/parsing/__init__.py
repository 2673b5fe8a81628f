"""What a person writes, pastes or uploads as an order, read line by line: nothing is dropped, nothing is looked up."""

from apps.cart.parsing.document import MAX_LINES, MAX_TEXT, read_text
from apps.cart.parsing.line import Kind, Reading, WrittenLine
from apps.cart.parsing.sheet import MAX_COLUMNS, MAX_MB, read_sheet

__all__ = ["MAX_COLUMNS", "MAX_LINES", "MAX_MB", "MAX_TEXT", "Kind", "Reading", "WrittenLine", "read_sheet", "read_text"]
