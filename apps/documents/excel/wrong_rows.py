"""The sheet of wrong rows: the columns of the template, with 错误原因 as the last one. The import
ignores that column, so the corrected sheet can be sent again as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from apps.common.services.wrong_rows import WrongSheet
from apps.documents.excel.reader import REASON


def build_wrong_sheet(
    name: str,
    *,
    columns: Mapping[str, str],
    rows: Iterable[tuple[Mapping[str, str], Sequence[str]]],
) -> WrongSheet:
    """Return the sheet of the rows that have errors. `columns` are header → field, `rows` the
    cells by field and the errors of each row.
    """
    return WrongSheet(
        name=name,
        header=[*(title.rstrip("*") for title in columns), REASON],
        rows=[
            [*(cells.get(field, "") for field in columns.values()), "；".join(errors)]
            for cells, errors in rows
            if errors
        ],
    )
