"""Propose once more what was bought before, and put one product in the place of another. Nothing is added here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.utils import timezone

from apps.assistant.answers import Cards, Delta, Event, Link, Links, Proposal, Remember, Working
from apps.assistant.embedded.asking import Asking
from apps.assistant.embedded.intents import BEFORE, SWAP
from apps.assistant.embedded.reading import QUANTITY, list_before, meant, number, read
from apps.assistant.embedded.replies.buying import ADD, CONSENT
from apps.assistant.embedded.replies.products import best_match
from apps.assistant.embedded.replies.wording import plainly
from apps.assistant.embedded.vocabulary import named
from apps.assistant.tools.cart import cart_proposable
from apps.assistant.tools.orders import require
from apps.assistant.tools.products import products_named, products_of
from apps.catalog.search.text import normalised
from apps.catalog.selectors.offers import Offer
from apps.common.money import yuan_text
from apps.orders.models import OrderLine
from apps.orders.selectors.bought_before import bought_before
from apps.org.menus import MenuCode

MOST_LISTED = 20
# Words that say when and how, and name nothing.
HOW_SAID = re.compile(
    r"再(?:来|买|订|要|下|加|采购)?|一单|一次|一份|照样|照着|一样|同样|买过|订过|上个?月|上一?次|上回|之前|以前|下单|加购|购物车|加到|加入"
)


def buy_again(asking: Asking) -> Iterator[Event]:
    """Propose the newest own line that fits the words, or the whole of the last order, in the quantity said or as before."""
    yield Working(ADD, "正在查找您买过的商品")
    require(asking.actor, MenuCode.ORDER_LIST, "订单")
    plain = HOW_SAID.sub(" ", QUANTITY.sub(" ", BEFORE.sub(" ", asking.reading.text)))
    what = named(plain)
    words = [*what.brands, *what.attributes, *([] if what.category else what.rest.split())]
    lines = bought_before(actor=asking.actor, category_id=what.category[0] if what.category else None, words=words)
    if not lines:
        yield Delta("没有找到您买过这样的商品。请换个说法，或直接告诉我商品名称，我来查找。")
        yield Links((Link("我的订单", "/userCenter/order/index"),))
        return
    said = QUANTITY.search(asking.reading.text)
    amount = number(said[1]) if said and len(lines) == 1 else None
    offers = products_of(actor=asking.actor, product_ids=[line.product_id for line in lines])
    proposable = cart_proposable(
        wishes=_together((offers[line.product_id], int(amount or line.quantity)) for line in _bought(lines, offers))
    )
    order = lines[0].order
    parts = [f"上次是 {timezone.localtime(order.submitted_at):%Y年%m月%d日} 的订单 **{order.order_no}**：" + _listed(lines)]
    parts += [
        *proposable.remarks,
        *[f"**{plainly(line.name)}** 已不在您的采购目录里，没有列入。" for line in lines if line.product_id not in offers],
    ]
    if proposable.lines:
        parts.append(f"合计 **{yuan_text(proposable.total)}**（未含运费）。{CONSENT}")
    yield Delta("\n\n".join(parts))
    if proposable.lines:
        yield Proposal(proposable.lines)


def _bought(lines: list[OrderLine], offers: dict[int, Offer]) -> list[OrderLine]:
    return [line for line in lines if line.product_id in offers]


def _together(wishes: Iterable[tuple[Offer, int]]) -> list[tuple[Offer, int]]:
    """Add up the wishes for one product: a proposal has each once."""
    quantities: dict[int, int] = {}
    offers: dict[int, Offer] = {}
    for offer, quantity in wishes:
        offers[offer.product.pk] = offer
        quantities[offer.product.pk] = quantities.get(offer.product.pk, 0) + quantity
    return [(offer, quantities[pk]) for pk, offer in offers.items()]


def _listed(lines: list[OrderLine]) -> str:
    rows = [f"\n- {plainly(line.name)} × {line.quantity} {line.unit}" for line in lines[:MOST_LISTED]]
    return "".join(rows) + (f"\n- 等共 {len(lines)} 种" if len(lines) > MOST_LISTED else "")


def swap(asking: Asking) -> Iterator[Event]:
    """Propose the last proposal anew with another product in the place of one of it, in the same quantity."""
    yield Working(ADD, "正在更换商品")
    said = SWAP.search(asking.reading.text)
    last = asking.turns[-1]
    offers, _ = products_named(actor=asking.actor, names=list(last.proposed))
    old = _meant_of(said["old"] if said else "", asking, offers)
    if old is None:
        yield Delta(f"上面的清单里没有“{plainly(said['old'] if said else '')}”，请说出清单里商品的名称，或“第几个”。")
        return
    new = _newcomer(replace(asking, reading=read(said["new"] if said else "")))
    if not new:
        yield Delta(f"没有找到“{plainly(said['new'] if said else '')}”，清单没有改动。请换个说法，或告诉我商品编码。")
        return
    proposed = [(offer, last.proposed.get(offer.product.code, offer.product.min_quantity)) for offer in offers]
    proposable = cart_proposable(wishes=_together((new[0] if offer is old else offer, quantity) for offer, quantity in proposed))
    parts = [
        f"已把 **{plainly(old.name)}** 换成 **{plainly(new[0].name)}**（{yuan_text(new[0].price)}/{new[0].product.unit}）。",
        *proposable.remarks,
        f"现在共 {len(proposable.lines)} 种商品，合计 **{yuan_text(proposable.total)}**（未含运费）。{CONSENT}",
    ]
    yield Cards(new[:3])
    yield Delta("\n\n".join(parts))
    yield Proposal(proposable.lines)
    if kept := list_before(asking.turns):
        yield Remember({"list": kept})


def _meant_of(words: str, asking: Asking, offers: list[Offer]) -> Offer | None:
    """Return the product of the list that is meant: by its place, its code or what its name and kind have."""
    pointed = meant(words, asking.turns)
    plain = normalised(words).replace("那个", "").replace("里面的", "").strip("的 ")
    for offer in offers:
        kind = offer.product.l3.name if offer.product.l3_id else ""
        if offer.product.code in (*pointed, plain) or (plain and plain in normalised(f"{offer.name} {kind}")):
            return offer
    return None


def _newcomer(asking: Asking) -> tuple[Offer, ...]:
    if asking.reading.names:
        return tuple(products_named(actor=asking.actor, names=asking.reading.names)[0])
    return best_match(asking)
