"""A line of the input and its possible readings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_SHOWN = 200


class Kind(StrEnum):
    """The kind of a line before any database look-up."""

    ITEM = "item"
    SKIPPED = "skipped"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a line: the word that names the product, and its quantity. `quantity` is
    None if the line has none.

    Words that are not `is_primary`, such as a name beside a code, only find candidates. `problem`
    describes an invalid quantity.
    """

    word: str
    quantity: int | None = None
    unit: str = ""
    is_primary: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """Line `no` of the input. `reason` explains why it is skipped or unreadable. `search` is
    the search text if no product matches exactly. `remark` is the remaining text. `doubt` is a
    point that the user must check.
    """

    no: int
    text: str
    kind: Kind
    readings: tuple[Reading, ...] = ()
    reason: str = ""
    search: str = ""
    remark: str = ""
    doubt: str = ""


def build_item_line(
    no: int,
    text: str,
    readings: list[Reading],
    *,
    search: str = "",
    remark: str = "",
    doubt: str = "",
) -> WrittenLine:
    """Return a line that asks for a product, with the readings of its text to try in order."""
    looked_for = search or readings[0].word
    return WrittenLine(
        no,
        shorten(text),
        Kind.ITEM,
        tuple(readings),
        search=looked_for[:MAX_SHOWN],
        remark=shorten(remark),
        doubt=doubt,
    )


def build_skipped_line(no: int, text: str, reason: str) -> WrittenLine:
    """Return a line that names no product, such as a blank line."""
    return WrittenLine(no, shorten(text), Kind.SKIPPED, reason=reason)


def build_unreadable_line(no: int, text: str, reason: str) -> WrittenLine:
    """Return a line that the parser cannot read."""
    return WrittenLine(no, shorten(text), Kind.UNREADABLE, reason=reason)


def shorten(text: str) -> str:
    """Return the text on one line, with at most MAX_SHOWN characters."""
    return " ".join(text.split())[:MAX_SHOWN]
