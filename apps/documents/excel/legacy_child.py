"""The child process of `legacy.py`. It reads a workbook from stdin and prints {"rows": …} or
{"refused": …} as JSON.

It runs isolated and imports nothing of the project. The .xlsx reader imports functions from here.
"""

import datetime
import io
import json
import sys

MEMORY = 220 * 1024 * 1024
CPU_SECONDS = 6
MAX_TEXT = 8 * 1024 * 1024


def as_text(value: object) -> str:
    """Return a cell as text: whole numbers without .0, dates in ISO format, an empty cell as ""."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return (
            value.date().isoformat()
            if value.time() == datetime.time()
            else value.isoformat(sep=" ")
        )
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def describe_row_limit(max_rows: int, heading: int) -> str:
    """Return the message with the maximum number of rows."""
    return f"表格最多 {max_rows} 行" + ("（不含表头）" if heading else "")


def read(
    content: bytes, max_rows: int, max_columns: int, max_cell: int, heading: int
) -> dict[str, object]:
    """Return {"rows": cells as text} of the first visible sheet, or {"refused": the message}."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
    visible = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.visible == SheetVisibleEnum.Visible
    ]
    sheet = workbook.get_sheet_by_name(visible[0])
    first_column = sheet.start[1] if sheet.start else 0
    if sheet.end and sheet.end[0] >= max_rows + heading:
        return {"refused": f"{describe_row_limit(max_rows, heading)}，请删除多余的行或拆分后重试"}
    if sheet.end and sheet.end[1] >= max_columns:
        return {"refused": f"表格最多 {max_columns} 列，请删除多余的列后重试"}
    rows, text_length = [], 0
    for cells in sheet.iter_rows():
        row = [""] * first_column + [as_text(cell) for cell in cells]
        text_length += sum(map(len, row))
        if any(len(cell) > max_cell or "\x00" in cell for cell in row) or text_length > MAX_TEXT:
            return {
                "refused": f"有单元格超过 {max_cell} 个字、含有非法字符，或内容过多，请检查后重试"
            }
        rows.append(row)
    return {"rows": rows}


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    # Write no core file if the process is killed.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.write(json.dumps(read(sys.stdin.buffer.read(), *map(int, sys.argv[1:5]))))
