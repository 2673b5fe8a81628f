"""The judged questions: who asks, what he asked before, and what a right answer contains."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

SHEET = Path(__file__).with_name("judged.tsv")
TURN = "⏎"
HELD = "held"


@dataclass(frozen=True, slots=True)
class Expectation:
    """An act with its slots. Lists are separated by commas: kind=硒鼓,粉盒."""

    act: str
    slots: dict[str, str]

    def get(self, name: str) -> str:
        """Return a slot as it stands in the sheet, "" if it is missing."""
        return self.slots.get(name, "")

    def list(self, name: str) -> list[str]:
        """Return the values of a slot."""
        return [value for value in self.get(name).split(",") if value]


@dataclass(frozen=True, slots=True)
class Case:
    """A judged question. `parts` are the requests of its last turn; each is right if one of its
    alternatives is.
    """

    number: int
    part: str
    kind: str
    person: str
    turns: tuple[str, ...]
    parts: tuple[tuple[Expectation, ...], ...]

    @property
    def is_held_out(self) -> bool:
        """Whether the case is never used for tuning."""
        return self.part == HELD


def read_cases() -> list[Case]:
    """Return all cases in the sheet's order."""
    with SHEET.open(encoding="utf-8", newline="") as sheet:
        rows = list(csv.DictReader(sheet, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Case(
            number=number,
            part=row["part"],
            kind=row["class"],
            person=row["person"],
            turns=tuple(turn.strip() for turn in row["question"].split(TURN)),
            parts=tuple(
                tuple(_parse_expectation(one) for one in part.split("|"))
                for part in row["expected"].split(";")
            ),
        )
        for number, row in enumerate(rows, start=2)
    ]


def _parse_expectation(text: str) -> Expectation:
    act, *slots = text.split()
    return Expectation(act, dict(re.split("=", slot, maxsplit=1) for slot in slots))
