"""Replies that propose products for the cart: named products, an earlier purchase, or the last list
with one product replaced. One reply shows the cart. No reply adds to the cart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from apps.assistant.answers import Cards, Delta, Event, Link, Links, Proposal, Remember, Working
from apps.assistant.embedded.acts import Act
from apps.assistant.embedded.cart_lines import WantedLine, read_wanted_lines
from apps.assistant.embedded.question import (
    Question,
    get_previous_act,
    get_previous_list,
    list_shown_codes,
    points_beyond,
    resolve,
)
from apps.assistant.embedded.replies.products import (
    build_wish,
    describe_missing,
    find_pointed_codes,
    search_words,
)
from apps.assistant.embedded.replies.talk import admit_unknown_words
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.embedded.slots import Slots, parse_slots
from apps.assistant.tools.cart import ProposableLines, cart_lookup, proposal_prepare
from apps.assistant.tools.products import (
    MAX_NAMES,
    find_first_matches,
    get_offers_by_id,
    products_find,
)
from apps.assistant.tools.tool import require_menu_code
from apps.cart.parsing.line import Reading as LineReading
from apps.cart.selectors.quick_order import convert_to_unit_of_sale
from apps.catalog.indexing.text import normalise
from apps.common.money import format_yuan
from apps.orders.models import OrderLine
from apps.orders.selectors.purchase_history import list_lines_bought_before
from apps.org.menus import MenuCode
from apps.pricing.selectors.offers import Offer
from apps.selection.solver.packs import read_pack_contents

ADD, LOOK = "propose_cart", "cart_view"
CART = Link("我的购物车", "/shop/cart")
CONSENT = "确认无误后，点击下方的**加入购物车**；在您点击之前不会加入。"
# Words of a request for the cart that name no product.
CART_WORDS = re.compile(
    r"加购|购物车|加进|加入|加到|进|把|将|添加|放|到|拿|各|每人|一人|发|新来|共|下单|然后|共计|份|按|都|去|人手|算了|改成|换成|帮|加|送"
)
# Counts any unit of sale: 来 2 份.
ANY_UNIT = frozenset("份件")
SWAP = re.compile(
    r"^(?:请|帮我)?(?:把|将)(?P<old>.+?)(?:换|改|替换)(?:成|为|做)(?P<new>.+?)[。!！]?$"
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The products for one wanted line, the best first; empty if none was found."""

    line: WantedLine
    offers: tuple[Offer, ...]


def propose_products(question: Question) -> Iterator[Event]:
    """Propose the named products, those referred to, or those shown last, in the requested
    quantities. Nothing is proposed in place of a product that was not found.
    """
    yield Working(ADD, "正在核对商品和数量")
    slots = question.slots
    if not slots.has_product and not slots.codes:
        yield from _propose_shown(question)
        return
    lines = read_wanted_lines(slots)
    words = search_words(replace(slots, masked_text=CART_WORDS.sub(" ", slots.masked_text)))
    if words and len(lines) == 1 and slots.kinds and not slots.codes:
        yield from admit_unknown_words(words, "")
        return
    wanted_products = [_Wanted(line, _find_line(question, line)) for line in lines[:MAX_NAMES]]
    wishes: list[tuple[Offer, int]] = []
    remarks: list[str] = []
    for wanted_product in wanted_products:
        if wanted_product.offers:
            quantity, remark = _get_sale_quantity(wanted_product)
            wishes.append((wanted_product.offers[0], quantity))
            remarks += [remark] if remark else []
    missing_texts = [
        wanted_product.line.text for wanted_product in wanted_products if not wanted_product.offers
    ]
    only_product = (
        wanted_products[0]
        if len(wanted_products) == 1 and not slots.codes and wanted_products[0].offers
        else None
    )
    yield from _reply_with_proposal(wishes, remarks, missing_texts, only_product)


