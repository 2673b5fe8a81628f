"""The product list: the engine finds the products and their order, the offers add names and
prices. An empty list has suggestions: filters to remove, and similar keywords.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Q

from apps.catalog.indexing.text import find_first_spoken_words, normalise
from apps.catalog.models import Brand, Category
from apps.common.sql import build_model_rows
from apps.finders.selectors.devices import Reference, find_references
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.enums import ProductFilter
from apps.search.keyword import get_lexicon
from apps.search.phrase import Phrase, format_price_range, parse_phrase, without_phrase_prices
from apps.search.query import (
    CatalogPage,
    CatalogQuery,
    CategoryFilter,
    Facets,
    NearWord,
    RemovableFilter,
    get_catalogue_engine,
    without_prices,
)
from apps.search.selectors.device_phrase import DevicePhrase, find_device_phrase
from apps.search.sql.lookup import list_exact_ids, list_reference_part_keys

if TYPE_CHECKING:
    from apps.org.models import Account

CACHED_PATHS = 4096
NO_PRICES_SHOWN = "您的角色不显示价格，未按价格筛选"
OTHER_PRICE_CHOSEN = "已按所选价格筛选，未采用搜索词中的价格"
NO_PHRASE = Phrase()
NO_FACETS = Facets((), (), (), ())


@dataclass(frozen=True, slots=True)
class ShownReference:
    """A part number or name of another brand in the typed text, and our product for it."""

    reference: Reference
    offer: Offer


@dataclass(frozen=True, slots=True)
class ProductList:
    """A page of offers. `path` leads to the filtered category, from level 1 down. `understood`
    is the keyword that the engine used instead of the typed one. `phrase` is what the typed text
    means; `query` already contains its prices and negated words. `relaxed` are the conditions of
    the typed text that no product meets together with the others. The list ignores them.
    `references` are the part numbers of other brands in the typed text.

    `no_result` contains suggestions for an empty first page. It is set only if the query asks for
    the total and has a keyword or filters.
    """

    context: CatalogueContext
    query: CatalogQuery
    page: CatalogPage
    offers: tuple[Offer, ...]
    path: tuple[Category, ...]
    understood: str = ""
    phrase: Phrase = NO_PHRASE
    relaxed: tuple[str, ...] = ()
    references: tuple[ShownReference, ...] = ()
    no_result: NoResult | None = None


def product_list(
    *, actor: Account | None, query: CatalogQuery, category_id: int | None = None
) -> ProductList:
    """Return a page of the actor's catalogue. The page is empty if the category does not exist.

    Rows cost three queries, one more with the total or four more with facets. Caches (such as the
    lexicon) add one query each when they are cold.
    """
    return list_products_in_context(
        context=get_catalogue_context(actor=actor), query=query, category_id=category_id
    )


def list_products_in_context(
    *, context: CatalogueContext, query: CatalogQuery, category_id: int | None = None
) -> ProductList:
    """Return a page of the catalogue for a context that the caller has already loaded, with one
    query less than `product_list`.
    """
    path: tuple[Category, ...] = ()
    phrase = NO_PHRASE
    if query.keyword:
        phrase = parse_phrase(query.keyword, get_lexicon(context.agreements_token))
    if context.hides_prices:
        query, phrase = (
            without_prices(query),
            without_phrase_prices(phrase, reason=NO_PRICES_SHOWN),
        )
    if query.min_price is not None or query.max_price is not None:
        phrase = without_phrase_prices(phrase, reason=OTHER_PRICE_CHOSEN)
    if category_id is not None:
        path = get_category_path(category_id, token=context.agreements_token)
        if not path:
            return ProductList(
                context=context, query=query, page=_build_empty_page(query), offers=(), path=()
            )
        query = replace(query, category=CategoryFilter(path[-1].pk, path[-1].level))
    filtered_query = query
    devices = _find_devices(context, phrase, query.keyword)
    if devices is not None:
        device_query = replace(filtered_query, device_ids=devices.device_ids)
        query, page, relaxed = _find_page(context, device_query, devices.phrase)
        if page.ids or _has_products_of(context, devices):
            phrase = devices.phrase
        else:
            # No product of the words fits the device: the model is an ordinary word.
            devices = None
    if devices is None:
        query, page, relaxed = _find_page(context, filtered_query, phrase)
    # A product can leave the catalogue between the engine's query and this one. The current state
    # is shown.
    offers = tuple(
        offer
        for offer in get_offers(context=context, product_ids=page.ids).values()
        if offer.visible and offer.is_on_sale
    )
    if context.hides_prices and page.facets is not None:
        page = replace(page, facets=replace(page.facets, prices=(), agreed=0))
    is_empty = not page.ids and query.page_index == 1 and query.with_total
    return ProductList(
        context=context,
        query=query,
        page=page,
        offers=offers,
        path=path,
        understood=_get_corrected_keyword(page, offers),
        phrase=phrase,
        relaxed=relaxed,
        references=_list_references(page, query, offers),
        no_result=get_no_result(context=context, query=query, path=path) if is_empty else None,
    )


def _find_page(
    context: CatalogueContext, filtered: CatalogQuery, phrase: Phrase
) -> tuple[CatalogQuery, CatalogPage, tuple[str, ...]]:
    """Return the query with the phrase, its page, and the conditions of the phrase that no product
    meets together with the others.
    """
    query = _apply_phrase(filtered, phrase, with_price=True)
    page = get_catalogue_engine().get_page(context=context, query=query)
    if not page.ids and phrase.has_price and _has_no_products(context, query):
        without_price = _apply_phrase(filtered, phrase, with_price=False)
        near = get_catalogue_engine().get_page(context=context, query=without_price)
        if near.ids:
            price = format_price_range(phrase.min_price, phrase.max_price)
            return without_price, near, (*near.relaxed, price)
    return query, page, page.relaxed if page.ids else ()


def _find_devices(context: CatalogueContext, phrase: Phrase, typed: str) -> DevicePhrase | None:
    """Return the phrase with its devices, or None if it names none. A word that is also the code,
    model or name of a product names the product.
    """
    devices = find_device_phrase(phrase, typed) if typed else None
    if devices is None or devices.phrase.keyword:
        return devices
    return None if list_exact_ids(context, typed, phrase.keyword) else devices


def _has_products_of(context: CatalogueContext, devices: DevicePhrase) -> bool:
    """Return whether the catalogue has products of the phrase for the devices, regardless of the
    other filters.
    """
    query_of_device = CatalogQuery(
        keyword=devices.phrase.keyword,
        device_ids=devices.device_ids,
        page_size=1,
        with_total=False,
        with_facets=False,
    )
    return bool(get_catalogue_engine().get_page(context=context, query=query_of_device).ids)


def _list_references(
    page: CatalogPage, query: CatalogQuery, offers: Sequence[Offer]
) -> tuple[ShownReference, ...]:
    """Return the cross references of the typed text to products of this page. One query, none
    if the engine used none.
    """
    offer_by_product = {
        offer.product.pk: offer for offer in offers if offer.product.pk in page.referenced
    }
    if not offer_by_product:
        return ()
    texts = [query.typed or query.keyword, query.keyword]
    references = find_references(
        part_keys=list_reference_part_keys(*texts), name_keys=[normalise(text) for text in texts]
    )
    return tuple(
        ShownReference(reference, offer_by_product[reference.product_id])
        for reference in references
        if reference.product_id in offer_by_product
    )


def _has_no_products(context: CatalogueContext, query: CatalogQuery) -> bool:
    """Return whether an empty page is the first one, or comes after an empty first one."""
    if query.page_index == 1:
        return True
    first = replace(query, page_index=1, page_size=1, with_total=False, with_facets=False)
    return not get_catalogue_engine().get_page(context=context, query=first).ids


def _apply_phrase(query: CatalogQuery, phrase: Phrase, *, with_price: bool) -> CatalogQuery:
    """Return the query with the words, the negated words and the prices of the phrase."""
    if not query.keyword:
        return query
    query = replace(query, typed=query.keyword, keyword=phrase.keyword, excluded=phrase.excluded)
    if not (with_price and phrase.has_price):
        return query
    return replace(query, min_price=phrase.min_price, max_price=phrase.max_price)


def _get_corrected_keyword(page: CatalogPage, offers: Sequence[Offer]) -> str:
    """Return the keyword that the engine used instead of the typed one. Empty without offers."""
    if not offers:
        return ""
    if page.sounds:
        return _find_typed_words(offers[0].product.name, page.sounds)
    return page.understood


def _find_typed_words(name: str, sounds: tuple[str, ...]) -> str:
    """Return the words of a product name whose pinyin starts with the sounds, separated by
    blanks.
    """
    return " ".join(find_first_spoken_words(name, sound) or sound for sound in sounds)


PATH = """
SELECT {select} FROM catalog_category c3
LEFT JOIN catalog_category c2 ON c2.id = c3.parent_id LEFT JOIN catalog_category c1
    ON c1.id = c2.parent_id
