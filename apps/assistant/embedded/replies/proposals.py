"""Replies that propose products for the cart: named products, an earlier purchase, or the last list
with one product replaced. One reply shows the cart. No reply adds to the cart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.utils import timezone

from apps.assistant.answers import Cards, Delta, Event, Link, Links, Proposal, Remember, Working
from apps.assistant.embedded.intents import BEFORE, SWAP
from apps.assistant.embedded.reading import (
    NTH,
    QUANTITY,
    THESE,
    Question,
    get_previous_list,
    list_referenced_codes,
    list_shown_codes,
    parse_number,
    parse_question,
    refers_beyond_shown,
)
from apps.assistant.embedded.replies.products import find_best_match
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.embedded.vocabulary import find_names
from apps.assistant.tools.cart import ProposableLines, cart_lookup, proposal_prepare
from apps.assistant.tools.orders import require_menu_code
from apps.assistant.tools.products import MAX_NAMES, find_first_matches, get_offers_by_id
from apps.cart.parsing.line import Reading as LineReading
from apps.cart.selectors.quick_order import convert_to_unit_of_sale
from apps.catalog.indexing.text import normalise
from apps.common.money import yuan_text
from apps.orders.models import OrderLine
from apps.orders.selectors.purchase_history import bought_before
from apps.org.menus import MenuCode
from apps.pricing.selectors.offers import Offer

ADD, LOOK = "propose_cart", "cart_view"
CART = Link("我的购物车", "/shop/cart")
CONSENT = "确认无误后，点击下方的**加入购物车**；在您点击之前不会加入。"
EACH = re.compile(r"各")
# Counts any unit of sale: 来 2 份.
ANY_UNIT = frozenset("份件")


def propose_products(question: Question) -> Iterator[Event]:
    """Propose products in the requested quantity: those named in the question, those it refers to,
    or those shown last.
    """
    yield Working(ADD, "正在核对商品和数量")
    others = (
        ()
        if question.reading.names or list_referenced_codes(question.reading.text, question.turns)
        else find_best_match(question)
    )
    names = [others[0].product.code] if others else _list_requested_names(question)
    offers, missing = find_first_matches(actor=question.actor, names=names)
    wishes, units = _read_quantities(question, offers)
    lines = proposal_prepare(wishes=wishes)
    parts = [_total_text(lines)] if lines.lines else []
    if others:
        yield Cards(others)
        parts.append("这是符合要求、销量最高的一款；要换其他款，说“第二个来 2 份”即可。")
    parts += [*units, *lines.remarks]
    if missing:
        parts.append(
            f"没有找到 {'、'.join(map(escape_markdown, missing))}：它可能不在您的采购目录里，"
            "或者编码有误。"
        )
    if len(names) > MAX_NAMES:
        parts.append(
            f"一次最多列 {MAX_NAMES} 种，另有 {len(names) - MAX_NAMES} 种没有列入；"
            "商品多时请用快速下单。"
        )
    if not offers and not missing:
        parts.append("没有找到您说的商品，请告诉我商品名称或编码，或先让我查找一下。")
    if lines.lines:
        parts.append(CONSENT)
    yield Delta("\n\n".join(parts))
    if lines.lines:
        yield Proposal(lines.lines)


def _list_requested_names(question: Question) -> list[str]:
    reading, last = question.reading, question.turns[-1] if question.turns else None
    if reading.names:
        return list(reading.names)
    if (
        last is not None
        and last.proposed
        and (THESE.search(reading.text) or not NTH.search(reading.text))
    ):
        return list(last.proposed)
    if pointed := list_referenced_codes(reading.text, question.turns):
        return pointed
    return (
        []
        if refers_beyond_shown(reading.text, question.turns)
        else list_shown_codes(question.turns)[:1]
    )


def _read_quantities(
    question: Question, offers: list[Offer]
) -> tuple[list[tuple[Offer, int]], list[str]]:
    """Return each product with its quantity in its unit of sale, and remarks where the question
    used another unit.

    The quantity is, in this order: one for all, one after each name, the previously proposed one,
    or the minimum.
    """
    amounts = QUANTITY.findall(_without_places(question.reading.text))
    quantities = [
        (int(amount), unit) for text, unit in amounts if (amount := parse_number(text)) is not None
    ]
    last = question.turns[-1].proposed if question.turns else {}
    wishes, remarks = [], []
    for at, offer in enumerate(offers):
        if not quantities:
            wishes.append((offer, last.get(offer.product.code, offer.product.min_quantity)))
            continue
        quantity, unit = (
            quantities[at]
            if len(quantities) == len(offers) and not EACH.search(question.reading.text)
            else quantities[0]
        )
        sold, remark, _ = convert_to_unit_of_sale(
            offer.product, LineReading("", quantity, "" if unit in ANY_UNIT else unit)
        )
        wishes.append((offer, quantity if sold is None else sold))
        remarks += [f"**{escape_markdown(offer.name)}**：{remark}"] if remark else []
    return wishes, remarks


def _without_places(text: str) -> str:
    """Remove ordinals (第二个) and product codes, because they are not quantities."""
    return re.sub(r"\d{5,}", " ", NTH.sub(" ", text))


def _total_text(lines: ProposableLines) -> str:
    return f"为您列出 {len(lines.lines)} 种商品，合计 **{yuan_text(lines.total)}**。"


def show_cart(question: Question) -> Iterator[Event]:
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
        warning = [f"\n其中 {invalid} 种现在不能购买，请到购物车查看原因。"] if invalid else []
        head = (
            f"购物车里有 {len(view.lines)} 种商品，已选可结算金额 "
            f"**{yuan_text(view.chosen_amount)}**（未含运费）："
        )
        yield Delta("\n".join([head, "", *rows, *more, *warning]))
    yield Links((CART,))


MAX_LISTED = 20
# Words for time and manner, which name no product.
FILLER_WORDS = re.compile(
    r"再(?:来|买|订|要|下|加|采购)?|一单|一次|一份|照样|照着|一样|同样|买过|订过|上个?月|"
    r"上一?次|上回|之前|以前|下单|加购|购物车|加到|加入"
)


def propose_again(question: Question) -> Iterator[Event]:
    """Propose the person's newest order line that matches the question, or his whole last order, in
    the requested or the earlier quantity.

    Raises:
        NotAllowed: the person has no right to open orders.
    """
    yield Working(ADD, "正在查找您买过的商品")
    require_menu_code(question.actor, MenuCode.ORDER_LIST, "订单")
    plain = FILLER_WORDS.sub(" ", QUANTITY.sub(" ", BEFORE.sub(" ", question.reading.text)))
    what = find_names(plain)
    words = [*what.brands, *what.attributes, *([] if what.category else what.rest.split())]
    lines = bought_before(
        actor=question.actor, category_id=what.category[0] if what.category else None, words=words
    )
    if not lines:
        yield Delta("没有找到您买过这样的商品。请换个说法，或直接告诉我商品名称，我来查找。")
        yield Links((Link("我的订单", "/userCenter/order/index"),))
        return
    quantity = QUANTITY.search(question.reading.text)
    amount = parse_number(quantity[1]) if quantity and len(lines) == 1 else None
    offers = get_offers_by_id(actor=question.actor, product_ids=[line.product_id for line in lines])
    proposable = proposal_prepare(
        wishes=_merge_wishes(
            (offers[line.product_id], int(amount or line.quantity))
            for line in _list_lines_in_catalogue(lines, offers)
        )
    )
    order = lines[0].order
    parts = [
        (
            f"上次是 {timezone.localtime(order.submitted_at):%Y年%m月%d日} 的订单 "
            f"**{order.order_no}**："
        )
        + _format_lines(lines)
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


def _list_lines_in_catalogue(lines: list[OrderLine], offers: dict[int, Offer]) -> list[OrderLine]:
    return [line for line in lines if line.product_id in offers]


def _merge_wishes(wishes: Iterable[tuple[Offer, int]]) -> list[tuple[Offer, int]]:
    """Add up the quantities per product, because a proposal lists each product once."""
    quantities: dict[int, int] = {}
    offers: dict[int, Offer] = {}
    for offer, quantity in wishes:
        offers[offer.product.pk] = offer
        quantities[offer.product.pk] = quantities.get(offer.product.pk, 0) + quantity
    return [(offer, quantities[pk]) for pk, offer in offers.items()]


def _format_lines(lines: list[OrderLine]) -> str:
    rows = [
        f"\n- {escape_markdown(line.name)} × {line.quantity} {line.unit}"
        for line in lines[:MAX_LISTED]
    ]
    return "".join(rows) + (f"\n- 等共 {len(lines)} 种" if len(lines) > MAX_LISTED else "")


def propose_swap(question: Question) -> Iterator[Event]:
    """Propose the last proposal again with one product replaced, in the same quantity."""
    yield Working(ADD, "正在更换商品")
    words = SWAP.search(question.reading.text)
    last = question.turns[-1]
    offers, _ = find_first_matches(actor=question.actor, names=list(last.proposed))
    old = _find_in_list(words["old"] if words else "", question, offers)
    if old is None:
        yield Delta(
            f"上面的清单里没有“{escape_markdown(words['old'] if words else '')}”，"
            "请说出清单里商品的名称，或“第几个”。"
        )
        return
    new = _find_replacement(
        replace(question, reading=parse_question(words["new"] if words else ""))
    )
    if not new:
        yield Delta(
            f"没有找到“{escape_markdown(words['new'] if words else '')}”，清单没有改动。"
            "请换个说法，或告诉我商品编码。"
        )
        return
    proposed = [
        (offer, last.proposed.get(offer.product.code, offer.product.min_quantity))
        for offer in offers
    ]
    proposable = proposal_prepare(
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
    if list_facts := get_previous_list(question.turns):
        yield Remember({"list": list_facts})


def _find_in_list(words: str, question: Question, offers: list[Offer]) -> Offer | None:
    """Return the product of the list that the words refer to: by ordinal, by code, or by its name
    and category.
    """
    pointed = list_referenced_codes(words, question.turns)
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
        return tuple(find_first_matches(actor=question.actor, names=question.reading.names)[0])
    return find_best_match(question)
