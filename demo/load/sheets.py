"""Read the sheets of demo/. demo/README.md defines their names and columns."""

from __future__ import annotations

import csv
from pathlib import Path

from django.conf import settings

Sheet = list[dict[str, str]]


def get_sheet_path(name: str) -> Path:
    """Return the path of a sheet such as `enterprise/groups`."""
    return Path(settings.BASE_DIR) / "demo" / f"{name}.csv"


def get_sheet(name: str) -> Sheet:
    """Return a sheet's rows as dictionaries: column title → text."""
    with get_sheet_path(name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def split_codes(cell: str) -> list[str]:
    """Return the values of a cell with several values."""
    return [part.strip() for part in cell.split(";") if part.strip()]


def is_yes(cell: str) -> bool:
    """Whether the cell is 是."""
    return cell == "是"
