"""Replies about products: search and details."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from apps.assistant.answers import HIDDEN_PRICE, Cards, Delta, Event, Link, Links, Working
from apps.assistant.embedded.question import Question, list_shown_codes, points_beyond, resolve
from apps.assistant.embedded.replies.talk import admit_not_understood, admit_unknown_words
from apps.assistant.embedded.replies.wording import (
    escape_markdown,
    format_price_line,
    format_product,
    format_stock_line,
)
from apps.assistant.embedded.slots import UNITS, Kind, Slots, find_near_kind
from apps.assistant.tools.products import (
    Wish,
    compute_piece_price,
    find_first_matches,
    get_pieces,
    products_find,
)
from apps.common.money import format_yuan
from apps.pricing.selectors.base_unit_prices import round_base_unit_price
from apps.pricing.selectors.offers import Offer
from apps.search.enums import ProductSort
from apps.search.keyword import CategoryName, Lexicon

SEARCH, FACTS = "search_products", "product_facts"
SEARCHING, LOOKING = "正在查找商品", "正在查询价格和库存"
BROWSE = Links((Link("浏览全部商品", "/product/index"), Link("常见问题", "/help/detail/11")))
MAX_KINDS = 6
# Words of a search that say nothing about the product.
NO_PRODUCT_WORDS = re.compile(
    r"合适|你看|看哪个|大概|最高|最低|单支|每支|按支|单个|每个|按个|单只|每只|单瓶|每瓶|按瓶|算下来|"
    r"推荐(?:几|一)?款?|有没有|有哪些|哪些|有什么|几款|几种|几台|几个|哪(?:个|款|种|家)?|找一下|找个?|查找|搜索|搜一?下?|看一下|看看|看下|给我看|"
    r"多少钱|什么价格?|价格|价钱|单价|售价|便宜一?点|最便宜|便宜|实惠|划算|合算|省钱|最贵|不贵|别太贵|太贵|热销|畅销|卖得最?好|销量|最?好的?|好用|"
    r"新品|新款|现货|有货|没货|库存|缺货|预算|左右|上下|以内|以下|以上|之间|不超过|最好|一般|普通|常用|"
    r"公司|办公室|会议室|部门|员工|同事|客户|前台|财务室|领导|用的|用来|来个|来点|来一|来|买点|买个|买|采购|购买|订|配个|配|"
    r"想要|我要|需要|想给|想|要|帮我|帮忙|请问|请|麻烦|我们|咱们|我|给|那种|这种|这款|那款|一款|一些|一点|一下|一个|一台|现在|目前|"
    r"怎么样|怎样|都有|都|的话|的|了|吗|呢|啊|吧|呀|嘛|和|与|及|或者|或|是|在|有|没|个|款|种|些|点|什么|啥|可以|能|行|就|也|还|再|新|按|算|包装|颜色|"
    r"规格|型号|牌子|品牌|商品|产品|东西|其他|别的|除了|适合|随便|大概|差不多|用|几|哦|块|元|上|下|看|最"
)


@dataclass(frozen=True, slots=True)
class Found:
    """The products of a search, and the conditions that no product meets and that were left
    out.
    """

    offers: tuple[Offer, ...]
    dropped: tuple[str, ...] = ()


def search_words(slots: Slots) -> tuple[str, ...]:
    """Return the words of the request that are neither objects nor filler words. If the request
    names a kind of product, single characters are left out.
    """
    words = [
        word
        for word in _list_other_words(slots)
        if not word.isdigit() and word not in UNITS.split("|")
    ]
    min_length = 2 if slots.kinds else 1
    return tuple(dict.fromkeys(word for word in words if len(word) >= min_length))


def _list_other_words(slots: Slots) -> list[str]:
    remaining_text = re.sub(r"[A-Z]", " ", slots.masked_text)
    return NO_PRODUCT_WORDS.sub(" ", re.sub(r"[^\w一-鿿]", " ", remaining_text)).split()


def list_bare_numbers(slots: Slots) -> tuple[str, ...]:
    """Return numbers without a unit beside a kind of product: 55 in 档案盒，55的 is a size."""
    return tuple(word for word in _list_other_words(slots) if word.isdigit()) if slots.kinds else ()


def build_wish(slots: Slots, words: tuple[str, ...] = ()) -> Wish:
    """Return the search criteria of a request. The budget is a price limit if the request has no
    other.
    """
    return Wish(
        keyword="" if slots.kinds else " ".join(kind.word for kind in slots.kinds),
        category_ids=tuple(category.id for kind in slots.kinds for category in kind.categories)[
            :MAX_KINDS
        ],
        brand=slots.brands[0] if slots.brands else "",
        words=words,
        colours=slots.colours,
        measures=(*slots.measures, *list_bare_numbers(slots)),
        packs=tuple(
            (f"{pack.count}{pack.unit}" if pack.count else "", pack.box) for pack in slots.packs
        ),
        excluded=tuple(
            code if word == "g" or word == "G" else word
            for word in slots.excluded
            for code in (slots.codes or (word,))
        ),
        min_price=slots.min_price,
        max_price=slots.max_price if slots.max_price is not None else slots.budget,
        in_stock=slots.is_in_stock,
        sort=slots.sort or ProductSort.DEFAULT,
    )


def find_products(question: Question) -> Iterator[Event]:
    """Search for the products that the request describes. A word that no product has is named, and
    nothing is shown in its place.
    """
    slots, words = _read_search(question)
    if (question_back := _ask_back(slots, words, question.lexicon)) is not None:
        yield Delta(question_back)
        return
    if not slots.kinds and any(len(word) == 1 for word in words):
        yield from admit_not_understood(question)
        return
    yield Working(SEARCH, SEARCHING)
    wish = build_wish(slots, words)
    offers = products_find(actor=question.actor, wish=wish)
    if not offers and words and not _can_drop(question, slots, words):
        yield from _admit_missing_words(question, slots, words)
        return
    search_result = Found(offers) if offers else _find_near(question, wish)
    if search_result.offers:
        yield Cards(search_result.offers)
    yield Delta(_describe_result(slots, words, search_result))
    if not search_result.offers:
        yield BROWSE


def _read_search(question: Question) -> tuple[Slots, tuple[str, ...]]:
    """Return the request with its kind of product, and the other words of the search."""
    slots = question.slots
    if not question.actor.sees_prices:
        # The person cannot check a limit or an order by price, so the answer must not claim one.
        slots = replace(slots, min_price=None, max_price=None, budget=None, sort=None)
    words = search_words(slots)
    kind = find_near_kind(words[-1], question.lexicon) if words and not slots.kinds else None
    if kind is not None:
        slots, words = replace(slots, kinds=(kind,)), words[:-1]
    return _with_head_noun(slots, words, question.lexicon)


def _ask_back(slots: Slots, words: tuple[str, ...], lexicon: Lexicon) -> str | None:
    """Return a question back if the request names no kind of product, or a word for several."""
    if slots.kinds:
        return None
    if kinds := _kinds_ending_with(words, lexicon):
        kind_names = "、".join(kinds[:MAX_KINDS]) + ("等" if len(kinds) > MAX_KINDS else "")
        return f"“{escape_markdown(words[-1])}”有好几种：{kind_names}。您要哪一种？"
    if not slots.brands and not words:
        return "您要找哪一种商品？请告诉我名称，例如“黑色中性笔”“A4 复印纸”。"
    return None


def _can_drop(question: Question, slots: Slots, words: tuple[str, ...]) -> bool:
    """Whether the search may go on without words that no product of the kind has: they exist in the
    catalogue, and only describe the kind.
    """
    return (
        bool(slots.kinds)
        and not _list_unknown_words(question, words)
        and all(_is_modifier(word, slots.masked_text) for word in words)
    )


def _list_unknown_words(question: Question, words: tuple[str, ...]) -> list[str]:
    """Return the words that no product of the person's catalogue has."""
    return [
        word for word in words if not products_find(actor=question.actor, wish=Wish(words=(word,)))
    ]


