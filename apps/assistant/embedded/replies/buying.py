"""Replies that propose products for the cart or show the cart. No reply adds to the cart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.assistant.answers import Cards, Delta, Event, Link, Links, Proposal, Working
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.reading import (
    NTH,
    QUANTITY,
    THESE,
    meant,
    number,
    refers_beyond_shown,
    shown_codes,
)
from apps.assistant.embedded.replies.products import best_match
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.cart import Proposable, cart_lookup, cart_proposable
from apps.assistant.tools.products import MOST_NAMES, products_by_names
from apps.cart.parsing.line import Reading as Written
from apps.cart.selectors.quick_order import convert_to_unit_of_sale
from apps.common.money import yuan_text
from apps.pricing.selectors.offers import Offer

ADD, LOOK = "propose_cart", "cart_view"
CART = Link("我的购物车", "/shop/cart")
CONSENT = "确认无误后，点击下方的**加入购物车**；在您点击之前不会加入。"
EACH = re.compile(r"各")
# Counts any unit of sale: 来 2 份.
ANY_UNIT = frozenset("份件")


def add(question: Question) -> Iterator[Event]:
    """Propose products in the requested quantity: those named in the question, those it refers to,
    or those shown last.
    """
    yield Working(ADD, "正在核对商品和数量")
    others = (
        ()
        if question.reading.names or meant(question.reading.text, question.turns)
        else best_match(question)
    )
    names = [others[0].product.code] if others else _wanted(question)
    offers, missing = products_by_names(actor=question.actor, names=names)
    wishes, units = _quantities(question, offers)
    lines = cart_proposable(wishes=wishes)
    parts = [_listed(lines)] if lines.lines else []
    if others:
        yield Cards(others)
        parts.append("这是符合要求、销量最高的一款；要换其他款，说“第二个来 2 份”即可。")
    parts += [*units, *lines.remarks]
    if missing:
        parts.append(
            f"没有找到 {'、'.join(map(escape_markdown, missing))}：它可能不在您的采购目录里，"
            "或者编码有误。"
        )
    if len(names) > MOST_NAMES:
        parts.append(
            f"一次最多列 {MOST_NAMES} 种，另有 {len(names) - MOST_NAMES} 种没有列入；"
            "商品多时请用快速下单。"
        )
    if not offers and not missing:
        parts.append("没有找到您说的商品，请告诉我商品名称或编码，或先让我查找一下。")
    if lines.lines:
        parts.append(CONSENT)
    yield Delta("\n\n".join(parts))
    if lines.lines:
        yield Proposal(lines.lines)


def _wanted(question: Question) -> list[str]:
    reading, last = question.reading, question.turns[-1] if question.turns else None
    if reading.names:
        return list(reading.names)
    if (
        last is not None
        and last.proposed
        and (THESE.search(reading.text) or not NTH.search(reading.text))
    ):
        return list(last.proposed)
    if pointed := meant(reading.text, question.turns):
        return pointed
    return (
        [] if refers_beyond_shown(reading.text, question.turns) else shown_codes(question.turns)[:1]
    )


def _quantities(
    question: Question, offers: list[Offer]
) -> tuple[list[tuple[Offer, int]], list[str]]:
    """Return each product with its quantity in its unit of sale, and remarks where the question
    used another unit.

    The quantity is, in this order: one for all, one after each name, the previously proposed one,
    or the minimum.
    """
    found = QUANTITY.findall(_without_places(question.reading.text))
    said = [(int(amount), unit) for text, unit in found if (amount := number(text)) is not None]
    last = question.turns[-1].proposed if question.turns else {}
    wishes, remarks = [], []
    for at, offer in enumerate(offers):
        if not said:
            wishes.append((offer, last.get(offer.product.code, offer.product.min_quantity)))
            continue
        quantity, unit = (
            said[at]
            if len(said) == len(offers) and not EACH.search(question.reading.text)
            else said[0]
        )
        sold, remark, _ = convert_to_unit_of_sale(
            offer.product, Written("", quantity, "" if unit in ANY_UNIT else unit)
        )
        wishes.append((offer, quantity if sold is None else sold))
        remarks += [f"**{escape_markdown(offer.name)}**：{remark}"] if remark else []
    return wishes, remarks


def _without_places(text: str) -> str:
    """Remove ordinals (第二个) and product codes, because they are not quantities."""
    return re.sub(r"\d{5,}", " ", NTH.sub(" ", text))


def _listed(lines: Proposable) -> str:
    return f"为您列出 {len(lines.lines)} 种商品，合计 **{yuan_text(lines.total)}**。"


def look(question: Question) -> Iterator[Event]:
    """Show the contents of the cart."""
    yield Working(LOOK, "正在查看购物车")
    view = cart_lookup(actor=question.actor)
    if not view.lines:
        yield Delta("您的购物车里还没有商品。")
    else:
        rows = [
            f"- {escape_markdown(line.offer.name)} × {line.quantity} {line.offer.product.unit}"
            for line in view.lines[:8]
        ]
        more = [f"- 另有 {len(view.lines) - 8} 种"] if len(view.lines) > 8 else []
        invalid = sum(not line.is_valid for line in view.lines)
        warned = [f"\n其中 {invalid} 种现在不能购买，请到购物车查看原因。"] if invalid else []
        head = (
            f"购物车里有 {len(view.lines)} 种商品，已选可结算金额 "
            f"**{yuan_text(view.chosen_amount)}**（未含运费）："
        )
        yield Delta("\n".join([head, "", *rows, *more, *warned]))
    yield Links((CART,))
