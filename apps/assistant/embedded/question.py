"""An understood request with its author and the earlier turns: what the replies receive. Resolves
what a request refers to: 它, 第二个, and a question that goes on from the one before (那上个月呢,
要蓝色的, 改成 5 把).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from apps.assistant.answers import Event, Turn
from apps.assistant.embedded.acts import FILLERS, PUNCTUATION, Act
from apps.assistant.embedded.slots import Reference, Slots
from apps.search.keyword import Lexicon

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Question:
    """An understood request, its author, the earlier turns and the lexicon of the search."""

    actor: Account
    turns: Sequence[Turn]
    slots: Slots
    lexicon: Lexicon


# A reply may raise NotAllowed (tools/rights.py); its message is shown to the person.
Reply = Callable[[Question], Iterator[Event]]


LIST, ORDERS, ASKED, ACT = "list", "orders", "asked", "act"
DATA_ACTS = frozenset(
    (Act.SPENDING, Act.BOUGHT, Act.ORDERS, Act.SHIPPED, Act.INVOICES, Act.STATEMENT, Act.RETURNS)
)
PRODUCT_ACTS = frozenset(
    (Act.FIND, Act.CHEAPER, Act.SAME, Act.SUBSTITUTE, Act.PACKS, Act.COLOURS, Act.FACTS)
)
# The kinds of objects (slots.py) that a following question may change, for each act.
CHANGEABLE_KINDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(DATA_ACTS, frozenset("TPDKB")),
    Act.BUDGET: frozenset("TD"),
    Act.APPROVALS: frozenset("TP"),
    Act.FIND: frozenset("CMBN¥X"),
    Act.KIT: frozenset("HEW¥XQ"),
    Act.CART_ADD: frozenset("QCMNX"),
}
# Words of a request that only goes on.
CONTINUING = re.compile(
    r"那么|那|呢|不对|不是|错了|其中|里面|换成|换|改成|改为|改|只要|要|来|算了|再|有|看看|其他|一样|的|吧|就|还是|按|配|加到|是哪个|是哪款|哪个|"
    r"最便宜|便宜|最贵|贵|销量|卖得最好|有货|个|款"
)
SHORT = 10


def get_previous_list(turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the stored facts of the list in the latest answer; empty if it made none."""
    facts: dict[str, Any] = turns[-1].facts.get(LIST, {}) if turns else {}
    return facts


def list_shown_codes(turns: Sequence[Turn]) -> list[str]:
    """Return the product codes of the latest answer that showed or proposed products."""
    for turn in reversed(turns):
        if turn.codes or turn.proposed:
            return turn.codes or list(turn.proposed)
    return []


def list_shown_orders(turns: Sequence[Turn]) -> list[str]:
    """Return the order numbers of the latest answer that listed orders."""
    for turn in reversed(turns):
        if turn.facts.get(ORDERS):
            return [str(number) for number in turn.facts[ORDERS]]
    return []


def refers_to_orders(turns: Sequence[Turn]) -> bool:
    """Whether the latest answer with a list showed orders and not products."""
    for turn in reversed(turns):
        if turn.codes or turn.proposed:
            return False
        if turn.facts.get(ORDERS):
            return True
    return False


def resolve(references: Sequence[Reference], shown_items: Sequence[str]) -> list[str]:
    """Return the shown items to which the references point, each once. A place beyond the list
    points to nothing.
    """
    items: list[str] = []
    for reference in references:
        if reference.is_all:
            items += shown_items
        for place in reference.places:
            if place <= len(shown_items) and shown_items:
                items.append(shown_items[place - 1])
    return list(dict.fromkeys(items))


def points_beyond(references: Sequence[Reference], shown_items: Sequence[str]) -> bool:
    """Whether a reference points to a place that was not shown."""
    return any(
        place > len(shown_items) or not shown_items
        for reference in references
        for place in reference.places
    )


def get_previous_act(turns: Sequence[Turn]) -> str:
    """Return the act of the latest answer, "" if it had none."""
    return str(turns[-1].facts.get(ACT, "")) if turns else ""


def get_previous_question(turns: Sequence[Turn]) -> str:
    """Return the question of the latest answer, as it was understood."""
    return str(turns[-1].facts.get(ASKED, "")) if turns else ""


def continues_question(slots: Slots, turns: Sequence[Turn]) -> bool:
    """Whether the request only changes objects of the previous question: 那上个月呢, 要蓝色的."""
    act = get_previous_act(turns)
    letters = CHANGEABLE_KINDS.get(act)
    if letters is None or not get_previous_question(turns):
        return False
    changed_letters = {letter for letter, words in slots.fragments.items() if words}
    if slots.references or not changed_letters <= letters:
        return False
    if not changed_letters and not (slots.sort and act == Act.FIND):
        return False
    remaining_text = re.sub(r"[A-Z]", " ", PUNCTUATION.sub(" ", slots.masked_text))
    return not FILLERS.sub(" ", CONTINUING.sub(" ", remaining_text)).split()


# Conditions that add to earlier ones of the same kind.
ADDING = "MX"


def build_continued_question(slots: Slots, previous_slots: Slots) -> str:
    """Return the previous question with the objects of the new one in place of its own."""
    text = previous_slots.text
    added_words: list[str] = []
    for letter, words in slots.fragments.items():
        if not words:
            continue
        replaced_words = previous_slots.fragments.get(letter, ()) if letter not in ADDING else ()
        if letter == "M":
            replaced_words = [
                word
                for word in previous_slots.fragments.get("M", ())
                if _has_same_unit(word, words)
            ]
        if replaced_words and replaced_words[0] in text:
            text = text.replace(replaced_words[0], " ".join(words), 1)
            for word in replaced_words[1:]:
                text = text.replace(word, " ", 1)
        else:
            added_words += words
    sort = slots.text if slots.sort and not any(slots.fragments.values()) else ""
    exclusions = [word for word in added_words if word[:1] in "不除非别"]
    leading_words = [word for word in added_words if word not in exclusions]
    return " ".join([*leading_words, text, *exclusions, sort]).strip()


def _has_same_unit(old: str, new: Sequence[str]) -> bool:
    """Return whether the new measure replaces an old one of the same unit: 0.7mm for 0.5mm."""
    unit = re.sub(r"[\d.×/]+", "", old)
    return any(re.sub(r"[\d.×/]+", "", word) == unit for word in new)


def with_previous_period(slots: Slots, previous_slots: Slots) -> str:
    """Return the question with the period of the previous one: 都买了啥 after 这个月花了多少."""
    return (
        f"{previous_slots.periods[0].label}{slots.text}" if previous_slots.periods else slots.text
    )


def with_reference(slots: Slots) -> Slots:
    """Return the request with a reference to the first shown product."""
    return replace(slots, references=(Reference((1,)),), masked_text=f"R{slots.masked_text}")