def _admit_missing_words(
    question: Question, slots: Slots, words: tuple[str, ...]
) -> Iterator[Event]:
    """Say which words no product has, and offer the kind of product instead."""
    unknown = _list_unknown_words(question, words)
    kinds_text = "、".join(kind.word for kind in slots.kinds)
    about = f"要看{escape_markdown(kinds_text)}吗？" if kinds_text else ""
    if unknown:
        yield from admit_unknown_words(unknown, f"目录里没有这样的商品。{about}")
    elif slots.kinds:
        yield from admit_unknown_words(words, about)
    else:
        yield from admit_not_understood(question)


def _is_modifier(word: str, masked_text: str) -> bool:
    """Whether a word describes the named kind: 挂墙的白板, but not in 打印机用的墨."""
    return re.search(rf"K(?:专)?(?:用的?|的|里的?){re.escape(word)}", masked_text) is None


def _kinds_ending_with(words: tuple[str, ...], lexicon: Lexicon) -> list[str]:
    """Return the categories whose names end with a very short word: 笔, 纸."""
    ending = words[-1].removesuffix("子") if words else ""
    if len(ending) != 1:
        return []
    names = [category.name for category in _categories_ending_with(ending, lexicon)]
    return names if len(names) > 1 else []


def _categories_ending_with(ending: str, lexicon: Lexicon) -> list[CategoryName]:
    """Return the categories of level 3 whose names end so."""
    return [
        category
        for name, categories in lexicon.categories.items()
        for category in categories
        if category.level == 3 and name.endswith(ending)
    ]