def _find_line(question: Question, line: WantedLine) -> tuple[Offer, ...]:
    """Return the products of a wanted line. Those in the wanted unit come first."""
    actor = question.actor
    if line.code:
        return tuple(find_first_matches(actor=actor, names=[line.code])[0])
    wish = replace(
        build_wish(line.slots, () if line.slots.kinds else search_words(line.slots)),
        in_stock=True,
        count=40,
    )
    offers = products_find(actor=actor, wish=wish)
    return tuple(
        sorted(
            offers,
            key=lambda offer: (
                _is_red_pen(offer, line),
                not _has_enough(offer, line),
                _unit_rank(offer, line.unit),
            ),
        )[:6]
    )


def _is_red_pen(offer: Offer, line: WantedLine) -> bool:
    """Whether a pen is red although no colour was asked for: people write with black and blue."""
    kind = offer.product.l3.name if offer.product.l3_id else ""
    return (
        not line.slots.colours
        and kind.endswith("笔")
        and offer.product.attributes.get("颜色") == "红色"
    )


def _has_enough(offer: Offer, line: WantedLine) -> bool:
    """Whether the stock covers the wanted pieces and the smallest legal quantity."""
    least = max(line.quantity or 1, offer.product.min_quantity)
    return offer.available >= least


def _unit_rank(offer: Offer, unit: str) -> int:
    """Return 0 if the product is sold in the wanted unit, 1 if its pack contains it, else 2."""
    if not unit or unit in ANY_UNIT or offer.product.unit == unit:
        return 0
    inner = read_pack_contents(unit=offer.product.unit, pack=offer.product.pack or "")[1]
    return 1 if unit in (inner, offer.product.base_unit) else 2


def _get_sale_quantity(wanted_product: _Wanted) -> tuple[int, str]:
    """Return the quantity in the unit of sale, and a remark if another unit was meant."""
    line, offer = wanted_product.line, wanted_product.offers[0]
    if line.quantity is None:
        return offer.product.min_quantity, ""
    unit = "" if line.unit in ANY_UNIT else line.unit
    sale_quantity, remark, _ = convert_to_unit_of_sale(
        offer.product, LineReading("", line.quantity, unit)
    )
    return (
        line.quantity if sale_quantity is None else sale_quantity,
        f"**{escape_markdown(offer.name)}**：{remark}" if remark else "",
    )


def _propose_shown(question: Question) -> Iterator[Event]:
    """Propose what an earlier answer showed: the products referred to, or the only one."""
    slots = question.slots
    last_turn = question.turns[-1] if question.turns else None
    if slots.references:
        names, problem = find_pointed_codes(question)
    elif (
        last_turn is not None
        and last_turn.proposed
        and (get_previous_act(question.turns) in (Act.CART_ADD, "") or not slots.quantities)
    ):
        names, problem = list(last_turn.proposed), ""
    else:
        names = list_shown_codes(question.turns)
        problem = "" if len(names) == 1 else _ask_which(names)
    if problem:
        yield Delta(problem)
        return
    offers, missing_names = find_first_matches(actor=question.actor, names=names)
    wishes, remarks = [], []
    for index, offer in enumerate(offers):
        quantity, unit = (
            (
                slots.quantities[index]
                if len(slots.quantities) == len(offers)
                else slots.quantities[0]
            )
            if slots.quantities
            else (0, "")
        )
        earlier_quantity = last_turn.proposed.get(offer.product.code) if last_turn else None
        line = WantedLine(
            text="",
            code=offer.product.code,
            quantity=quantity or earlier_quantity,
            unit=unit,
            slots=slots,
        )
        sale_quantity, remark = _get_sale_quantity(_Wanted(line, (offer,)))
        wishes.append((offer, sale_quantity))
        remarks += [remark] if remark else []
    yield from _reply_with_proposal(wishes, remarks, missing_names, None)


def _ask_which(names: Sequence[str]) -> str:
    if not names:
        return "您要加哪一款商品？请告诉我名称或编码，或先让我查找一下。"
    return f"上面列了 {len(names)} 款，您要第几个？例如“第一个来 2 份”。"


