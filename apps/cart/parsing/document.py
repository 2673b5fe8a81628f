"""Split a text, or the rows of an uploaded .xlsx, .xls or .csv sheet, into numbered lines. Each
input line gives at least one output line.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from apps.cart.parsing.line import Kind, WrittenLine, build_skipped_line, build_unreadable_line
from apps.cart.parsing.phrase import (
    ASKING,
    BULLET,
    COURTESY,
    MENTION,
    has_own_quantity,
    read_phrase,
)
from apps.cart.parsing.table import Role, find_columns, is_sum, read_cells, read_titled
from apps.common.errors import TooLarge
from apps.common.files import TABLES, file_take
from apps.common.files.intake import Upload
from apps.documents.excel import read_rows

MAX_LINES = 10_000
MAX_TEXT = 600_000
MAX_LINE = 500
MAX_CELLS = 40
MAX_MB = 5
MAX_COLUMNS = MAX_CELLS
# Allows for titles and blank rows, which do not count as lines.
MAX_ROWS = 2 * MAX_LINES
WRONG_KIND = f"请上传 .xlsx、.xls 或 .csv 文件，最多 {MAX_LINES:,} 行、{MAX_MB} MB"
TOO_BIG = f"文件不能超过 {MAX_MB} MB，最多 {MAX_LINES:,} 行，请删除图片和多余的行后重试"
BLANK, HEAD, SUM = "空行", "表头", "合计行"
TOO_LONG = f"这一行超过 {MAX_LINE} 个字，请拆分"
TOO_WIDE = f"这一行超过 {MAX_CELLS} 列，请拆分"
TOO_MANY = f"一次最多识别 {MAX_LINES:,} 行，请分批提交"
ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
RULE = re.compile(r"[-=_*·.\s|+─━]+")
THOUSANDS = re.compile(r"(?<![\d,.])(\d{1,3}(?:,\d{3})+)(?![\d,])")
MARKS = re.compile(r"[,;、]")
WIDE_BLANKS = re.compile(r" {2,}")
# Longer runs become two spaces, which already separate columns. This bounds the patterns below.
BLANKS = re.compile(r"[^\S\t]{3,}")
CIRCLED = {chr(0x2460 + n): f"{n + 1}. " for n in range(20)}


def split_lines(text: str) -> list[str]:
    """Return the lines of a text. A trailing line break does not start another line."""
    lines = ENDS.split(text)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def read_text(text: str) -> list[WrittenLine]:
    """Return all parsed lines of a text.

    Raises:
        TooLarge: more than MAX_LINES lines.
    """
    lines = split_lines(text) if text else []
    if len(lines) > MAX_LINES:
        raise TooLarge(TOO_MANY)
    return _limit_lines(_parse_rows((line, _split_cells(line)) for line in lines))


def read_rows_of_cells(rows: Iterable[Sequence[str]]) -> list[WrittenLine]:
    """Return all parsed rows of a sheet. Rows above the column titles are skipped.

    Raises:
        TooLarge: the cells give more than MAX_LINES lines that name a product.
    """
    numbered_rows = [
        (
            text := " ".join(filter(None, row)),
            list(map(_to_half_width, row)) if len(text) <= MAX_LINE else list(row),
        )
        for row in rows
    ]
    head = next(
        (index for index, (_, cells) in enumerate(numbered_rows[:20]) if find_columns(cells)), 0
    )
    above = [
        build_skipped_line(no, text, BLANK if not text.strip() else HEAD)
        for no, (text, _) in enumerate(numbered_rows[:head], start=1)
    ]
    return above + _limit_lines(_parse_rows(numbered_rows[head:], start=head + 1))


def _limit_lines(lines: Iterator[WrittenLine]) -> list[WrittenLine]:
    """Return the lines and enforce MAX_LINES. One input line can give several lines. Skipped
    lines do not count.
    """
    bounded_lines, item_count = list[WrittenLine](), 0
    for line in lines:
        item_count += line.kind is not Kind.SKIPPED
        if item_count > MAX_LINES:
            raise TooLarge(TOO_MANY)
        bounded_lines.append(line)
    return bounded_lines


def _parse_rows(
    numbered_rows: Iterable[tuple[str, list[str]]], start: int = 1
) -> Iterator[WrittenLine]:
    """Yield the lines of numbered rows of text and cells. After a header row, cells are read by
    their column; rows without content, rulers and totals are skipped.
    """
    columns: dict[int, Role] | None = None
    for line_number, (text, cells) in enumerate(numbered_rows, start=start):
        nonempty_cells = [cell for cell in cells if cell]
        if not nonempty_cells or RULE.fullmatch(" ".join(nonempty_cells)):
            yield build_skipped_line(line_number, text, BLANK)
        elif len(text) > MAX_LINE or sum(map(len, cells)) > MAX_LINE:
            yield build_unreadable_line(line_number, text, TOO_LONG)
        elif is_sum(nonempty_cells[0]) or is_sum(" ".join(nonempty_cells)):
            yield build_skipped_line(line_number, text, SUM)
        elif (header_columns := find_columns(cells)) is not None:
            columns = header_columns
            yield build_skipped_line(line_number, text, HEAD)
        elif columns is not None and len(cells) > 1:
            yield read_titled(line_number, text, cells, columns)
        else:
            yield from _parse_untitled(line_number, text, nonempty_cells)


def _parse_untitled(no: int, text: str, nonempty_cells: Sequence[str]) -> Iterator[WrittenLine]:
    """Parse a line without column titles. If every cell has its own quantity, each cell is a
    line.
    """
    if len(nonempty_cells) == 1:
        yield read_phrase(no, text, nonempty_cells[0])
    elif all(map(_is_counted, nonempty_cells)):
        for cell in nonempty_cells:
            yield read_phrase(no, cell, cell)
    elif len(nonempty_cells) > MAX_CELLS:
        yield build_unreadable_line(no, text, TOO_WIDE)
    else:
        yield read_cells(no, text, nonempty_cells)


def _to_half_width(text: str) -> str:
    """Return the text with half-width letters, digits and signs, with ① as 1, and with at most
    two spaces in a row.
    """
    for sign, number in CIRCLED.items():
        if sign in text:
            text = text.replace(sign, number)
    return BLANKS.sub("  ", unicodedata.normalize("NFKC", text)).strip(" \u200b\ufeff")


def _split_cells(text: str) -> list[str]:
    """Split a line by its strongest delimiter: tab, bar, comma or semicolon, two or more
    spaces. Without a delimiter the line is one cell.

    A line that is longer than MAX_LINE, before or after the conversion to half width, is not split.
    """
    line = _to_half_width(text) if len(text) <= MAX_LINE else text
    if len(line) > MAX_LINE:
        return [line]
    if "\t" in line:
        return [cell.strip().strip('"').strip() for cell in line.split("\t")]
    if "|" in line.strip("|"):
        return [cell.strip() for cell in line.strip("|").split("|")]
    line = COURTESY.sub("", MENTION.sub("", BULLET.sub("", line))) or line
    pieces = [piece.strip() for piece in MARKS.split(line) if piece.strip()]
    if len(pieces) > 1 and '"' not in line and all(map(_is_counted, pieces)):
        return pieces
    line_without_thousands = THOUSANDS.sub(
        lambda match: match[1].replace(",", "") if match[1] != line.strip() else match[1], line
    )
    for delimiter in (",", ";", "、"):
        if delimiter in line_without_thousands:
            return _split_by_delimiter(line_without_thousands, delimiter)
    words = line_without_thousands.split()
    if find_columns(words):
        return words
    return WIDE_BLANKS.split(line_without_thousands)


def _is_counted(piece: str) -> bool:
    return has_own_quantity(ASKING.sub("", piece))


def _split_by_delimiter(line: str, delimiter: str) -> list[str]:
    """Return the cells of the line. With quotes, the line is read as CSV."""
    if '"' in line:
        try:
            return [
                cell.strip()
                for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
            ]
        except (csv.Error, StopIteration):
            pass
    return [cell.strip() for cell in line.split(delimiter)]


def read_sheet(upload: Upload) -> list[WrittenLine]:
    """Return all parsed rows of the first visible sheet.

    Raises:
        FileRefused: the file is not a sheet, is broken, or exceeds the limits.
        TooLarge: the sheet has more than MAX_LINES lines that name a product.
    """
    upload_file = file_take(
        upload, kinds=TABLES, max_mb=MAX_MB, message=WRONG_KIND, size_message=TOO_BIG
    )
    rows = list(
        read_rows(io.BytesIO(upload_file.content), max_rows=MAX_ROWS, max_columns=MAX_COLUMNS)
    )
    while rows and not any(rows[-1]):
        rows.pop()
    return read_rows_of_cells(rows)