def _with_head_noun(
    slots: Slots, words: tuple[str, ...], lexicon: Lexicon
) -> tuple[Slots, tuple[str, ...]]:
    """Return the request with the last word as its kind, if it ends the names of categories and
    comes after the named kind: in 标签打印机用的色带 the person wants a 色带.
    """
    if not words or len(words[-1]) < 2:
        return slots, words
    last = words[-1]
    ends = _categories_ending_with(last, lexicon)
    place = slots.masked_text.rfind(last)
    if not ends or (slots.kinds and "K" in slots.masked_text[place:]):
        return slots, words
    return replace(slots, kinds=(Kind(last, tuple(ends)),)), words[:-1]


def _find_near(question: Question, wish: Wish) -> Found:
    """Return products that meet all conditions but one, or the fewest dropped."""
    for name, looser in _iterate_looser_wishes(wish):
        offers = products_find(actor=question.actor, wish=looser)
        if offers:
            return Found(offers, name)
    return Found(())


def _iterate_looser_wishes(wish: Wish) -> Iterator[tuple[tuple[str, ...], Wish]]:
    """Yield wishes with one condition less, and at last with the kind only, each with the names of
    the dropped conditions.
    """
    drops: tuple[tuple[str, Callable[[Wish], Wish]], ...] = (
        ("、".join(wish.words), lambda full: replace(full, words=())),
        ("包装" if wish.packs else "", lambda full: replace(full, packs=())),
        ("、".join(wish.measures), lambda full: replace(full, measures=())),
        ("、".join(wish.colours), lambda full: replace(full, colours=())),
        (f"品牌{wish.brand}" if wish.brand else "", lambda full: replace(full, brand="")),
        (_format_price(wish), lambda full: replace(full, min_price=None, max_price=None)),
    )
    present_drops = [(name, drop) for name, drop in drops if name]
    for name, drop in present_drops:
        yield (name,), drop(wish)
    if len(present_drops) > 2 and wish.category_ids:
        loosest = wish
        for _, drop in present_drops:
            loosest = drop(loosest)
        yield tuple(name for name, _ in present_drops), loosest


def _format_price(wish: Wish) -> str:
    """Return the price range of the request in Chinese. "" without limits."""
    low, high = wish.min_price, wish.max_price
    if low is not None and high is not None:
        return f"{low:f} 到 {high:f} 元"
    if high is not None:
        return f"{high:f} 元以内"
    return f"{low:f} 元以上" if low is not None else ""


def describe_criteria(slots: Slots, words: tuple[str, ...] = ()) -> str:
    """Return what was understood, so that the person can check it."""
    wish = build_wish(slots, words)
    packs = [
        f"{pack.count}{pack.unit}/{pack.box}"
        if pack.count and pack.box
        else f"{pack.count}{pack.unit}装"
        if pack.count
        else f"整{pack.box}"
        for pack in slots.packs
    ]
    excluded = [f"不含{word}" for word in wish.excluded]
    parts = [
        _format_price(wish),
        *slots.brands,
        *slots.colours,
        *(measure.upper() for measure in wish.measures),
        *packs,
        *words,
        *(kind.word for kind in slots.kinds),
        *excluded,
    ]
    return " ".join(escape_markdown(part) for part in parts if part)