def _reply_with_proposal(
    wishes: list[tuple[Offer, int]],
    remarks: list[str],
    missing_names: Sequence[str],
    only_product: _Wanted | None,
) -> Iterator[Event]:
    """Propose the wishes, pairs of product and quantity, for the cart. `only_product` is the single
    wanted product, whose other matches are shown too.
    """
    proposable = proposal_prepare(wishes=_merge_wishes(wishes))
    parts = [_format_total(proposable)] if proposable.lines else []
    if only_product is not None:
        yield Cards(only_product.offers)
        parts.append("这是符合要求、销量最高的一款；要换其他款，说“第二个来 2 份”即可。")
    parts += [*remarks, *proposable.remarks]
    if missing_names:
        parts.append(describe_missing(list(missing_names)))
    if proposable.lines:
        parts.append(CONSENT)
    yield Delta("\n\n".join(parts) or "没有找到您说的商品，请告诉我商品名称或编码。")
    if proposable.lines:
        yield Proposal(proposable.lines)


def _format_total(lines: ProposableLines) -> str:
    return f"为您列出 {len(lines.lines)} 种商品，合计 **{format_yuan(lines.total)}**。"


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
            f"**{format_yuan(view.chosen_amount)}**（未含运费）："
        )
        yield Delta("\n".join([head, "", *rows, *more, *warning]))
    yield Links((CART,))


MAX_LISTED = 20
# Words for time and manner, which name no product.
FILLER_WORDS = re.compile(
    r"再(?:来|买|订|要|下|加|采购)?|一单|一次|一份|照样|照着|一样|同样|买过|订过|上个?月|"
    r"上一?次|上回|之前|以前|下单|加购|购物车|加到|加入|跟|那些?|份|订单|来|遍|次|把|单|的"
)


