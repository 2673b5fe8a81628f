"""The assistant that works without a model: rules recognise common questions, and the tools supply
the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apps.assistant.answers import Delta, Event, Proposal, ProposedLine, Turn
from apps.assistant.embedded.intents import Intent, intent_of
from apps.assistant.embedded.parts import split_requests
from apps.assistant.embedded.question import Question, Reply
from apps.assistant.embedded.reading import read
from apps.assistant.embedded.replies import again, buying, lists, products, talk, work
from apps.assistant.embedded.replies.help import help_reply
from apps.assistant.embedded.replies.wording import escape_markdown

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
    Intent.BUY_AGAIN: again.buy_again,
    Intent.SWAP: again.swap,
    Intent.ORDERS: work.orders,
    Intent.APPROVALS: work.approvals,
    Intent.BUDGET: work.budget,
    Intent.FACTS: products.facts,
    Intent.HELP: help_reply,
    Intent.FIND: products.find,
}


def embedded_answer(*, actor: Account, turns: Sequence[Turn], text: str) -> Iterator[Event]:
    """Yield the events of the answer to `text`; `turns` are the earlier turns, oldest first.

    A message with several requests is answered request by request; their products become one
    proposal at the end.
    """
    parts = split_requests(text, turns)
    if len(parts) == 1:
        yield from _answer(actor, turns, text)
        return
    done = list(turns)
    proposed: list[ProposedLine] = []
    for number, part in enumerate(parts):
        turn = Turn(part)
        yield Delta("\n\n" * bool(number) + f"**{number + 1}. {escape_markdown(part)}**\n\n")
        for event in _answer(actor, done, part):
            turn.take(event)
            if isinstance(event, Proposal):
                proposed += event.lines
            else:
                yield event
        done.append(turn)
    if proposed:
        yield Proposal(_merge_lines(proposed))


def _answer(actor: Account, turns: Sequence[Turn], text: str) -> Iterator[Event]:
    reading = read(text)
    yield from REPLIES[intent_of(reading, turns)](Question(actor, turns, reading))


def _merge_lines(lines: Sequence[ProposedLine]) -> tuple[ProposedLine, ...]:
    """Return each product once. If two parts propose it, the larger quantity counts."""
    most: dict[int, ProposedLine] = {}
    for line in lines:
        known = most.get(line.offer.product.pk)
        if known is None or known.quantity < line.quantity:
            most[line.offer.product.pk] = line
    return tuple(most.values())