def _describe_result(slots: Slots, words: tuple[str, ...], search_result: Found) -> str:
    """Return the answer to a search in Markdown: the criteria, brands, colours and prices found."""
    criteria, offers = describe_criteria(slots, words), search_result.offers
    if not offers:
        return (
            f"在您的采购目录里没有找到“{criteria}”。可以换个说法、放宽条件，"
            "或联系客服申请加入目录。"
        )
    if search_result.dropped:
        dropped_names = escape_markdown("、".join(search_result.dropped))
        head = f"没有同时符合“{criteria}”的商品。下面这些不符合“{dropped_names}”，其余都符合："
    else:
        head = f"为您找到“{criteria}”的 {len(offers)} 款："
    brands = "、".join(dict.fromkeys(offer.product.brand.name for offer in offers))
    lines = [head, "", f"- 品牌有：{escape_markdown(brands)}"]
    colours = list(
        dict.fromkeys(
            str(offer.product.attributes["颜色"])
            for offer in offers
            if "颜色" in offer.product.attributes
        )
    )
    if len(colours) > 1:
        lines.append(f"- 颜色有：{escape_markdown('、'.join(colours))}")
    lines += _list_price_lines(slots, offers)
    lines += ["", "可以接着问“第二个多少钱”“要蓝色的”，或说“第一个来 2 份”。"]
    return "\n".join(lines)


def _list_price_lines(slots: Slots, offers: tuple[Offer, ...]) -> list[str]:
    """Return Markdown list items about the prices: of one product its price and stock, of several
    the price range. `offers` must not be empty.
    """
    first = offers[0]
    if not first.is_priced:
        return [f"- {HIDDEN_PRICE}"]
    if len(offers) == 1:
        return [
            f"- **{escape_markdown(first.name)}**：{format_price_line(first)}；"
            f"{format_stock_line(first)}"
        ]
    cheapest = min(offers, key=lambda offer: offer.price)
    highest = max(offers, key=lambda offer: offer.price)
    lines = [
        f"- 价格 {format_yuan(cheapest.price)} 到 {format_yuan(highest.price)}，最低的是 "
        f"**{escape_markdown(cheapest.name)}**"
    ]
    if slots.sort == ProductSort.PRICE:
        lines.append(
            f"- 按每件折算最便宜的是第一款 **{escape_markdown(first.name)}**：{format_piece(first)}"
        )
    return lines


def format_piece(offer: Offer) -> str:
    """Return the price and, for a pack, the price of one piece: ¥21.00/盒（折合 ¥1.75/支）."""
    pieces, unit = get_pieces(offer)
    price = f"{format_yuan(offer.price)}/{offer.product.unit}"
    return price if pieces == 1 else f"{price}（折合 {format_piece_price(offer)}/{unit}）"


def format_piece_price(offer: Offer) -> str:
    """Return the price of one piece with as many decimals as the product cards show."""
    return f"¥{round_base_unit_price(compute_piece_price(offer)):,f}"


def show_facts(question: Question) -> Iterator[Event]:
    """Show price, stock and legal quantities of the products that the request names or refers
    to.
    """
    names, problem = find_pointed_codes(question)
    if problem:
        yield Delta(problem)
        return
    yield Working(FACTS, LOOKING)
    offers, missing_names = find_first_matches(actor=question.actor, names=names)
    yield Cards(tuple(offers))
    parts = [format_product(offer) for offer in offers]
    if missing_names:
        parts.append(describe_missing(missing_names))
    yield Delta("\n\n".join(parts))


def describe_missing(names: list[str]) -> str:
    """Return a sentence that says that these products were not found."""
    return (
        f"没有找到 {'、'.join(map(escape_markdown, names))}：它可能不在您的采购目录里，"
        "或者编码有误。"
    )


def find_pointed_codes(question: Question) -> tuple[list[str], str]:
    """Return the codes that the request names or refers to, and "". If there is none, return [] and
    the question to ask back.
    """
    slots = question.slots
    if slots.codes:
        return list(slots.codes), ""
    shown_codes = list_shown_codes(question.turns)
    if not shown_codes:
        return [], "您说的是哪一款商品？请告诉我商品名称或编码。"
    if points_beyond(slots.references, shown_codes):
        return [], f"上面只列了 {len(shown_codes)} 款商品，没有您说的那一款。您要的是第几个？"
    if any(reference.is_cheapest for reference in slots.references):
        offers, _ = find_first_matches(actor=question.actor, names=shown_codes)
        return [min(offers, key=lambda offer: offer.price).product.code], ""
    codes = resolve(slots.references, shown_codes)
    return codes, "" if codes else "您说的是哪一款商品？请告诉我是第几个，或商品编码。"
