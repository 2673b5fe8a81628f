"""The assistant that needs no model: it understands the common questions by rules and answers from the tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apps.assistant.answers import Event, Turn
from apps.assistant.embedded.asking import Asking, Reply
from apps.assistant.embedded.intents import Intent, intent_of
from apps.assistant.embedded.reading import read
from apps.assistant.embedded.replies import buying, lists, products, talk, work
from apps.assistant.embedded.replies.help import help_reply

if TYPE_CHECKING:
    from apps.org.models import Account

REPLIES: dict[Intent, Reply] = {
    Intent.GREETING: talk.greet,
    Intent.THANKS: talk.thank,
    Intent.WHO: talk.who,
    Intent.ABILITIES: talk.abilities,
    Intent.HUMAN: talk.human,
    Intent.FORBIDDEN: talk.forbid,
    Intent.FOREIGN: talk.foreign,
    Intent.OFF_TOPIC: talk.off_topic,
    Intent.CART_VIEW: buying.look,
    Intent.QUICK_LIST: lists.make_list,
    Intent.COMPARE: products.compare,
    Intent.CART_ADD: buying.add,
    Intent.ORDERS: work.orders,
    Intent.APPROVALS: work.approvals,
    Intent.BUDGET: work.budget,
    Intent.FACTS: products.facts,
    Intent.HELP: help_reply,
    Intent.FIND: products.find,
}


def embedded_answer(*, actor: Account, turns: Sequence[Turn], text: str) -> Iterator[Event]:
    """Yield the answer to a text, told the turns before it, the oldest first."""
    reading = read(text)
    yield from REPLIES[intent_of(reading, turns)](Asking(actor, turns, reading))
