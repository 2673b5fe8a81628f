"""Read and write sheets within limits: .xlsx and .csv, and read .xls. Written cells never
contain formulas.
"""

from apps.documents.excel.reader import (
    REASON,
    Row,
    SheetMapping,
    TableRow,
    find_sheet_mapping,
    read_named_cells,
    read_rows,
    read_table,
    refuse_uncertain_formulas,
)
from apps.documents.excel.writer import escape_csv_cell, write_csv, write_xlsx
from apps.documents.excel.wrong_rows import build_wrong_sheet

__all__ = [
    "REASON",
    "Row",
    "SheetMapping",
    "TableRow",
    "build_wrong_sheet",
    "escape_csv_cell",
    "find_sheet_mapping",
    "read_named_cells",
    "read_rows",
    "read_table",
    "refuse_uncertain_formulas",
    "write_csv",
    "write_xlsx",
]
