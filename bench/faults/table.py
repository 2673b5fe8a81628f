"""The planted faults: one row per fault in faults.tsv."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("faults.tsv")
COLUMNS = ("id", "path", "find", "replace", "breaks", "last")


@dataclass(frozen=True)
class Fault:
    """A planted fault: in the file `path` the text `find`, which occurs once, becomes
    `replace`. In the table, the sign ⏎ stands for a line break.

    `breaks` says what goes wrong. `last` names a journey or a gauntlet test, which runs if no other
    test has caught the fault.
    """

    id: str
    path: str
    find: str
    replace: str
    breaks: str
    last: str = ""

    @property
    def is_frontend(self) -> bool:
        """Whether the fault is in the browser's code."""
        return self.path.startswith("frontend/")

    @property
    def is_guard_out(self) -> bool:
        """Whether the fault is a condition that is never true, written any(()), because linters
        recognise a plain False.
        """
        return self.replace in ("if any(()):", "elif any(()):")

    @property
    def part(self) -> str:
        """The app of the fault, or the top-level folder outside the apps."""
        first, _, rest = self.path.partition("/")
        return rest.partition("/")[0] if first == "apps" else first


class NotFoundOnce(Exception):
    """The text of a fault does not occur exactly once in its file."""


def read_faults(path: Path = TABLE) -> list[Fault]:
    """Return the faults in the table's order. Lines that begin with # are comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        Fault(*line.replace("⏎", "\n").split("\t"))
        for line in lines[1:]
        if line and not line.startswith("#")
    ]


def choose_faults(faults: list[Fault], fault_ids: list[str]) -> list[Fault]:
    """Return the faults named by `wanted`: an id (orders-03), a range (orders-03..orders-07) or
    a part (orders). Empty means all.
    """
    if not fault_ids:
        return faults
    ids = [fault.id for fault in faults]
    chosen: set[str] = set()
    for each in fault_ids:
        first, dots, last = each.partition("..")
        if dots:
            chosen |= set(ids[ids.index(first) : ids.index(last) + 1])
        else:
            chosen |= {fault.id for fault in faults if each in (fault.id, fault.part)}
    return [fault for fault in faults if fault.id in chosen]


def plant_fault(fault: Fault, text: str) -> str:
    """Return the file's text with the fault.

    Raises:
        NotFoundOnce: the text to find does not occur exactly once.
    """
    if text.count(fault.find) != 1:
        raise NotFoundOnce(
            f"{fault.id}: {text.count(fault.find)} times in {fault.path}: {fault.find}"
        )
    return text.replace(fault.find, fault.replace)


def find_line(fault: Fault, text: str) -> int:
    """Return the number of the first line that the fault changes."""
    return text[: text.index(fault.find)].count("\n") + 1
