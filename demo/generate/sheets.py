"""Read and write the demo sheets: UTF-8 with BOM, header first."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

DEMO = Path(__file__).resolve().parent.parent
CATALOGUE = DEMO / "catalogue"
ENTERPRISE = DEMO / "enterprise"
VOCAB = Path(__file__).resolve().parent / "vocab"

Row = dict[str, str]


def read_sheet(path: Path) -> list[Row]:
    """Return the rows of one sheet as dicts with the header's names as keys."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def write_sheet(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> int:
    """Write one sheet and return the number of its rows.

    Raises:
        ValueError: a row has an unknown column or lacks one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="raise")
        writer.writeheader()
        for row in rows:
            if row.keys() != set(columns):
                raise ValueError(f"{path.name}: {sorted(set(columns) ^ row.keys())}")
            writer.writerow(row)
            count += 1
    return count


def read_text_lines(path: Path) -> list[str]:
    """Return the lines of a vocabulary table without blank lines. Each table has its own
    meaning for a leading `#`.
    """
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
