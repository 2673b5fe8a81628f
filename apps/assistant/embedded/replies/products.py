"""Replies about products: search, details, comparison. A question that a help page answers better
gets the section of that page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from apps.assistant.answers import HIDDEN_PRICE, Cards, Delta, Event, Link, Links, Remember, Working
from apps.assistant.embedded.reading import (
    Question,
    list_referenced_codes,
    list_shown_codes,
    refers_beyond_shown,
)
from apps.assistant.embedded.replies.talk import admit_not_understood
from apps.assistant.embedded.replies.wording import (
    escape_markdown,
    format_price_line,
    format_product,
    format_stock_line,
)
from apps.assistant.embedded.vocabulary import Names, find_names
from apps.assistant.tools.help import HelpMatch, cut_excerpt, help_find
from apps.assistant.tools.products import Wish, find_first_matches, products_find
from apps.catalog.indexing.text import query_words
from apps.common.money import yuan_text
from apps.pricing.selectors.offers import Offer
from apps.search.enums import ProductSort
from apps.selection.solver.packs import holds

SEARCH, FACTS, COMPARE = "search_products", "product_facts", "compare_products"
SEARCHING, LOOKING, COMPARING = "正在查找商品", "正在查询价格和库存", "正在对比商品"
MAX_COMPARED = 4
# A question for a help page that looks like a search.
MIN_HELP_SCORE_BEFORE_SEARCH = 14.0
MIN_HELP_SCORE_WITHOUT_PRODUCTS = 7.0


def find_products(question: Question) -> Iterator[Event]:
    """Search for the products named in the question. A question without a product refines the
    previous search.
    """
    reading = question.reading
    what = find_names(reading.text, without=reading.order_nos)
    before = _search_before(question)
    is_follow_up = (
        before is not None and what.category is None and (not what.rest or len(what.rest) < 2)
    )
    if (
        what.category is None
        and not what.brands
        and not what.rest
        and not what.attributes
        and not is_follow_up
    ):
        yield from admit_not_understood(question)
        return
    if (
        what.category is None
        and not is_follow_up
        and (answer := help_find(text=reading.text))
        and answer.score >= MIN_HELP_SCORE_BEFORE_SEARCH
    ):
        yield from _show_help(answer)
        return
    yield Working(SEARCH, SEARCHING)
    search = _search_criteria(question, what, before if is_follow_up else None)
    offers, dropped_criteria = _find_offers(question, search)
    if (
        not offers
        and (answer := help_find(text=reading.text))
        and answer.score >= MIN_HELP_SCORE_WITHOUT_PRODUCTS
    ):
        yield from _show_help(answer)
        return
    yield Cards(offers)
    yield Delta(_result_text(search, offers, dropped_criteria))
    if offers:
        yield Remember({"search": search})
    else:
        yield Links((Link("浏览全部商品", "/product/index"), Link("常见问题", "/help/detail/11")))


def _show_help(answer: HelpMatch) -> Iterator[Event]:
    yield Working("help_pages", "正在查阅帮助")
    yield Delta(f"**{answer.best.name}**\n\n{cut_excerpt(answer.best)}")
    yield Links((Link(answer.best.title, answer.best.path),))


def find_best_match(question: Question) -> tuple[Offer, ...]:
    """Return the best-selling products of the category named in the question; empty if it names
    none.
    """
    what = find_names(question.reading.text, without=question.reading.order_nos)
    if what.category is None and not what.brands and not what.attributes:
        return ()
    return _find_offers(question, _search_criteria(question, what, None) | {"stock": True})[0]


def _search_before(question: Question) -> dict[str, Any] | None:
    return next(
        (turn.facts["search"] for turn in reversed(question.turns) if turn.facts.get("search")),
        None,
    )


def _search_criteria(
    question: Question, what: Names, before: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the search criteria as JSON, so that a later turn can refine them."""
    reading = question.reading
    search: dict[str, Any] = (
        dict(before)
        if before
        else {"keyword": what.rest, "category": None, "name": "", "brand": "", "attributes": []}
    )
    if what.category:
        search |= {"category": what.category[0], "name": what.category[1], "keyword": ""}
    if what.brands:
        search["brand"] = what.brands[0]
    if what.attributes:
        kept_attributes = [
            one
            for one in search["attributes"]
            if not (one.endswith("色") and any(new.endswith("色") for new in what.attributes))
        ]
        search["attributes"] = [*kept_attributes, *what.attributes]
    for name, amount in (("min", reading.min_price), ("max", reading.max_price)):
        if amount is not None or not before:
            search[name] = None if amount is None else str(amount)
    search["stock"] = reading.is_in_stock
    search["sort"] = reading.sort.value if reading.sort else ProductSort.DEFAULT.value
    return search


