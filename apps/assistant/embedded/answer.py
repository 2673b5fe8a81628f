"""The assistant that works without a model. A message is split into requests (understanding.py);
each is parsed (slots.py), finds its act (acts.py), resolves what it refers to (references.py) and
is answered by a reply. It answers only what it understood, and names the words that it did not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from apps.assistant.answers import (
    Cards,
    Delta,
    Event,
    Link,
    Links,
    Proposal,
    ProposedLine,
    Remember,
    Turn,
    Working,
)
from apps.assistant.embedded.acts import COMPANY, Act
from apps.assistant.embedded.question import ACT, ASKED, Question, Reply
from apps.assistant.embedded.replies import (
    comparison,
    help_pages,
    lists,
    money,
    orders,
    papers,
    products,
    proposals,
    talk,
)
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.embedded.understanding import Request, Understanding
from apps.assistant.tools.products import look_up_pictures
from apps.assistant.tools.tool import NotAllowed
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import can_purchase, explain_purchasing_refusal
from apps.pricing.selectors.context import get_catalogue_context
from apps.search.keyword import get_lexicon

if TYPE_CHECKING:
    from apps.org.models import Account

REPLIES: dict[Act, Reply] = {
    Act.GREETING: talk.greet,
    Act.THANKS: talk.thank,
    Act.WHO: talk.introduce,
    Act.ABILITIES: talk.list_abilities,
    Act.HUMAN: talk.name_customer_service,
    Act.FORBIDDEN: talk.refuse_action,
    Act.FOREIGN: talk.refuse_foreign_data,
    Act.OFF_TOPIC: talk.refuse_off_topic,
    Act.CART_VIEW: proposals.show_cart,
    Act.KIT: lists.propose_list,
    Act.CART_ADD: proposals.propose_products,
    Act.BUY_AGAIN: proposals.propose_again,
    Act.SWAP: proposals.propose_swap,
    Act.COMPARE: comparison.compare_products,
    Act.CHEAPER: comparison.show_cheaper,
    Act.SAME: comparison.show_same,
    Act.SUBSTITUTE: comparison.show_substitutes,
    Act.PACKS: comparison.show_packs,
    Act.COLOURS: comparison.show_colours,
    Act.ORDER: orders.show_order,
    Act.ORDERS: orders.show_orders,
    Act.SHIPPED: orders.show_shipped,
    Act.BOUGHT: orders.show_bought,
    Act.APPROVALS: orders.show_approvals,
    Act.SPENDING: money.show_spending,
    Act.BUDGET: money.show_budgets,
    Act.INVOICES: papers.show_invoices,
    Act.STATEMENT: papers.show_statements,
    Act.CREDIT: papers.show_credit,
    Act.TITLES: papers.show_titles,
    Act.RETURNS: papers.show_returns,
    Act.HELP: help_pages.show_help,
    Act.FACTS: products.show_facts,
    Act.FIND: products.find_products,
}
# Acts that propose products for the cart.
PROPOSING = frozenset((Act.KIT, Act.CART_ADD, Act.BUY_AGAIN, Act.SWAP))


# Acts about goods, which no period, person or department limits.
GOODS = frozenset(
    (
        Act.FIND,
        Act.FACTS,
        Act.COMPARE,
        Act.CHEAPER,
        Act.SAME,
        Act.SUBSTITUTE,
        Act.PACKS,
        Act.COLOURS,
    )
)


def embedded_answer(*, actor: Account, turns: Sequence[Turn], text: str) -> Iterator[Event]:
    """Yield the events of the answer to `text`; `turns` are the earlier turns, oldest first.

    A message with several requests is answered request by request; their products become one
    proposal at the end.
    """
    lexicon = get_lexicon(get_catalogue_context(actor=actor).agreements_token)
    understanding = Understanding(actor, turns, lexicon)
    parts = understanding.split(text)
    if len(parts) == 1:
        yield from _reply(understanding, text)
        return
    proposed: list[ProposedLine] = []
    shown_links: set[Link] = set()
    for number, part in enumerate(parts):
        turn = Turn(part)
        yield Delta("\n\n" * bool(number) + f"**{number + 1}. {escape_markdown(part)}**\n\n")
        for event in _reply(understanding, part):
            turn.take(event)
            if isinstance(event, Proposal):
                proposed += event.lines
            elif isinstance(event, Links):
                yield Links(tuple(link for link in event.links if link not in shown_links))
                shown_links.update(event.links)
            else:
                yield event
        understanding.turns.append(turn)
    if proposed:
        yield Proposal(_merge_lines(proposed))


def _reply(understanding: Understanding, text: str) -> Iterator[Event]:
    """Yield the reply of the request's act. Without an act, or with words that the act does not
    understand, say so.
    """
    request = understanding.understand(text)
    actor, act = understanding.actor, request.act
    question = Question(actor, understanding.turns, request.slots, understanding.lexicon)
    if act is None:
        yield from _reply_without_act(question)
        return
    if any(COMPANY.fullmatch(word) for word in request.unknown):
        yield from talk.refuse_foreign_data(question)
        return
    if request.unknown:
        yield from talk.admit_unknown_words(request.unknown, "")
        return
    if act in GOODS and (unused := _list_unused_objects(request)):
        yield from talk.admit_unknown_words(unused, "这部分和商品放在一起我不明白。")
        return
    if act in PROPOSING and not can_purchase(actor=actor, needed=PurchasingRight.REQUEST):
        yield Delta(explain_purchasing_refusal(actor=actor) + "。")
        return
    yield Remember(_build_memory(request))
    try:
        yield from REPLIES[act](question)
    except NotAllowed as refusal:
        yield Delta(str(refusal))


def _list_unused_objects(request: Request) -> list[str]:
    """Return the words of periods, people and departments, which no act about goods uses."""
    slots = request.slots
    return [
        *(period.label for period in slots.periods),
        *([slots.future] if slots.future else []),
        *(person.word for person in slots.people),
        *(place.word for place in slots.departments),
    ]


def _build_memory(request: Request) -> dict[str, str]:
    """Return what later turns need: the act and the question, with what it took from earlier
    ones.
    """
    return {ACT: str(request.act), ASKED: request.slots.text}


def _reply_without_act(question: Question) -> Iterator[Event]:
    """Search for products if the words may name some; otherwise ask back."""
    slots = question.slots
    if slots.references or slots.codes:
        yield from products.show_facts(question)
        return
    if slots.periods or slots.future or slots.people or slots.departments or slots.order_nos:
        yield Delta(
            "您想查什么？可以问订单、花费、发票或退换货，例如“上个月花了多少”“上个月下了几单”。"
        )
        return
    if not slots.has_product and not products.search_words(slots):
        yield Delta("请说得具体一些：您要找哪种商品，或想查订单、花费、预算里的什么？")
        return
    yield Remember({ACT: str(Act.FIND), ASKED: slots.text})
    yield from products.find_products(question)


def _merge_lines(lines: Sequence[ProposedLine]) -> tuple[ProposedLine, ...]:
    """Return each product once. If two parts propose it, the larger quantity counts."""
    largest_by_product: dict[int, ProposedLine] = {}
    for line in lines:
        largest_line = largest_by_product.get(line.offer.product.pk)
        if largest_line is None or largest_line.quantity < line.quantity:
            largest_by_product[line.offer.product.pk] = line
    return tuple(largest_by_product.values())


def iterate_picture_cards(*, actor: Account, file_ids: Iterable[str]) -> Iterator[Event]:
    """Yield the products that look like the pictures, and store the description under `pictures`
    for later turns.
    """
    yield Working("image_search", "正在识别图片")
    pictures = look_up_pictures(actor=actor, file_ids=file_ids)
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
    if not text:
        return
    lexicon = get_lexicon(get_catalogue_context(actor=actor).agreements_token)
    act = Understanding(actor, turns_with_pictures, lexicon).understand(text).act
    if act not in (None, Act.FIND, Act.HELP):
        yield Delta("\n\n")
        yield from embedded_answer(actor=actor, turns=turns_with_pictures, text=text)
