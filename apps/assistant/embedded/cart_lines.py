"""Splits a request for the cart into wanted lines: 来5包A4复印纸，再来2盒黑色中性笔 has two."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from apps.assistant.embedded.slots import Slots

SEPARATOR = re.compile(r"[,、;和与再]|还有|以及")
HEADS = "KG"


@dataclass(frozen=True, slots=True)
class WantedLine:
    """A wanted product with its quantity as written. `slots` hold its own conditions only."""

    text: str
    slots: Slots
    code: str = ""
    quantity: int | None = None
    unit: str = ""


@dataclass(slots=True)
class _Draft:
    """The letters of one line, each with its place among the letters of its kind."""

    letters: list[tuple[str, int]] = field(default_factory=list)

    def has(self, letters: str) -> bool:
        return any(letter in letters for letter, _ in self.letters)

    def list_places(self, letter: str) -> list[int]:
        return [place for own_letter, place in self.letters if own_letter == letter]


def read_wanted_lines(slots: Slots) -> list[WantedLine]:
    """Return the wanted lines. Conditions without a product belong to the line before them."""
    counts: dict[str, int] = {}
    drafts = [_Draft()]
    for segment in SEPARATOR.split(slots.masked_text):
        if any(letter in HEADS for letter in segment) and drafts[-1].has(HEADS):
            drafts.append(_Draft())
        for at, letter in enumerate(segment):
            if not "A" <= letter <= "Z":
                continue
            place = counts.get(letter, 0)
            counts[letter] = place + 1
            following_letters = segment[at + 1 :]
            if _begins_line(drafts[-1], letter, following_letters):
                drafts.append(_Draft())
            drafts[-1].letters.append((letter, place))
    for previous_draft, draft in pairwise(drafts):
        if not draft.has(HEADS):
            draft.letters += [pair for pair in previous_draft.letters if pair[0] in HEADS]
    if len(slots.quantities) == 1 and "各" in slots.text:
        for draft in drafts:
            draft.letters = [pair for pair in draft.letters if pair[0] != "Q"] + [("Q", 0)]
    return [_build_wanted_line(draft, slots, len(drafts)) for draft in drafts if draft.has(HEADS)]


def _begins_line(draft: _Draft, letter: str, following_letters: str) -> bool:
    """Whether a second product or a second quantity begins a new line. 中性笔黑色20支蓝色10支: the
    second colour has a quantity of its own.
    """
    if letter in "CMN" and draft.has("Q") and draft.has(HEADS):
        return "Q" in following_letters
    if letter == "Q":
        return draft.has("Q") and draft.has(HEADS)
    return letter in HEADS and draft.has(HEADS)


def _build_wanted_line(draft: _Draft, slots: Slots, line_count: int) -> WantedLine:
    """Return the wanted line of a draft. Each letter of the draft stands for the nth kind, code,
    brand and so on of `slots`. If the text says 每人, the quantity is multiplied by the number of
    people.
    """
    kinds = tuple(slots.kinds[place] for place in draft.list_places("K"))
    codes = [slots.codes[place] for place in draft.list_places("G") if place < len(slots.codes)]
    quantities = [slots.quantities[place] for place in draft.list_places("Q")]
    colours = tuple(
        slots.colours[place] for place in draft.list_places("C") if place < len(slots.colours)
    ) + tuple(word for kind in kinds for word in kind.words if word in slots.colours)
    line_slots = replace(
        slots,
        kinds=kinds,
        brands=tuple(slots.brands[place] for place in draft.list_places("B")),
        colours=colours,
        measures=tuple(
            slots.measures[place] for place in draft.list_places("M") if place < len(slots.measures)
        ),
        packs=tuple(slots.packs[place] for place in draft.list_places("N")),
        sort=slots.sort if line_count == 1 else None,
    )
    count, unit = quantities[0] if quantities else (None, "")
    if count is not None and slots.heads and re.search(r"一人|每人|人手|每个人", slots.text):
        count *= slots.heads
    words = [
        *line_slots.brands,
        *line_slots.colours,
        *line_slots.measures,
        *(kind.word for kind in kinds),
    ]
    return WantedLine(
        text=" ".join(words) or (codes[0] if codes else slots.text),
        slots=line_slots,
        code=codes[0] if codes else "",
        quantity=count,
        unit=unit,
    )
