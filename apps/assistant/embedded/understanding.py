"""From a message to requests: splits it, parses each part, finds its act and resolves what it takes
from earlier turns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.assistant.answers import Turn
from apps.assistant.embedded.acts import (
    HOW,
    KIT_ROW,
    TABLE,
    Act,
    ActRow,
    find_act,
    list_unknown_words,
)
from apps.assistant.embedded.question import (
    DATA_ACTS,
    PRODUCT_ACTS,
    SHORT,
    build_continued_question,
    continues_question,
    get_previous_act,
    get_previous_question,
    list_shown_codes,
    refers_to_orders,
    with_previous_period,
    with_reference,
)
from apps.assistant.embedded.slots import Slots, parse_slots
from apps.search.keyword import Lexicon

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_REQUESTS = 4
STRONG = re.compile(r"[；;。?？!！\n]+")
# 另外, 顺便, 再查: a comma before them separates two requests.
JOINING = re.compile(r"[，,、\s]*(?:另外|此外|顺便|还有就是|对了|以及帮我|然后)(?:再|也)?[，,\s]*")
COMMA = re.compile(r"[，,]\s*")
# After a kit its budget is meant: 预算改成 600.
NEW_BUDGET = re.compile(r"预算(?:再)?(?:改成|改为|加到|提高到|降到|调到|增加到|减到)")
ABOUT_PRODUCT = re.compile(
    r"有货|库存|多少钱|什么价|价格|起订|几天|发货|类似|替代|平替|其他颜色|什么颜色|包装|规格"
)
# Another way of a kit: 更省的方案.
OTHER_VARIANT = re.compile(r"更省|更便宜|更知名|大牌|名牌|品牌更?少|方案")
# Acts that a part can have without the parts before it.
STANDALONE = frozenset(
    (
        Act.CART_VIEW,
        Act.INVOICES,
        Act.STATEMENT,
        Act.CREDIT,
        Act.HELP,
        Act.RETURNS,
        Act.APPROVALS,
        Act.BUDGET,
        Act.BOUGHT,
        Act.SPENDING,
        Act.SHIPPED,
        Act.ORDER,
        Act.ORDERS,
        Act.KIT,
        Act.BUY_AGAIN,
    )
)


@dataclass(frozen=True, slots=True)
class Request:
    """One understood request. `row` is None if no act fits. `unknown` are the words that its act
    does not understand.
    """

    slots: Slots
    row: ActRow | None
    unknown: tuple[str, ...] = ()

    @property
    def act(self) -> Act | None:
        """The act, or None."""
        return self.row.act if self.row else None


class Understanding:
    """Understands the messages of one person in one conversation."""

    def __init__(self, actor: Account, turns: Sequence[Turn], lexicon: Lexicon) -> None:
        self.actor, self.turns, self.lexicon = actor, list(turns), lexicon

    def parse(self, text: str) -> Slots:
        """Return the slots of one request."""
        return parse_slots(text, actor=self.actor, lexicon=self.lexicon)

    def split(self, text: str) -> list[str]:
        """Return the requests of a message, at most MAX_REQUESTS; the whole message if its parts
        make no sense alone.
        """
        requests = [
            part.strip(" ，,")
            for piece in STRONG.split(text)
            for part in JOINING.split(piece)
            if part.strip(" ，,")
        ]
        if len(requests) > 1 and not all(self._is_complete(part) for part in requests):
            requests = [text]
        parts = [part for piece in requests for part in self._split_at_commas(piece)]
        return parts if len(parts) <= MAX_REQUESTS else [text]

    def _split_at_commas(self, text: str) -> list[str]:
        """Return the separate requests of a text with commas. Return the text as a whole unless
        each part names an act of its own.
        """
        pieces = [piece for piece in COMMA.split(text) if piece.strip()]
        if not 1 < len(pieces) <= MAX_REQUESTS:
            return [text]
        piece_rows = [find_act(self.parse(piece)) for piece in pieces]
        piece_acts = [row.act if row else None for row in piece_rows]
        first_act, *later_acts = piece_acts
        is_first_complete = first_act in STANDALONE or first_act == Act.FIND
        if first_act == Act.HELP and not re.search(HOW, pieces[0]):
            return [text]
        if not is_first_complete or any(act not in STANDALONE for act in later_acts):
            return [text]
        if len(set(piece_acts)) < len(piece_acts) and set(piece_acts) != {Act.HELP}:
            return [text]
        return pieces

    def _is_complete(self, text: str) -> bool:
        row = find_act(self.parse(text))
        return row is not None and (row.act in STANDALONE or row.act in (Act.FIND, Act.FACTS))

    def understand(self, text: str) -> Request:
        """Return the request of a text, with what it takes from earlier turns."""
        if get_previous_act(self.turns) == Act.KIT:
            text = NEW_BUDGET.sub("预算", text)
        slots = self.parse(text)
        row = find_act(slots)
        if continues_question(slots, self.turns) and not (
            row and row.act in (Act.CART_VIEW, Act.FORBIDDEN)
        ):
            joined_question = build_continued_question(
                slots, self.parse(get_previous_question(self.turns))
            )
            slots = self.parse(joined_question)
            row = find_act(slots) or row
        elif get_previous_act(self.turns) == Act.KIT and OTHER_VARIANT.search(slots.masked_text):
            slots = self.parse(f"{get_previous_question(self.turns)} {slots.text}")
            row = KIT_ROW
        elif self._takes_period(slots, row):
            previous_slots = self.parse(get_previous_question(self.turns))
            slots = self.parse(with_previous_period(slots, previous_slots))
            row = find_act(slots) or row
        elif self._wants_cheaper(slots, row):
            slots = with_reference(slots)
            row = _get_row(Act.CHEAPER)
        elif self._adds_words(slots, row):
            slots = self.parse(
                f"{slots.text.strip('的呢吗有要')} {get_previous_question(self.turns)}"
            )
            row = find_act(slots) or row
        elif (product_row := self._find_act_about_shown(slots, row)) is not None:
            slots = with_reference(slots)
            row = product_row
        elif row is None and slots.quantities and list_shown_codes(self.turns):
            row = _get_row(Act.CART_ADD)
        row = self._find_act_of_orders(slots, row)
        unknown = tuple(list_unknown_words(slots, row)) if row else ()
        return Request(slots, row, unknown)

    def _takes_period(self, slots: Slots, row: ActRow | None) -> bool:
        """Whether a short question about data goes on with the period of the one before."""
        return (
            row is not None
            and row.act in (Act.BOUGHT, Act.SPENDING)
            and not slots.periods
            and len(slots.text) < SHORT
            and get_previous_act(self.turns) in DATA_ACTS
            and bool(get_previous_question(self.turns))
        )

    def _find_act_about_shown(self, slots: Slots, row: ActRow | None) -> ActRow | None:
        """Return the row of a question about the only product of the latest answer: 有货吗."""
        shown_codes = self.turns[-1].codes if self.turns else []
        if row is not None or any(slots.fragments.values()) or len(shown_codes) != 1:
            return None
        if not ABOUT_PRODUCT.search(slots.masked_text):
            return None
        product_row = find_act(with_reference(slots))
        return product_row if product_row and product_row.act in PRODUCT_ACTS else None

    def _adds_words(self, slots: Slots, row: ActRow | None) -> bool:
        """Whether a short answer to a product list adds a word: 鼠标 ⏎ 无线的."""
        return (
            row is None
            and not any(slots.fragments.values())
            and get_previous_act(self.turns) == Act.FIND
            and bool(get_previous_question(self.turns))
            and re.fullmatch(r"(?:要|有没有|有)?[一-鿿]{2,6}的(?:有吗|呢|吗)?", slots.masked_text)
            is not None
        )

    def _wants_cheaper(self, slots: Slots, row: ActRow | None) -> bool:
        """Whether the request asks for something cheaper than what was shown: 有没有便宜点的."""
        return (
            not any(slots.fragments.values())
            and re.search(r"便宜(?:点|一点|些|的)|实惠(?:点|些)|低(?:点|一点)", slots.masked_text)
            is not None
            and (row is None or row.act in PRODUCT_ACTS)
            and get_previous_act(self.turns) in PRODUCT_ACTS
            and bool(self.turns and self.turns[-1].codes)
        )

    def _find_act_of_orders(self, slots: Slots, row: ActRow | None) -> ActRow | None:
        """Return the row for a reference: 它 and 第一个 mean orders after a list of orders, and
        products after a list of products.
        """
        if row is None or not slots.references or slots.codes or slots.order_nos:
            return row
        is_order = refers_to_orders(self.turns)
        if row.act in (Act.FACTS, Act.APPROVALS) and is_order:
            return _get_row(Act.ORDER)
        if row.act == Act.ORDER and not is_order and list_shown_codes(self.turns):
            return _get_row(Act.FACTS)
        return row


def _get_row(act: Act) -> ActRow:
    return next(row for row in TABLE if row.act == act)
