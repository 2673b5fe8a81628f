"""Replies that start from a product: comparison, cheaper ones, the same in another colour or pack,
substitutes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from apps.assistant.answers import HIDDEN_PRICE, Cards, Delta, Event, Working
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.replies.products import (
    FACTS,
    LOOKING,
    build_wish,
    describe_missing,
    find_pointed_codes,
    format_piece,
    format_piece_price,
)
from apps.assistant.embedded.replies.wording import escape_markdown, format_product
from apps.assistant.embedded.slots import Kind, Slots
from apps.assistant.tools.products import (
    Wish,
    compute_piece_price,
    find_first_matches,
    get_pieces,
    products_find,
)
from apps.common.money import format_yuan
from apps.pricing.selectors.offers import Offer
from apps.search.enums import ProductSort

COMPARE, COMPARING = "compare_products", "正在对比商品"
MAX_COMPARED, MAX_SHOWN, MANY = 4, 6, 240
COLOUR = "颜色"


def compare_products(question: Question) -> Iterator[Event]:
    """Compare the named products, kinds or brands, and say which is cheaper."""
    slots = question.slots
    if not slots.codes and not slots.references:
        yield Working(COMPARE, COMPARING)
        yield from _compare_kinds(question) if len(slots.kinds) > 1 else _compare_brands(question)
        return
    names, problem = find_pointed_codes(question)
    if problem:
        yield Delta(problem)
        return
    yield Working(COMPARE, COMPARING)
    offers, missing_names = find_first_matches(actor=question.actor, names=names[:MAX_COMPARED])
    yield Cards(tuple(offers))
    parts = (
        [_format_comparison(offers), *([_compare_prices(offers)] if offers[0].is_priced else [])]
        if len(offers) > 1
        else [format_product(offer) for offer in offers]
    )
    if missing_names:
        parts.append(describe_missing(missing_names))
    if len(offers) < 2 and not missing_names:
        parts.append("请再告诉我要对比的另一款商品。")
    yield Delta("\n\n".join(parts))


def _compare_kinds(question: Question) -> Iterator[Event]:
    """Compare the cheapest product of each named kind."""
    rows: list[tuple[str, Offer]] = []
    for kind in question.slots.kinds[:MAX_COMPARED]:
        wish = Wish(
            category_ids=tuple(category.id for category in kind.categories),
            in_stock=True,
            sort=ProductSort.PRICE,
            count=MANY,
        )
        rows += [(kind.word, offer) for offer in products_find(actor=question.actor, wish=wish)]
    yield from _compare_cheapest_of_each(rows, [kind.word for kind in question.slots.kinds])


def _compare_brands(question: Question) -> Iterator[Event]:
    """Compare the cheapest product of each brand within the named kind."""
    slots = question.slots
    rows: list[tuple[str, Offer]] = []
    for brand in slots.brands[:MAX_COMPARED]:
        wish = replace(build_wish(slots), brand=brand, sort=ProductSort.PRICE, count=MANY)
        rows += [(brand, offer) for offer in products_find(actor=question.actor, wish=wish)]
    yield from _compare_cheapest_of_each(rows, list(slots.brands))


def _get_piece_unit(offer: Offer) -> str:
    return get_pieces(offer)[1]


def _list_cheapest_rows(rows: list[tuple[str, Offer]]) -> list[tuple[str, Offer]]:
    """Return the cheapest product for each name, as pairs of name and product. Prices are per
    piece. If all names have a unit in common, only products with that unit are compared: 包 with
    包, not 包 with 张.
    """
    offers_by_name: dict[str, list[Offer]] = {}
    for name, offer in rows:
        offers_by_name.setdefault(name, []).append(offer)
    unit_sets = [{_get_piece_unit(offer) for offer in offers} for offers in offers_by_name.values()]
    common_units = set.intersection(*unit_sets) if unit_sets else set()
    return [
        (
            name,
            min(
                [
                    offer
                    for offer in offers
                    if not common_units or _get_piece_unit(offer) in common_units
                ],
                key=compute_piece_price,
            ),
        )
        for name, offers in offers_by_name.items()
    ]


def _compare_cheapest_of_each(
    rows: list[tuple[str, Offer]], names: Sequence[str]
) -> Iterator[Event]:
    """Compare kinds or brands by price: show the cheapest product of each name and say which name
    is cheaper. `rows` are pairs of a name and one of its products.
    """
    names_without_offer = [name for name in names if name not in {row for row, _ in rows}]
    rows = _list_cheapest_rows(rows)
    if not rows:
        yield Delta(f"没有找到{escape_markdown('、'.join(names))}，无法对比。")
        return
    yield Cards(tuple(offer for _, offer in rows))
    if not rows[0][1].is_priced:
        yield Delta(HIDDEN_PRICE)
        return
    lines = [
        (
            f"- {escape_markdown(name)}最低的是 **{escape_markdown(offer.name)}**："
            f"{format_piece(offer)}"
        )
        for name, offer in rows
    ]
    cheapest = min(rows, key=lambda row: compute_piece_price(row[1]))
    units = {_get_piece_unit(offer) for _, offer in rows}
    verdict = f"按每件折算，**{escape_markdown(cheapest[0])}**更便宜。" if len(rows) > 1 else ""
    if len(units) > 1:
        verdict += f"两边的单位不同（{'、'.join(sorted(units))}），请按用量再比。"
    if names_without_offer:
        verdict += f"没有找到{escape_markdown('、'.join(names_without_offer))}。"
    yield Delta("\n".join([*lines, "", verdict]))


def show_cheaper(question: Question) -> Iterator[Event]:
    """Show products of the same kind with a lower price of one piece."""
    yield from _reply_from_product(question, _reply_cheaper)


def show_same(question: Question) -> Iterator[Event]:
    """Show the same product in another colour."""
    yield from _reply_from_product(question, _reply_same)


def show_substitutes(question: Question) -> Iterator[Event]:
    """Show available products of the same kind, those with the most equal attributes first."""
    yield from _reply_from_product(question, _reply_substitutes)


def show_packs(question: Question) -> Iterator[Event]:
    """Show the same product in other packs, with the price of one piece."""
    yield from _reply_from_product(question, _reply_packs)


def show_colours(question: Question) -> Iterator[Event]:
    """Name the colours in which a product exists."""
    yield from _reply_from_product(question, _reply_colours)


def _reply_from_product(
    question: Question, reply: Callable[[Question, Offer], Iterator[Event]]
) -> Iterator[Event]:
    """Give a reply that starts from the one product that the question refers to. `reply` gets the
    question and that product. If the product is missing or of another kind, say so.
    """
    names, problem = find_pointed_codes(question)
    if problem:
        yield Delta(problem)
        return
    yield Working(FACTS, LOOKING)
    offers, missing_names = find_first_matches(actor=question.actor, names=names[:1])
    if not offers:
        yield Delta(describe_missing(missing_names))
        return
    reference_offer, kinds = offers[0], question.slots.kinds
    if kinds and reference_offer.product.l3_id and not _is_of_kind(reference_offer, kinds):
        yield Delta(
            f"{reference_offer.product.code} 是"
            f"{escape_markdown(reference_offer.product.l3.name)}，不是"
            f"{escape_markdown(kinds[0].word)}。您要比较的是哪一款？请核对商品编码。"
        )
        return
    yield from reply(question, reference_offer)


def _is_of_kind(offer: Offer, kinds: Sequence[Kind]) -> bool:
    """Whether a product belongs to one of the kinds, whatever their level."""
    category_ids = {offer.product.l1_id, offer.product.l2_id, offer.product.l3_id}
    return any(category.id in category_ids for kind in kinds for category in kind.categories)


def _find_same_kind(question: Question, reference_offer: Offer, slots: Slots) -> list[Offer]:
    """Return the other products of the same category that meet the conditions of the request."""
    wish = build_wish(replace(slots, kinds=(), sort=None))
    wish = replace(
        wish,
        category_ids=(reference_offer.product.l3_id,) if reference_offer.product.l3_id else (),
        count=MANY,
        excluded=tuple(word for word in wish.excluded if word not in slots.codes),
    )
    offers = products_find(actor=question.actor, wish=wish)
    return [offer for offer in offers if offer.product.pk != reference_offer.product.pk]


def _count_equal_attributes(offer: Offer, reference_offer: Offer) -> int:
    """Return how many attributes, apart from the name, two products share."""
    ours, theirs = offer.product, reference_offer.product
    shared = sum(ours.attributes.get(name) == value for name, value in theirs.attributes.items())
    return int(shared + (ours.pack == theirs.pack) + (ours.unit == theirs.unit))


def _reply_cheaper(question: Question, reference_offer: Offer) -> Iterator[Event]:
    """Show the products of the same kind that cost less per piece than the reference product."""
    if not reference_offer.is_priced:
        yield Delta(HIDDEN_PRICE)
        return
    limit = compute_piece_price(reference_offer) * _share_of_price(question.slots.text)
    cheaper = [
        offer
        for offer in _find_same_kind(question, reference_offer, question.slots)
        if compute_piece_price(offer) < compute_piece_price(reference_offer)
        and compute_piece_price(offer) <= limit
    ]
    cheaper.sort(
        key=lambda offer: (
            -_count_equal_attributes(offer, reference_offer),
            compute_piece_price(offer),
        )
    )
    kind = reference_offer.product.l3.name if reference_offer.product.l3_id else "商品"
    name = (
        f"**{escape_markdown(reference_offer.name)}**（编码 {reference_offer.product.code}，"
        f"{format_piece(reference_offer)}）"
    )
    if not cheaper:
        yield Delta(f"没有比{name}更便宜的{escape_markdown(kind)}。")
        return
    shown_offers = cheaper[:MAX_SHOWN]
    yield Cards(tuple(shown_offers))
    rows = [
        f"- **{escape_markdown(offer.name)}**：{format_piece(offer)}"
        f"{_format_difference(offer, reference_offer)}"
        for offer in shown_offers
    ]
    head = f"比{name}便宜的{escape_markdown(kind)}（按每件折算），规格相近的在前："
    yield Delta("\n".join([head, "", *rows]))


def _share_of_price(text: str) -> Decimal:
    """Return the part of the price that is left after the named reduction: 便宜 30% is 0.7."""
    percent = re.search(r"(\d{1,2})%", text)
    return 1 - Decimal(percent[1]) / 100 if percent else Decimal(1)


def _format_difference(offer: Offer, reference_offer: Offer) -> str:
    """Return the attributes in which a product differs: （不同：颜色 蓝色、包装 12支/盒）."""
    theirs = reference_offer.product.attributes
    parts = [
        f"{name} {value}"
        for name, value in offer.product.attributes.items()
        if theirs.get(name) != value
    ]
    if offer.product.pack != reference_offer.product.pack and offer.product.pack:
        parts.append(f"包装 {offer.product.pack}")
    return f"（不同：{escape_markdown('、'.join(parts))}）" if parts else ""


def _is_sibling(offer: Offer, reference_offer: Offer, *, but: str) -> bool:
    """Whether two products are the same in all but one attribute (颜色) or the pack (包装)."""
    ours, theirs = offer.product, reference_offer.product
    return (
        ours.brand_id == theirs.brand_id
        and (but == "包装" or ours.pack == theirs.pack)
        and (but != "包装" or ours.pack != theirs.pack)
        and {name: value for name, value in ours.attributes.items() if name != but}
        == {name: value for name, value in theirs.attributes.items() if name != but}
    )


def _reply_same(question: Question, reference_offer: Offer) -> Iterator[Event]:
    """Show the same product in the requested colour; if there is none, show similar products in
    it.
    """
    colours = question.slots.colours
    if not colours:
        yield Delta("您要换成什么颜色？例如“一样的，要蓝色”。")
        return
    candidates = _find_same_kind(
        question, reference_offer, replace(question.slots, measures=(), packs=())
    )
    siblings = [offer for offer in candidates if _is_sibling(offer, reference_offer, but=COLOUR)]
    colour = escape_markdown("、".join(colours))
    name = f"**{escape_markdown(reference_offer.name)}**（编码 {reference_offer.product.code}）"
    if siblings:
        siblings.sort(key=lambda offer: _compute_name_distance(offer, reference_offer))
        best = siblings[:1]
        yield Cards(tuple(best))
        yield Delta(
            f"{name}的{colour}同款：\n\n" + "\n\n".join(format_product(offer) for offer in best)
        )
        return
    nearest = sorted(
        candidates,
        key=lambda offer: (
            -_count_equal_attributes(offer, reference_offer),
            offer.product.brand_id != reference_offer.product.brand_id,
        ),
    )[:4]
    if nearest:
        yield Cards(tuple(nearest))
        rows = [
            f"- **{escape_markdown(offer.name)}**：{_format_price(offer)}"
            f"{_format_difference(offer, reference_offer)}"
            for offer in nearest
        ]
        yield Delta(
            "\n".join(
                [f"{name}没有完全相同的{colour}款。同类的{colour}商品，不同之处已注明：", "", *rows]
            )
        )
        return
    yield Delta(f"{name}没有{colour}款，同类商品里也没有{colour}的。")


def _compute_name_distance(offer: Offer, reference_offer: Offer) -> int:
    """Return how many words of the name differ; the same series comes first."""
    return len(set(offer.product.name.split()) ^ set(reference_offer.product.name.split()))


def _reply_substitutes(question: Question, reference_offer: Offer) -> Iterator[Event]:
    """Show products of the same kind that can be bought now, the most similar first."""
    slots = replace(question.slots, is_in_stock=True)
    substitutes = [
        offer
        for offer in _find_same_kind(question, reference_offer, slots)
        if offer.available >= offer.product.min_quantity
    ]
    substitutes.sort(
        key=lambda offer: (
            -_count_equal_attributes(offer, reference_offer),
            abs(compute_piece_price(offer) - compute_piece_price(reference_offer)),
        )
    )
    kind = reference_offer.product.l3.name if reference_offer.product.l3_id else "商品"
    name = f"**{escape_markdown(reference_offer.name)}**（编码 {reference_offer.product.code}）"
    stock = (
        f"{name}现有库存 {reference_offer.available} {reference_offer.product.unit}。"
        if reference_offer.available > 0
        else f"{name}暂时缺货。"
    )
    if not substitutes:
        yield Delta(f"{stock}没有找到可以替代的{escape_markdown(kind)}。")
        return
    shown_offers = substitutes[:MAX_SHOWN]
    yield Cards(tuple(shown_offers))
    rows = [
        f"- **{escape_markdown(offer.name)}**：{_format_price(offer)}，"
        f"库存 {offer.available} {offer.product.unit}{_format_difference(offer, reference_offer)}"
        for offer in shown_offers
    ]
    yield Delta(
        "\n".join([f"{stock}可以替代的{escape_markdown(kind)}，规格最接近的在前：", "", *rows])
    )


def _reply_packs(question: Question, reference_offer: Offer) -> Iterator[Event]:
    """Show the other packs of the reference product, and name the cheapest per piece."""
    candidates = _find_same_kind(question, reference_offer, Slots(text=""))
    packs = [offer for offer in candidates if _is_sibling(offer, reference_offer, but="包装")]
    name = f"**{escape_markdown(reference_offer.name)}**（编码 {reference_offer.product.code}）"
    if not packs:
        yield Delta(
            f"{name}没有其他包装，只有 "
            f"{escape_markdown(reference_offer.product.pack or reference_offer.product.unit)}"
            f"{'：' + format_piece(reference_offer) if reference_offer.is_priced else ''}。"
        )
        return
    offers = sorted([reference_offer, *packs], key=_build_name_key(reference_offer))[:MAX_SHOWN]
    yield Cards(tuple(offers))
    if not reference_offer.is_priced:
        yield Delta(HIDDEN_PRICE)
        return
    cheapest = min(offers, key=compute_piece_price)
    rows = [
        f"- {escape_markdown(offer.product.pack or offer.product.unit)}：{format_piece(offer)}"
        f"（编码 {offer.product.code}）"
        for offer in offers
    ]
    yield Delta(
        "\n".join(
            [
                f"{name}的包装：",
                "",
                *rows,
                "",
                f"按每件折算最合算的是 **{escape_markdown(cheapest.name)}**"
                f"（编码 {cheapest.product.code}）。",
            ]
        )
    )


def _build_name_key(reference_offer: Offer) -> Callable[[Offer], tuple[bool, int]]:
    return lambda offer: (
        offer.product.pk != reference_offer.product.pk,
        _compute_name_distance(offer, reference_offer),
    )


def _reply_colours(question: Question, reference_offer: Offer) -> Iterator[Event]:
    """Show the other colours of the reference product, one product per colour."""
    candidates = _find_same_kind(question, reference_offer, Slots(text=""))
    siblings = [offer for offer in candidates if _is_sibling(offer, reference_offer, but=COLOUR)]
    name = f"**{escape_markdown(reference_offer.name)}**（编码 {reference_offer.product.code}）"
    own_colour = str(reference_offer.product.attributes.get(COLOUR, ""))
    if not siblings:
        yield Cards((reference_offer,))
        yield Delta(
            f"{name}没有其他颜色{f'，只有{escape_markdown(own_colour)}' if own_colour else ''}。"
        )
        return
    by_colour: dict[str, Offer] = {}
    for offer in sorted(siblings, key=lambda offer: _compute_name_distance(offer, reference_offer)):
        by_colour.setdefault(str(offer.product.attributes.get(COLOUR, "")), offer)
    yield Cards((reference_offer, *by_colour.values()))
    colours = "、".join(colour for colour in by_colour if colour != own_colour)
    yield Delta(f"{name}是{escape_markdown(own_colour)}，还有：{escape_markdown(colours)}。")


def _format_comparison(offers: list[Offer]) -> str:
    """Return a Markdown table that compares the products: one column per product, and rows for
    price, brand, pack, at most five attributes, stock, minimum quantity and delivery days.
    """
    names = list(dict.fromkeys(name for offer in offers for name in offer.product.attributes))[:5]
    rows: list[list[str]] = [
        ["", *[escape_markdown(offer.name) for offer in offers]],
        ["---"] * (len(offers) + 1),
        ["价格", *[_format_price_cell(offer) for offer in offers]],
        ["品牌", *[escape_markdown(offer.product.brand.name) for offer in offers]],
        ["包装", *[escape_markdown(offer.product.pack or "-") for offer in offers]],
        *[
            [
                escape_markdown(name),
                *[
                    escape_markdown(str(offer.product.attributes.get(name, "-")))
                    for offer in offers
                ],
            ]
            for name in names
        ],
        ["库存", *[f"{offer.available} {offer.product.unit}" for offer in offers]],
        ["起订量", *[f"{offer.product.min_quantity} {offer.product.unit}" for offer in offers]],
        ["发货", *[f"约 {offer.product.lead_days} 天" for offer in offers]],
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _format_price(offer: Offer) -> str:
    return format_piece(offer) if offer.is_priced else HIDDEN_PRICE


def _format_price_cell(offer: Offer) -> str:
    return f"{format_yuan(offer.price)}/{offer.product.unit}" if offer.is_priced else HIDDEN_PRICE


def _compare_prices(offers: list[Offer]) -> str:
    """Return which product is cheaper per unit of sale, and also per piece if the packs differ
    (12支/盒 beside a single 支).
    """
    by_piece = _compare_by_piece(offers)
    units = list(dict.fromkeys(offer.product.unit for offer in offers))
    if len(units) > 1:
        return by_piece or (
            f"计价单位不同（{'、'.join(map(escape_markdown, units))}），单价不能直接相比，"
            "请按包装折算后再选。"
        )
    cheapest, dearest = (
        min(offers, key=lambda offer: offer.price),
        max(offers, key=lambda offer: offer.price),
    )
    if cheapest.price == dearest.price:
        by_unit = f"价格相同，都是 {format_yuan(cheapest.price)}/{cheapest.product.unit}。"
    else:
        apart = format_yuan(dearest.price - cheapest.price)
        by_unit = (
            f"单价更便宜的是 **{escape_markdown(cheapest.name)}**（编码 {cheapest.product.code}）"
            f"，相差 {apart}。"
        )
    return f"{by_unit}\n\n{by_piece}".strip()


def _compare_by_piece(offers: list[Offer]) -> str:
    """Return which product is cheaper per piece; empty if the packs are equal or contain different
    units.
    """
    pack_sizes = [get_pieces(offer) for offer in offers]
    if len(set(pack_sizes)) == 1 or len({word for _, word in pack_sizes}) > 1:
        return ""
    word = pack_sizes[0][1]
    least = min(map(compute_piece_price, offers))
    cheapest = min(offers, key=compute_piece_price)
    prices_text = "、".join(f"{offer.product.code} {format_piece_price(offer)}" for offer in offers)
    if all(compute_piece_price(offer) == least for offer in offers):
        return f"折合每{word}：{prices_text}，价格相同。"
    return (
        f"折合每{word}更便宜的是 **{escape_markdown(cheapest.name)}**（编码 "
        f"{cheapest.product.code}）：{prices_text}。"
    )
