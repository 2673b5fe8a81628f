"""Tools that find products in the person's catalogue at his own prices: by criteria, by name, or by
a picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from django.core.files.storage import default_storage

from apps.catalog.indexing.text import normalise, split_query_words
from apps.common.models import StoredFile
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.enums import ProductSort
from apps.search.images.pictures import UNREADABLE, open_picture
from apps.search.query import CatalogQuery
from apps.search.selectors.image_search import find_similar_products
from apps.search.selectors.product_list import product_list
from apps.search.sql.lookup import list_exact_ids
from apps.selection.solver.packs import read_pack_contents

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_CARDS = 8
MAX_NAMES = 30
MAX_KEYWORD_CHARACTERS = 60
PAGE, MAX_PAGES = 60, 4
SMALL_NUMBERS = tuple((str(number), "零一二三四五六七八九"[number]) for number in range(1, 10))


@dataclass(frozen=True, slots=True)
class Wish:
    """Search criteria; prices in 元, 含税, as the person pays them.

    `keyword` ranks and may match loosely. The other criteria are strict: a product without one of
    the words, colours or measures, or with an excluded word, is left out. `pack` is a number of
    pieces with their unit (12支), a unit of sale (箱), or both (12支/盒).
    """

    keyword: str = ""
    category_ids: tuple[int, ...] = ()
    brand: str = ""
    words: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    packs: tuple[tuple[str, str], ...] = ()
    excluded: tuple[str, ...] = ()
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    in_stock: bool = False
    sort: ProductSort = ProductSort.DEFAULT
    count: int = MAX_CARDS

    @property
    def is_strict(self) -> bool:
        """Whether a criterion is checked on each product."""
        return bool(self.words or self.colours or self.measures or self.packs or self.excluded)


def products_find(*, actor: Account, wish: Wish) -> tuple[Offer, ...]:
    """Return at most `wish.count` products of the actor's catalogue that meet all criteria.

    With several categories the products of each come in turn. By price, products are ranked by the
    price of one piece.
    """
    offers_by_category = [
        _find_in_category(actor, wish, category_id) for category_id in wish.category_ids or (None,)
    ]
    offers = list(
        dict.fromkeys(offer for row in zip_longest(*offers_by_category) for offer in row if offer)
    )
    if wish.sort in (ProductSort.PRICE, ProductSort.PRICE_DESC):
        offers.sort(key=_sort_price(wish.sort))
    return tuple(offers[: wish.count])


def _sort_price(sort: ProductSort) -> Callable[[Offer], Decimal]:
    return compute_piece_price if sort == ProductSort.PRICE else lambda offer: -offer.price


def compute_piece_price(offer: Offer) -> Decimal:
    """Return the price of one piece in 元: of one 支 if a 盒 contains 12."""
    return offer.price / get_pieces(offer)[0]


def get_pieces(offer: Offer) -> tuple[int, str]:
    """Return the contents of one unit of sale, as number and unit: 2500 张 for a 箱."""
    product = offer.product
    return read_pack_contents(
        unit=product.unit,
        pack=product.pack or "",
        base_unit=product.base_unit,
        contents=product.contents,
    )


def _find_in_category(actor: Account, wish: Wish, category_id: int | None) -> list[Offer]:
    """Return the products of a category, reading further pages while too few meet the criteria."""
    words = (*wish.words, *wish.measures, *wish.colours[:1])
    query = CatalogQuery(
        keyword=" ".join([wish.keyword, *words]).strip()[:MAX_KEYWORD_CHARACTERS],
        brands=(wish.brand,) if wish.brand else (),
        min_price=wish.min_price,
        max_price=wish.max_price,
        in_stock=wish.in_stock,
        sort=wish.sort,
        page_size=_get_page_size(wish),
        with_total=False,
        with_facets=False,
    )
    if len(wish.colours) > 1 or (wish.measures and not wish.keyword and category_id):
        # The engine ranks near matches; the checks below are exact.
        query = replace(query, keyword=" ".join([wish.keyword, *wish.words]).strip())
    matching_offers: list[Offer] = []
    for index in range(1, MAX_PAGES + 1):
        page = product_list(
            actor=actor, query=replace(query, page_index=index), category_id=category_id
        )
        matching_offers += [offer for offer in page.offers if meets(offer, wish)]
        is_last = len(page.page.ids) < query.page_size
        if is_last or (len(matching_offers) >= wish.count and wish.sort != ProductSort.PRICE):
            break
    return matching_offers


def _get_page_size(wish: Wish) -> int:
    """Return the number of products to read at once. The cheapest piece can be in a large pack, so
    all of a kind are read.
    """
    if wish.sort == ProductSort.PRICE:
        return PAGE * MAX_PAGES
    return PAGE if wish.is_strict else wish.count


def meets(offer: Offer, wish: Wish) -> bool:
    """Whether a product meets the strict criteria of a wish, its price included."""
    product, text = offer.product, describe(offer)
    colours = normalise(f"{product.attributes.get('颜色', '')} {product.name}")
    return (
        (wish.min_price is None or offer.price >= wish.min_price)
        and (wish.max_price is None or offer.price <= wish.max_price)
        and (not wish.colours or any(colour in colours for colour in wish.colours))
        and all(has_measure(text, measure) for measure in wish.measures)
        and (not wish.packs or any(_has_pack(product, *pack) for pack in wish.packs))
        and not any(_is_excluded(offer, text, word) for word in wish.excluded)
        and all(_has_word(text, word) for word in wish.words)
    )


def _has_word(text: str, word: str) -> bool:
    """Whether a description contains a word, or all parts of a compound: 双肩包 in 双肩背包."""
    normal_word = normalise(word)
    if normal_word in text:
        return True
    parts = split_query_words(normal_word)
    return len(parts) > 1 and all(part in text for part in parts)


def describe(offer: Offer) -> str:
    """Return everything that a product says about itself, normalised."""
    product = offer.product
    parts = [
        offer.name,
        product.name,
        product.model_code,
        product.brand.name,
        product.pack,
        product.l3.name if product.l3_id else "",
        *(str(value) for value in product.attributes.values()),
        *_list_keywords(product),
    ]
    return normalise(" ".join(str(part) for part in parts if part))


def _list_keywords(product: Any) -> list[str]:
    keywords = getattr(product, "keywords", "")
    return [keywords] if isinstance(keywords, str) else [str(word) for word in keywords or ()]


def has_measure(text: str, measure: str) -> bool:
    """Whether a description contains a measure as a whole: 0.5 in 0.5mm, but not 5mm in 0.5mm. 三层
    and 3层 are equal.
    """
    normal_measure = normalise(measure)
    spellings = {
        normal_measure,
        *(
            normal_measure.replace(digit, word)
            for digit, word in SMALL_NUMBERS
            if digit == normal_measure[:-1]
        ),
    }
    spellings |= {
        normal_measure.replace(word, digit)
        for digit, word in SMALL_NUMBERS
        if word == normal_measure[:-1]
    }
    return any(
        re.search(rf"(?<![0-9.]){re.escape(spelling)}(?![0-9.])", text) for spelling in spellings
    )


def _has_pack(product: Any, pieces: str, box: str) -> bool:
    """Return whether the product has this pack: `pieces` such as 12支, `box` such as 盒, "" for
    any.
    """
    pack = normalise(product.pack or "")
    return (not pieces or pack.startswith(pieces)) and (
        not box or product.unit == box or pack.endswith(f"/{box}")
    )


def _is_excluded(offer: Offer, text: str, word: str) -> bool:
    """Whether a product has an excluded word. The name of an attribute excludes products with this
    attribute: 不带颜色的.
    """
    plain = normalise(word)
    return plain in text or word in offer.product.attributes


def list_matches_by_name(*, actor: Account, names: Iterable[str]) -> dict[str, list[Offer]]:
    """Return the matching products by name. A model with many colours matches several; a name that
    the actor cannot see matches none.

    A product code matches only that product. Off-sale products count only if nothing else matches.
    Two queries per name.
    """
    context = get_catalogue_context(actor=actor)
    matches: dict[str, list[Offer]] = {}
    for name in dict.fromkeys(names):
        keyword = name[:MAX_KEYWORD_CHARACTERS]
        offers = get_offers(
            context=context, product_ids=list_exact_ids(context, keyword, normalise(keyword))
        ).values()
        visible = [offer for offer in offers if offer.visible]
        code_matches = [offer for offer in visible if offer.product.code == keyword.strip()]
        matches[name] = (
            code_matches or [offer for offer in visible if offer.is_on_sale] or visible[:1]
        )
    return matches


def get_offers_by_id(*, actor: Account, product_ids: Iterable[int]) -> dict[int, Offer]:
    """Return by id the products that the actor can see."""
    offers = get_offers(
        context=get_catalogue_context(actor=actor), product_ids=list(dict.fromkeys(product_ids))
    )
    return {pk: offer for pk, offer in offers.items() if offer.visible}


def find_first_matches(*, actor: Account, names: Iterable[str]) -> tuple[list[Offer], list[str]]:
    """Return the first match of each name, each product once, and the names without a match. Only
    the first `MAX_NAMES` names count.
    """
    first_names = list(dict.fromkeys(names))[:MAX_NAMES]
    matches = list_matches_by_name(actor=actor, names=first_names)
    offers = {
        matching_offers[0].product.code: matching_offers[0]
        for matching_offers in matches.values()
        if matching_offers
    }
    return list(offers.values()), [name for name in first_names if not matches[name]]


MAX_SIMILAR = 8


@dataclass(frozen=True, slots=True)
class PictureFindings:
    """The likely categories, most likely first, and similar products. `unread` is the number of
    pictures that could not be opened.
    """

    kinds: tuple[str, ...]
    offers: tuple[Offer, ...]
    unread: int


def look_up_pictures(*, actor: Account, file_ids: Iterable[str]) -> PictureFindings:
    """Return categories and products that resemble the actor's own pictures."""
    context = get_catalogue_context(actor=actor)
    kinds: dict[str, None] = {}
    ids: dict[int, None] = {}
    unread = 0
    for file in StoredFile.objects.filter(owner=actor, public_id__in=list(file_ids)):
        try:
            with default_storage.open(file.path) as content:
                similar, guesses = find_similar_products(
                    context=context, image=open_picture(content.read())
                )
        except UNREADABLE:
            unread += 1
            continue
        kinds |= dict.fromkeys(guess.name for guess in guesses[:2])
        ids |= dict.fromkeys(row.product_id for row in similar[:MAX_SIMILAR])
    offers = get_offers(context=context, product_ids=list(ids)[:MAX_SIMILAR]).values()
    return PictureFindings(
        tuple(kinds), tuple(offer for offer in offers if offer.visible and offer.is_on_sale), unread
    )
