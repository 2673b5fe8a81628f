"""One line as it was written, and the ways in which it can be read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SHOWN = 200


class Kind(StrEnum):
    """What a line is before anything is looked up."""

    ITEM = "item"
    SKIPPED = "skipped"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a line: which word names the product, how many of it; `quantity` None where none is written.

    Words that are not `is_primary` (a name beside a code) find candidates only. `problem` says what is wrong with its quantity.
    """

    word: str
    quantity: int | None = None
    unit: str = ""
    is_primary: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """Line `no` of what was put in. `reason` says why it is skipped or cannot be read, `search` what to look for where nothing fits
    exactly, `remark` what else was written, `doubt` what the person should look at."""

    no: int
    text: str
    kind: Kind
    readings: tuple[Reading, ...] = ()
    reason: str = ""
    search: str = ""
    remark: str = ""
    doubt: str = ""


def item(no: int, text: str, readings: list[Reading], *, search: str = "", remark: str = "", doubt: str = "") -> WrittenLine:
    """Return a line that asks for a product."""
    looked_for = search or readings[0].word
    return WrittenLine(no, shown(text), Kind.ITEM, tuple(readings), search=looked_for[:SHOWN], remark=shown(remark), doubt=doubt)


def skipped(no: int, text: str, reason: str) -> WrittenLine:
    """Return a line that asks for nothing."""
    return WrittenLine(no, shown(text), Kind.SKIPPED, reason=reason)


def unreadable(no: int, text: str, reason: str) -> WrittenLine:
    """Return a line that asks for something which cannot be told."""
    return WrittenLine(no, shown(text), Kind.UNREADABLE, reason=reason)


def shown(text: str) -> str:
    """Return a text on one line, at most SHOWN characters."""
    return " ".join(text.split())[:SHOWN]
