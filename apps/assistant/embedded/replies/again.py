"""Replies that propose an earlier purchase again, or replace one product of a proposal. No reply
adds to the cart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.utils import timezone

from apps.assistant.answers import Cards, Delta, Event, Link, Links, Proposal, Remember, Working
from apps.assistant.embedded.intents import BEFORE, SWAP
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.reading import QUANTITY, meant, number, previous_list, read
from apps.assistant.embedded.replies.buying import ADD, CONSENT
from apps.assistant.embedded.replies.products import best_match
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.embedded.vocabulary import named
from apps.assistant.tools.cart import cart_proposable
from apps.assistant.tools.orders import require
from apps.assistant.tools.products import products_by_names, products_of
from apps.catalog.indexing.text import normalise
from apps.common.money import yuan_text
from apps.orders.models import OrderLine
from apps.orders.selectors.purchase_history import bought_before
from apps.org.menus import MenuCode
from apps.pricing.selectors.offers import Offer

MOST_LISTED = 20
# Words for time and manner, which name no product.
HOW_SAID = re.compile(
    r"再(?:来|买|订|要|下|加|采购)?|一单|一次|一份|照样|照着|一样|同样|买过|订过|上个?月|"
    r"上一?次|上回|之前|以前|下单|加购|购物车|加到|加入"
)


def buy_again(question: Question) -> Iterator[Event]:
    """Propose the person's newest order line that matches the question, or his whole last order, in
    the requested or the earlier quantity.
    """
    yield Working(ADD, "正在查找您买过的商品")
    require(question.actor, MenuCode.ORDER_LIST, "订单")
    plain = HOW_SAID.sub(" ", QUANTITY.sub(" ", BEFORE.sub(" ", question.reading.text)))
    what = named(plain)
    words = [*what.brands, *what.attributes, *([] if what.category else what.rest.split())]
    lines = bought_before(
        actor=question.actor, category_id=what.category[0] if what.category else None, words=words
    )
    if not lines:
        yield Delta("没有找到您买过这样的商品。请换个说法，或直接告诉我商品名称，我来查找。")
        yield Links((Link("我的订单", "/userCenter/order/index"),))
        return
    said = QUANTITY.search(question.reading.text)
    amount = number(said[1]) if said and len(lines) == 1 else None
    offers = products_of(actor=question.actor, product_ids=[line.product_id for line in lines])
    proposable = cart_proposable(
        wishes=_merge_wishes(
            (offers[line.product_id], int(amount or line.quantity))
            for line in _bought(lines, offers)
        )
    )
    order = lines[0].order
    parts = [
        (
            f"上次是 {timezone.localtime(order.submitted_at):%Y年%m月%d日} 的订单 "
            f"**{order.order_no}**："
        )
        + _listed(lines)
    ]
    parts += [
        *proposable.remarks,
        *[
            f"**{escape_markdown(line.name)}** 已不在您的采购目录里，没有列入。"
            for line in lines
            if line.product_id not in offers
        ],
    ]
    if proposable.lines:
        parts.append(f"合计 **{yuan_text(proposable.total)}**（未含运费）。{CONSENT}")
    yield Delta("\n\n".join(parts))
    if proposable.lines:
        yield Proposal(proposable.lines)


def _bought(lines: list[OrderLine], offers: dict[int, Offer]) -> list[OrderLine]:
    return [line for line in lines if line.product_id in offers]


def _merge_wishes(wishes: Iterable[tuple[Offer, int]]) -> list[tuple[Offer, int]]:
    """Add up the quantities per product, because a proposal lists each product once."""
    quantities: dict[int, int] = {}
    offers: dict[int, Offer] = {}
    for offer, quantity in wishes:
        offers[offer.product.pk] = offer
        quantities[offer.product.pk] = quantities.get(offer.product.pk, 0) + quantity
    return [(offer, quantities[pk]) for pk, offer in offers.items()]


def _listed(lines: list[OrderLine]) -> str:
    rows = [
        f"\n- {escape_markdown(line.name)} × {line.quantity} {line.unit}"
        for line in lines[:MOST_LISTED]
    ]
    return "".join(rows) + (f"\n- 等共 {len(lines)} 种" if len(lines) > MOST_LISTED else "")


def swap(question: Question) -> Iterator[Event]:
    """Propose the last proposal again with one product replaced, in the same quantity."""
    yield Working(ADD, "正在更换商品")
    said = SWAP.search(question.reading.text)
    last = question.turns[-1]
    offers, _ = products_by_names(actor=question.actor, names=list(last.proposed))
    old = _find_in_list(said["old"] if said else "", question, offers)
    if old is None:
        yield Delta(
            f"上面的清单里没有“{escape_markdown(said['old'] if said else '')}”，"
            "请说出清单里商品的名称，或“第几个”。"
        )
        return
    new = _find_replacement(replace(question, reading=read(said["new"] if said else "")))
    if not new:
        yield Delta(
            f"没有找到“{escape_markdown(said['new'] if said else '')}”，清单没有改动。"
            "请换个说法，或告诉我商品编码。"
        )
        return
    proposed = [
        (offer, last.proposed.get(offer.product.code, offer.product.min_quantity))
        for offer in offers
    ]
    proposable = cart_proposable(
        wishes=_merge_wishes(
            (new[0] if offer is old else offer, quantity) for offer, quantity in proposed
        )
    )
    parts = [
        (
            f"已把 **{escape_markdown(old.name)}** 换成 **{escape_markdown(new[0].name)}"
            f"**（{yuan_text(new[0].price)}/{new[0].product.unit}）。"
        ),
        *proposable.remarks,
        (
            f"现在共 {len(proposable.lines)} 种商品，合计 **{yuan_text(proposable.total)}"
            f"**（未含运费）。{CONSENT}"
        ),
    ]
    yield Cards(new[:3])
    yield Delta("\n\n".join(parts))
    yield Proposal(proposable.lines)
    if kept := previous_list(question.turns):
        yield Remember({"list": kept})


def _find_in_list(words: str, question: Question, offers: list[Offer]) -> Offer | None:
    """Return the product of the list that the words refer to: by ordinal, by code, or by its name
    and category.
    """
    pointed = meant(words, question.turns)
    plain = normalise(words).replace("那个", "").replace("里面的", "").strip("的 ")
    for offer in offers:
        kind = offer.product.l3.name if offer.product.l3_id else ""
        if offer.product.code in (*pointed, plain) or (
            plain and plain in normalise(f"{offer.name} {kind}")
        ):
            return offer
    return None


def _find_replacement(question: Question) -> tuple[Offer, ...]:
    if question.reading.names:
        return tuple(products_by_names(actor=question.actor, names=question.reading.names)[0])
    return best_match(question)
