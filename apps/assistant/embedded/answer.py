"""The assistant that works without a model: rules recognise common questions, and the tools supply
the facts. A message may contain several requests (10 人入职礼包，另外查一下预算还剩多少) or
pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from apps.assistant.answers import (
    Cards,
    Delta,
    Event,
    Proposal,
    ProposedLine,
    Remember,
    Turn,
    Working,
)
from apps.assistant.embedded.intents import Intent, find_intent
from apps.assistant.embedded.reading import Question, Reply, parse_question
from apps.assistant.embedded.replies import lists, orders, products, proposals, talk
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.orders import NotAllowed
from apps.assistant.tools.products import pictures_lookup
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import can_purchase, purchasing_refusal

if TYPE_CHECKING:
    from apps.org.models import Account

# Separators between requests. 再 separates only before a repeated action.
SEPARATOR = re.compile(
    r"[，,。；;!！?？\s]*(?:另外|此外|顺便|还有就是|对了|以及帮我)(?:再|也)?[，,\s]*|[；;。?？]+\s*|[，,]\s*(?=再(?:来|买|加|找|推荐|帮))"
)
# Intents that a part can have without the earlier parts.
STANDALONE = frozenset(
    (
        Intent.QUICK_LIST,
        Intent.CART_ADD,
        Intent.ORDERS,
        Intent.APPROVALS,
        Intent.BUDGET,
        Intent.HELP,
        Intent.CART_VIEW,
        Intent.BUY_AGAIN,
    )
)
SEARCHES = re.compile(
    r"找|推荐|想要|我要|需要|看看|有没有|(?:来|买|加)\s*[\d一二两三四五六七八九十几]"
)
MIN_REQUEST_CHARACTERS, MAX_REQUESTS = 4, 3


def split_requests(text: str, turns: Sequence[Turn]) -> list[str]:
    """Return the requests of a message, at most MAX_REQUESTS. Return the whole message if one of
    the parts makes no sense alone.
    """
    parts = [part.strip() for part in SEPARATOR.split(text) if part.strip()]
    if not 1 < len(parts) <= MAX_REQUESTS or any(
        len(part) < MIN_REQUEST_CHARACTERS for part in parts
    ):
        return [text]
    return parts if all(_is_complete(part, turns) for part in parts) else [text]


def _is_complete(part: str, turns: Sequence[Turn]) -> bool:
    reading = parse_question(part)
    intent = find_intent(reading, turns)
    if intent in (Intent.FIND, Intent.FACTS):
        return bool(reading.names) or bool(
            SEARCHES.search(part) and not re.match(r"不|别|除了", part)
        )
    return intent in STANDALONE


REPLIES: dict[Intent, Reply] = {
    Intent.GREETING: talk.greet,
    Intent.THANKS: talk.thank,
    Intent.WHO: talk.introduce,
    Intent.ABILITIES: talk.list_abilities,
    Intent.HUMAN: talk.name_service_phone,
    Intent.FORBIDDEN: talk.refuse_action,
    Intent.FOREIGN: talk.refuse_foreign_data,
    Intent.OFF_TOPIC: talk.refuse_off_topic,
    Intent.CART_VIEW: proposals.show_cart,
    Intent.QUICK_LIST: lists.propose_list,
    Intent.COMPARE: products.compare_products,
    Intent.CART_ADD: proposals.propose_products,
    Intent.BUY_AGAIN: proposals.propose_again,
    Intent.SWAP: proposals.propose_swap,
    Intent.ORDERS: orders.show_orders,
    Intent.APPROVALS: orders.show_approvals,
    Intent.BUDGET: orders.show_budgets,
    Intent.FACTS: products.show_facts,
    Intent.HELP: products.show_help,
    Intent.FIND: products.find_products,
}
# Replies that propose products for the cart.
PROPOSING = frozenset((Intent.QUICK_LIST, Intent.CART_ADD, Intent.BUY_AGAIN, Intent.SWAP))


def embedded_answer(*, actor: Account, turns: Sequence[Turn], text: str) -> Iterator[Event]:
    """Yield the events of the answer to `text`; `turns` are the earlier turns, oldest first.

    A message with several requests is answered request by request; their products become one
    proposal at the end.
    """
    parts = split_requests(text, turns)
    if len(parts) == 1:
        yield from _reply_to_intent(actor, turns, text)
        return
    all_turns = list(turns)
    proposed: list[ProposedLine] = []
    for number, part in enumerate(parts):
        turn = Turn(part)
        yield Delta("\n\n" * bool(number) + f"**{number + 1}. {escape_markdown(part)}**\n\n")
        for event in _reply_to_intent(actor, all_turns, part):
            turn.take(event)
            if isinstance(event, Proposal):
                proposed += event.lines
            else:
                yield event
        all_turns.append(turn)
    if proposed:
        yield Proposal(_merge_lines(proposed))


def _reply_to_intent(actor: Account, turns: Sequence[Turn], text: str) -> Iterator[Event]:
    """Yield the reply of the question's intent, or the missing right if a tool refuses."""
    reading = parse_question(text)
    intent = find_intent(reading, turns)
    if intent in PROPOSING and not can_purchase(actor=actor, needed=PurchasingRight.REQUEST):
        yield Delta(purchasing_refusal(actor=actor) + "。")
        return
    try:
        yield from REPLIES[intent](Question(actor, turns, reading))
    except NotAllowed as refusal:
        yield Delta(str(refusal))


def _merge_lines(lines: Sequence[ProposedLine]) -> tuple[ProposedLine, ...]:
    """Return each product once. If two parts propose it, the larger quantity counts."""
    largest: dict[int, ProposedLine] = {}
    for line in lines:
        merged = largest.get(line.offer.product.pk)
        if merged is None or merged.quantity < line.quantity:
            largest[line.offer.product.pk] = line
    return tuple(largest.values())


def picture_cards(*, actor: Account, file_ids: Iterable[str]) -> Iterator[Event]:
    """Yield the products that look like the pictures, and store the description under `pictures`
    for later turns.
    """
    yield Working("image_search", "正在识别图片")
    pictures = pictures_lookup(actor=actor, file_ids=file_ids)
    if pictures.offers:
        yield Cards(pictures.offers)
    parts = []
    if pictures.offers:
        kinds = (
            f"图片看起来像{'、'.join(map(escape_markdown, pictures.kinds))}。"
            if pictures.kinds
            else ""
        )
        parts.append(f"{kinds}为您找到 {len(pictures.offers)} 款外观相近的商品。")
    elif not pictures.unread:
        parts.append("没有找到外观相近的商品，可以换一张主体清楚的图片，或用文字描述。")
    if pictures.unread:
        parts.append("有图片无法打开，请上传 JPG、PNG 或 WebP 图片。")
    yield Remember({"pictures": "".join(parts)})


def picture_answer(
    *, actor: Account, turns: Sequence[Turn], text: str, pictures_turn: Turn
) -> Iterator[Event]:
    """Describe the pictures, and answer the text sent with them if it asks for something more."""
    yield Delta(str(pictures_turn.facts.get("pictures", "")))
    turns_with_pictures = [*turns, Turn(question="", codes=list(pictures_turn.codes))]
    if text and find_intent(parse_question(text), turns_with_pictures) not in (
        Intent.FIND,
        Intent.HELP,
    ):
        yield Delta("\n\n")
        yield from embedded_answer(actor=actor, turns=turns_with_pictures, text=text)