WHERE c3.id = %s
"""


def get_category_path(category_id: int, *, token: str) -> tuple[Category, ...]:
    """Return the category and its ancestors, from level 1 down. Empty if the category does not
    exist.

    One query, or none if this process has cached it under the same token. Every change of a
    category changes the token.
    """
    return (
        _fetch_category_path(category_id, token)
        if token
        else _fetch_category_path.__wrapped__(category_id, token)
    )


@lru_cache(maxsize=CACHED_PATHS)
def _fetch_category_path(category_id: int, _token: str) -> tuple[Category, ...]:
    """Return the categories from level 1 to the given one. `_token` is the version of the tree."""
    readers = [build_model_rows(Category, alias) for alias in ("c1", "c2", "c3")]
    with connection.cursor() as cursor:
        cursor.execute(
            PATH.format(select=", ".join(reader.select for reader in readers)), [category_id]
        )
        values = cursor.fetchone() or ()
    width = readers[0].width
    levels = [values[start : start + width] for start in range(0, len(values), width)]
    return tuple(
        reader.hydrate(part)
        for reader, part in zip(readers, levels, strict=False)
        if part[0] is not None
    )


def _build_empty_page(query: CatalogQuery) -> CatalogPage:
    return CatalogPage(
        ids=(),
        total=0 if query.with_total else None,
        facets=NO_FACETS if query.with_facets else None,
    )


MAX_KEY_DIGITS = 18


@dataclass(frozen=True, slots=True)
class LabelledFilter:
    """A filter to remove, with its label on the screen and the number of products without it."""

    filter: ProductFilter
    name: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class NoResult:
    """Suggestions for an empty list."""

    removable_filters: tuple[LabelledFilter, ...]
    near_words: tuple[NearWord, ...]


def get_no_result(
    *, context: CatalogueContext, query: CatalogQuery, path: tuple[Category, ...]
) -> NoResult:
    """Return suggestions for an empty result. The labels cost one query if the query filters by
    brand.
    """
    hints = get_catalogue_engine().get_no_result_hints(context=context, query=query)
    filters = tuple(
        LabelledFilter(
            drop.filter, drop.name, _format_removable_filter(drop, query, path), drop.count
        )
        for drop in hints.removable_filters
    )
    return NoResult(filters, hints.near_words)


def _format_removable_filter(
    drop: RemovableFilter, query: CatalogQuery, path: tuple[Category, ...]
) -> str:
    """Return the filter with its values in Chinese: 品牌：墨岚、卓砚."""
    match drop.filter:
        case ProductFilter.CATEGORY:
            return f"分类：{path[-1].name}" if path else ProductFilter.CATEGORY.label
        case ProductFilter.BRAND:
            return f"品牌：{'、'.join(_list_brand_names(query.brands))}"
        case ProductFilter.PRICE:
            return f"价格：{_format_price_range(query.min_price, query.max_price)}"
        case ProductFilter.BASE_UNIT:
            return f"基本单位：{query.base_unit}"
        case ProductFilter.BASE_UNIT_PRICE:
            limits = (query.min_base_unit_price, query.max_base_unit_price)
            return f"折合单价：{_format_price_range(*limits)}"
        case ProductFilter.ATTRIBUTE:
            return f"{drop.name}：{'、'.join(dict(query.attributes)[drop.name])}"
        case ProductFilter.KEYWORD:
            return f"关键词：{query.keyword}"
        case _:
            return str(drop.filter.label)


def _list_brand_names(brands: tuple[str, ...]) -> list[str]:
    """Return the names of the brands, which are given by id or by name. Unknown brands stay as
    given.
    """
    ids = [
        int(brand)
        for brand in brands
        if brand.isascii() and brand.isdigit() and len(brand) <= MAX_KEY_DIGITS
    ]
    return list(
        Brand.objects.filter(Q(pk__in=ids) | Q(name__in=brands)).values_list("name", flat=True)
    ) or list(brands)


def _format_price_range(lower: Decimal | None, upper: Decimal | None) -> str:
    if lower is None:
        return f"{upper} 元以下"
    return f"{lower} 元以上" if upper is None else f"{lower}–{upper} 元"