def propose_again(question: Question) -> Iterator[Event]:
    """Propose the person's newest order line that matches the request, or his whole last order, in
    the requested or the earlier quantity.

    Raises:
        NotAllowed: the person has no right to open orders.
    """
    yield Working(ADD, "正在查找您买过的商品")
    require_menu_code(question.actor, MenuCode.ORDER_LIST, "订单")
    slots = question.slots
    slots_without_fillers = replace(slots, masked_text=FILLER_WORDS.sub(" ", slots.masked_text))
    words = [
        *slots.brands,
        *slots.colours,
        *slots.measures,
        *(() if slots.kinds else search_words(slots_without_fillers)),
    ]
    category_id = next((category.id for kind in slots.kinds for category in kind.categories), None)
    lines = list_lines_bought_before(actor=question.actor, category_id=category_id, words=words)
    if not lines:
        yield Delta("没有找到您买过这样的商品。请换个说法，或直接告诉我商品名称，我来查找。")
        yield Links((Link("我的订单", "/userCenter/order/index"),))
        return
    requested_quantities = [
        number for number, unit in slots.quantities if unit != "份" or slots.kinds
    ]
    requested_quantity = (
        requested_quantities[0]
        if requested_quantities and len(lines) == 1 and (slots.kinds or words)
        else None
    )
    offers = get_offers_by_id(actor=question.actor, product_ids=[line.product_id for line in lines])
    proposable = proposal_prepare(
        wishes=_merge_wishes(
            (offers[line.product_id], int(requested_quantity or line.quantity))
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
        parts.append(f"合计 **{format_yuan(proposable.total)}**（未含运费）。{CONSENT}")
    yield Delta("\n\n".join(parts))
    if proposable.lines:
        yield Proposal(proposable.lines)


def _list_lines_in_catalogue(lines: list[OrderLine], offers: dict[int, Offer]) -> list[OrderLine]:
    return [line for line in lines if line.product_id in offers]


def _merge_wishes(wishes: Iterable[tuple[Offer, int]]) -> list[tuple[Offer, int]]:
    """Return product and quantity once per product, with the quantities added up, because a
    proposal lists each product once.
    """
    quantities: dict[int, int] = {}
    offers: dict[int, Offer] = {}
    for offer, quantity in wishes:
        offers[offer.product.pk] = offer
        quantities[offer.product.pk] = quantities.get(offer.product.pk, 0) + quantity
    return [(offer, quantities[pk]) for pk, offer in offers.items()]


def _format_lines(lines: list[OrderLine]) -> str:
    """Return order lines as a Markdown list, at most MAX_LISTED of them."""
    rows = [
        f"\n- {escape_markdown(line.name)} × {line.quantity} {line.unit}"
        for line in lines[:MAX_LISTED]
    ]
    return "".join(rows) + (f"\n- 等共 {len(lines)} 种" if len(lines) > MAX_LISTED else "")


def propose_swap(question: Question) -> Iterator[Event]:
    """Propose the last proposal again with one product replaced, in the same quantity."""
    swap_match = SWAP.search(question.slots.text)
    last_turn = question.turns[-1] if question.turns else None
    if last_turn is None or not last_turn.proposed or swap_match is None:
        yield Delta("还没有清单可以更换。请先让我列一份清单，或告诉我要买的商品。")
        return
    yield Working(ADD, "正在更换商品")
    offers, _ = find_first_matches(actor=question.actor, names=list(last_turn.proposed))
    replaced_offer = _find_in_list(swap_match["old"], question, offers)
    if replaced_offer is None:
        yield Delta(
            f"上面的清单里没有“{escape_markdown(swap_match['old'])}”，请说出清单里商品的名称，或“第几个”。"
        )
        return
    replacements = _find_replacement(question, swap_match["new"])
    if not replacements:
        yield Delta(
            f"没有找到“{escape_markdown(swap_match['new'])}”，清单没有改动。"
            "请换个说法，或告诉我商品编码。"
        )
        return
    proposed_quantities = [
        (offer, last_turn.proposed.get(offer.product.code, offer.product.min_quantity))
        for offer in offers
    ]
    proposable = proposal_prepare(
        wishes=_merge_wishes(
            (replacements[0] if offer is replaced_offer else offer, quantity)
            for offer, quantity in proposed_quantities
        )
    )
    parts = [
        (
            f"已把 **{escape_markdown(replaced_offer.name)}** 换成 "
            f"**{escape_markdown(replacements[0].name)}**（{format_yuan(replacements[0].price)}/{replacements[0].product.unit}）。"
        ),
        *proposable.remarks,
        (
            f"现在共 {len(proposable.lines)} 种商品，合计 **{format_yuan(proposable.total)}"
            f"**（未含运费）。{CONSENT}"
        ),
    ]
    yield Cards(replacements[:3])
    yield Delta("\n\n".join(parts))
    yield Proposal(proposable.lines)
    if list_facts := get_previous_list(question.turns):
        yield Remember({"list": list_facts})


def _find_in_list(text: str, question: Question, offers: list[Offer]) -> Offer | None:
    """Return the product of the list that the words refer to: by ordinal, by code, or by its name
    and category.
    """
    shown_codes = list_shown_codes(question.turns)
    slots = _parse_text(question, text)
    pointed_codes_in_list = (
        []
        if points_beyond(slots.references, shown_codes)
        else resolve(slots.references, shown_codes)
    )
    searched_name = normalise(text).replace("那个", "").replace("里面的", "").strip("的 ")
    for offer in offers:
        kind = offer.product.l3.name if offer.product.l3_id else ""
        if offer.product.code in (*pointed_codes_in_list, searched_name) or (
            searched_name and searched_name in normalise(f"{offer.name} {kind}")
        ):
            return offer
    return None


def _parse_text(question: Question, text: str) -> Slots:
    return parse_slots(text, actor=question.actor, lexicon=question.lexicon)


def _find_replacement(question: Question, text: str) -> tuple[Offer, ...]:
    """Return the products that the text asks for instead, the best match first."""
    slots = _parse_text(question, text)
    if slots.codes:
        return tuple(find_first_matches(actor=question.actor, names=slots.codes)[0])
    wish = build_wish(slots, () if slots.kinds else search_words(slots))
    if not slots.kinds and not wish.words:
        return ()
    return products_find(actor=question.actor, wish=replace(wish, in_stock=True))
