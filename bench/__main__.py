"""Run benchmarks and print a table: python -m bench [NAME…]; all if no name is given.

`python -m bench --smoke [NAME…]` runs every program of this folder once with minimal data: see
smoke.py.
"""

import importlib
import pkgutil
import sys
import time
import unicodedata
from collections.abc import Sequence

import bench
from bench.registry import BENCHMARKS, Figure
from bench.smoke import smoke

VERDICT = {True: "ok", False: "MISSED", None: ""}


def discover() -> None:
    """Import every module bench_… of this package, so that it registers its benchmarks."""
    for module in pkgutil.iter_modules(bench.__path__):
        if module.name.startswith("bench_"):
            importlib.import_module(f"bench.{module.name}")


def width(text: str) -> int:
    """Return the number of terminal columns of `text`. A Chinese character has two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows as aligned columns."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell + " " * (widths[i] - width(cell)) for i, cell in enumerate(row)).rstrip()
        for row in rows
    )


def row_of(name: str, figure: Figure) -> tuple[str, ...]:
    """Return the cells of one figure."""
    return name, figure.what, f"{figure.value:,.2f} {figure.unit}", figure.gate, VERDICT[figure.ok]


def main() -> int:
    """Run the benchmarks and print the table. Return 1 if a gate is missed, 2 if a name is
    unknown.
    """
    discover()
    if sys.argv[1:2] == ["--smoke"]:
        return smoke(sys.argv[2:])
    names = sys.argv[1:] or sorted(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(
            f"no benchmark {', '.join(unknown)}; there are: "
            f"{', '.join(sorted(BENCHMARKS)) or 'none'}"
        )
        return 2
    rows: list[tuple[str, ...]] = [("benchmark", "what", "figure", "gate", "")]
    for name in names:
        began = time.monotonic()
        rows += [row_of(name, figure) for figure in BENCHMARKS[name]()]
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(table(rows))
    return int(any(row[-1] == VERDICT[False] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
