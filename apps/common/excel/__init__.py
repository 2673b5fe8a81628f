"""Sheets in and out: .xlsx and .csv, in also .xls, within bounds, without formulas that run."""

from apps.common.excel.formulas import refuse_uncertain_formulas
from apps.common.excel.reader import Row, read_rows
from apps.common.excel.writer import safe_csv_cell, write_csv, write_xlsx

__all__ = ["Row", "read_rows", "refuse_uncertain_formulas", "safe_csv_cell", "write_csv", "write_xlsx"]