def _build_wish(search: dict[str, Any]) -> Wish:
    words = [search["keyword"], *search["attributes"]]
    return Wish(
        keyword=" ".join(word for word in words if word),
        category_id=search["category"],
        brand=search["brand"],
        min_price=Decimal(search["min"]) if search.get("min") else None,
        max_price=Decimal(search["max"]) if search.get("max") else None,
        in_stock=search["stock"],
        sort=ProductSort(search["sort"]),
    )


def _find_offers(question: Question, search: dict[str, Any]) -> tuple[tuple[Offer, ...], str]:
    """Return the products, and the criteria that were dropped to find any."""
    wish = _build_wish(search)
    offers = products_find(actor=question.actor, wish=wish)
    if offers:
        return offers, ""
    by_words = replace(
        wish, keyword=" ".join([search["name"], wish.keyword]).strip(), category_id=None
    )
    offers = products_find(actor=question.actor, wish=by_words) if search["category"] else ()
    if offers:
        return offers, ""
    for words, looser in _list_looser_wishes(search, wish):
        offers = products_find(actor=question.actor, wish=looser)
        if offers:
            return offers, words
    return (), ""


def _list_looser_wishes(search: dict[str, Any], wish: Wish) -> Iterator[tuple[str, Wish]]:
    """Yield the wish with fewer criteria, each with the text of the criteria left out."""
    if search["attributes"]:
        yield "、".join(search["attributes"]), replace(wish, keyword=search["keyword"])
    if wish.brand:
        yield f"品牌“{wish.brand}”", replace(wish, brand="")
    if wish.min_price is not None or wish.max_price is not None:
        yield "价格范围", replace(wish, min_price=None, max_price=None)
    words = [word for word in query_words(search["keyword"]) if len(word) > 1]
    for word in (
        sorted(words, key=len, reverse=True) if len(query_words(search["keyword"])) > 1 else ()
    ):
        yield f"“{word}”以外的字", replace(wish, keyword=word)


def _format_search(search: dict[str, Any]) -> str:
    parts = [search["brand"], *search["attributes"], search["name"] or search["keyword"]]
    if search.get("min") and search.get("max"):
        parts.insert(0, f"{Decimal(search['min']):f} 到 {Decimal(search['max']):f} 元")
    elif search.get("max"):
        parts.insert(0, f"{Decimal(search['max']):f} 元以内")
    elif search.get("min"):
        parts.insert(0, f"{Decimal(search['min']):f} 元以上")
    return " ".join(escape_markdown(part) for part in parts if part)


def _result_text(search: dict[str, Any], offers: tuple[Offer, ...], dropped_criteria: str) -> str:
    """Return the answer in Markdown. `dropped_criteria` names the criteria that the search dropped;
    it is empty if none were dropped.
    """
    criteria = _format_search(search)
    if not offers:
        return (
            f"在您的采购目录里没有找到“{criteria}”。可以换个说法、放宽条件，"
            "或联系客服申请加入目录。"
        )
    head = (
        f"没有找到完全符合“{criteria}”的商品，去掉{escape_markdown(dropped_criteria)}后有这些："
        if dropped_criteria
        else f"为您找到“{criteria}”相关的 {len(offers)} 款："
    )
    brands = "、".join(dict.fromkeys(offer.product.brand.name for offer in offers))
    cheapest = min(offers, key=lambda offer: offer.price)
    lines = [head, "", f"- 品牌有：{escape_markdown(brands)}"]
    if len(offers) > 1 and not cheapest.is_priced:
        lines.append(f"- {HIDDEN_PRICE}")
    elif len(offers) > 1:
        highest = yuan_text(max(offer.price for offer in offers))
        lines.append(
            f"- 价格 {yuan_text(cheapest.price)} 到 {highest}，最低的是 "
            f"**{escape_markdown(cheapest.name)}**"
        )
    else:
        lines.append(
            f"- **{escape_markdown(cheapest.name)}**：{format_price_line(cheapest)}；"
            f"{format_stock_line(cheapest)}"
        )
    lines += ["", "可以接着问“第二个多少钱”“要蓝色的”，或说“第一个来 2 份”。"]
    return "\n".join(lines)


