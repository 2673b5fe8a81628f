"""The judged questions, and which of them are held out."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

SHEET = Path(__file__).with_name("questions.tsv")
HELD_OUT = 3  # every third row of the sheet


@dataclass(frozen=True, slots=True)
class Question:
    """A question of an account: earlier questions, the tool that must run, and the facts that
    the answer must contain.
    """

    id: str
    account: str
    before: tuple[str, ...]
    ask: str
    tools: tuple[str, ...]
    facts: tuple[str, ...]
    is_held_out: bool


def questions() -> list[Question]:
    """Return all questions in the sheet's order."""
    with SHEET.open(encoding="utf-8", newline="") as sheet:
        rows = list(csv.DictReader(sheet, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Question(
            id=row["id"],
            account=row["as"],
            before=tuple(part for part in row["before"].split(" // ") if part),
            ask=row["ask"],
            tools=tuple(row["tool"].split("|")),
            facts=tuple(fact.strip() for fact in row["facts"].split(";") if fact.strip()),
            is_held_out=number % HELD_OUT == HELD_OUT - 1,
        )
        for number, row in enumerate(rows)
    ]