def show_facts(question: Question) -> Iterator[Event]:
    """Show price, stock and legal quantities of the products that the question names or refers
    to.
    """
    yield Working(FACTS, LOOKING)
    if refers_beyond_shown(question.reading.text, question.turns) and not question.reading.names:
        shown_count = len(list_shown_codes(question.turns))
        yield Delta(
            f"上面只列了 {shown_count} 款商品，没有找到您说的那一款，请再说一次是第几个。"
            if shown_count
            else "请告诉我商品名称或编码，我来查价格和库存。"
        )
        return
    offers, missing = find_first_matches(
        actor=question.actor, names=_list_referenced_names(question)
    )
    yield Cards(tuple(offers))
    parts = [format_product(offer) for offer in offers]
    if missing:
        parts.append(
            f"没有找到 {'、'.join(map(escape_markdown, missing))}：它可能不在您的采购目录里，"
            "或者编码有误。"
        )
    yield Delta("\n\n".join(parts))


def _list_referenced_names(question: Question) -> list[str]:
    return list(question.reading.names) or list_referenced_codes(
        question.reading.text, question.turns
    )


def compare_products(question: Question) -> Iterator[Event]:
    """Compare the named products, or those shown last, and say which is cheaper."""
    yield Working(COMPARE, COMPARING)
    names = _list_referenced_names(question) or (
        question.turns[-1].codes[:3] if question.turns else []
    )
    offers, missing = find_first_matches(actor=question.actor, names=names[:MAX_COMPARED])
    yield Cards(tuple(offers))
    parts = (
        [_format_comparison(offers), *([_compare_prices(offers)] if offers[0].is_priced else [])]
        if len(offers) > 1
        else [format_product(offer) for offer in offers]
    )
    if missing:
        parts.append(f"没有找到 {'、'.join(map(escape_markdown, missing))}，无法对比。")
    if len(offers) < 2 and not missing:
        parts.append("请再告诉我要对比的另一款商品。")
    yield Delta("\n\n".join(parts))


def _format_comparison(offers: list[Offer]) -> str:
    names = list(dict.fromkeys(name for offer in offers for name in offer.product.attributes))[:5]
    rows: list[list[str]] = [
        ["", *[escape_markdown(offer.name) for offer in offers]],
        ["---"] * (len(offers) + 1),
        ["价格", *[_price_cell(offer) for offer in offers]],
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


def _price_cell(offer: Offer) -> str:
    return f"{yuan_text(offer.price)}/{offer.product.unit}" if offer.is_priced else HIDDEN_PRICE


def _compare_prices(offers: list[Offer]) -> str:
    """Return which product is cheaper per unit of sale, and also per piece if the packs differ
    (12支/盒 beside a single 支).
    """
    by_piece = _verdict_by_piece(offers)
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
        by_unit = f"价格相同，都是 {yuan_text(cheapest.price)}/{cheapest.product.unit}。"
    else:
        apart = yuan_text(dearest.price - cheapest.price)
        by_unit = (
            f"单价更便宜的是 **{escape_markdown(cheapest.name)}**（编码 {cheapest.product.code}）"
            f"，相差 {apart}。"
        )
    return f"{by_unit}\n\n{by_piece}".strip()


def _verdict_by_piece(offers: list[Offer]) -> str:
    """Return which product is cheaper per piece; empty if the packs are equal or contain different
    units.
    """
    pack_sizes = [holds(unit=offer.product.unit, pack=offer.product.pack or "") for offer in offers]
    if len(set(pack_sizes)) == 1 or len({word for _, word in pack_sizes}) > 1:
        return ""
    word = pack_sizes[0][1]
    prices = [
        (offer.price / number, offer) for offer, (number, _) in zip(offers, pack_sizes, strict=True)
    ]
    least, cheapest = min(prices, key=lambda price: price[0])
    prices_text = "、".join(f"{offer.product.code} {yuan_text(price)}" for price, offer in prices)
    if all(yuan_text(price) == yuan_text(least) for price, _ in prices):
        return f"折合每{word}：{prices_text}，价格相同。"
    return (
        f"折合每{word}更便宜的是 **{escape_markdown(cheapest.name)}**（编码 "
        f"{cheapest.product.code}）：{prices_text}。"
    )


MIN_HELP_SCORE_BESIDE_CATEGORY = 6.0


def show_help(question: Question) -> Iterator[Event]:
    """Show the best matching help section. If no page matches and the question names a category,
    search products instead.
    """
    match = help_find(text=question.reading.text)
    if match is None or (
        match.score < MIN_HELP_SCORE_BESIDE_CATEGORY
        and find_names(question.reading.text).category is not None
    ):
        yield from find_products(question)
        return
    yield Working("help_pages", "正在查阅帮助")
    yield Delta(f"**{match.best.name}**\n\n{cut_excerpt(match.best)}")
    yield Links(tuple(Link(section.title, section.path) for section in (match.best, *match.others)))
