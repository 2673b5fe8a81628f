"""The lists below the search box. Suggestions for a prefix: products by Chinese text, pinyin or
initials, categories, brands, and the account's search history. 热门搜索: pinned keywords, then
keywords that customers searched for and ordered in a period, without hidden keywords.

The group's own keywords come first. Keywords of other groups appear only if at least three groups
searched for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Count

from apps.catalog.indexing.text import build_suggest_prefix, get_sound_prefix, normalise
from apps.common.hooks import Hook
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.enums import HotKeywordKind
from apps.search.keyword import find_names_like, get_lexicon
from apps.search.models import HotKeyword, SearchLog
from apps.search.sql.suggest import find_ids_on_sale, list_suggested_ids

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_SUGGESTIONS = 10
MAX_SIDE_ENTRIES = 5
# Number of matching categories, and of matching brands, that are checked for products.
MAX_CANDIDATES = 30
# Number of latest searches that are compared with the typed prefix.
MAX_SEARCHES_READ = 300
# Keywords of other customers are shown only if at least this number of groups searched for them,
# so that no group's own keywords become visible to another.
SHARED_BY_GROUPS = 3
HIGHLIGHTED = 2


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Product offers first. `categories` and `brands` are (id, name) pairs. `history` contains
    the account's latest keywords.
    """

    context: CatalogueContext
    products: tuple[Offer, ...]
    categories: tuple[tuple[int, str], ...] = ()
    brands: tuple[tuple[int, str], ...] = ()
    history: tuple[str, ...] = ()


def list_product_suggestions(*, actor: Account | None, typed: str) -> Suggestions:
    """Return at most ten products of the actor's catalogue, best-selling first. If the letters
    find nothing, search by sound.
    """
    context = get_catalogue_context(actor=actor)
    return Suggestions(context, _suggest_products(context, typed))


def get_all_suggestions(
    *, actor: Account | None, typed: str, with_products: bool = True
) -> Suggestions:
    """Return suggestions of products, categories and brands, and the account's history. Without
    text, return the history only.

    Categories and brands match by a part of their name, by the start of their sound, or by a
    synonym. At most five queries, and three more if this process must reload the lexicon.
    """
    context, normal_text = get_catalogue_context(actor=actor), normalise(typed)
    history = _list_own_searches(actor, normal_text) if actor is not None else ()
    if not build_suggest_prefix(typed):
        return Suggestions(context, (), history=history)
    categories, brands = find_names_like(
        normal_text, get_lexicon(context.agreements_token), limit=MAX_CANDIDATES
    )
    category_ids, brand_ids = find_ids_on_sale(context, categories=categories, brands=brands)
    return Suggestions(
        context,
        _suggest_products(context, typed) if with_products else (),
        categories=tuple(
            (suggestion.id, suggestion.name)
            for suggestion in categories
            if suggestion.id in category_ids
        )[:MAX_SIDE_ENTRIES],
        brands=tuple(
            (suggestion.id, suggestion.name) for suggestion in brands if suggestion.id in brand_ids
        )[:MAX_SIDE_ENTRIES],
        history=history,
    )


def _suggest_products(context: CatalogueContext, typed: str) -> tuple[Offer, ...]:
    """Return the products for the typed text: by its letters, otherwise by its sound."""
    prefix = build_suggest_prefix(typed)
    if not prefix:
        return ()
    ids = list_suggested_ids(context, prefix=prefix, typed=typed.strip(), limit=MAX_SUGGESTIONS)
    if not ids and (sound := get_sound_prefix(prefix)) != prefix:
        ids = list_suggested_ids(context, prefix=sound, typed=typed.strip(), limit=MAX_SUGGESTIONS)
    return tuple(get_offers(context=context, product_ids=ids).values()) if ids else ()


def _list_own_searches(actor: Account, typed: str) -> tuple[str, ...]:
    """Return the account's latest searches that start with the text, the newest first."""
    latest = (
        SearchLog.objects.filter(account=actor)
        .order_by("-at")
        .values_list("keyword", flat=True)[:MAX_SEARCHES_READ]
    )
    return tuple(dict.fromkeys(keyword for keyword in latest if keyword.startswith(typed)))[
        :MAX_SIDE_ENTRIES
    ]


@dataclass(frozen=True, slots=True)
class HotPeriod:
    """A group and a period."""

    group_id: int | None
    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class HotWord:
    """A keyword below the search box. The first ones are highlighted."""

    keyword: str
    is_highlight: bool


# They return (word, weight) pairs for a group's period, such as the categories that it ordered.
HOT_WORDS: Hook[Callable[[HotPeriod], Iterable[tuple[str, int]]]] = Hook()


def list_hot_words(*, actor: Account, begin: datetime, end: datetime, top: int) -> list[HotWord]:
    """Return at most `top` keywords: pinned ones in order, then the group's own by weight, then
    shared ones. Three queries plus those of the sources.

    Pinned and hidden keywords are read at the current time, whatever the period, so that a change
    takes effect in the next request.
    """
    period = HotPeriod(actor.group_id, begin, end)
    hot_keywords = list(HotKeyword.objects.filter_in_force().values_list("key", "keyword", "kind"))
    pinned = [keyword for _, keyword, kind in hot_keywords if kind == HotKeywordKind.PINNED]
    excluded = {key for key, _, _ in hot_keywords}
    weights: Counter[str] = Counter()
    for word, weight in _list_searched_words(period, top, excluded):
        weights[word] += weight
    for source in HOT_WORDS:
        for word, weight in source(period):
            weights[word] += weight
    listed_words = [word for word in weights if normalise(word) not in excluded]
    listed_words.sort(key=lambda word: (-weights[word], word))
    shared = _list_shared_words(period, top, excluded)
    words = list(dict.fromkeys([*pinned, *listed_words, *shared]))[:top]
    return [HotWord(word, place < HIGHLIGHTED) for place, word in enumerate(words)]


def _list_searched_words(
    period: HotPeriod, max_words: int, excluded: set[str]
) -> list[tuple[str, int]]:
    """Return the keywords searched most in the period and how often, the most frequent first.
    Searches without result do not count.
    """
    rows = SearchLog.objects.filter(
        group_id=period.group_id, at__gte=period.begin, at__lte=period.end, results__gt=0
    )
    rows = rows.exclude(keyword__in=excluded)
    return list(
        rows.values_list("keyword")
        .annotate(times=Count("pk"))
        .order_by("-times", "keyword")[:max_words]
    )


def _list_shared_words(period: HotPeriod, top: int, excluded: set[str]) -> list[str]:
    """Return the most frequent words of the period that found something, of enough groups that no
    word reveals a single customer.
    """
    rows = SearchLog.objects.filter(
        at__gte=period.begin, at__lte=period.end, results__gt=0, group_id__isnull=False
    )
    rows = rows.exclude(keyword__in=excluded)
    keyword_counts = rows.values("keyword").annotate(
        times=Count("pk"), groups=Count("group_id", distinct=True)
    )
    shared = keyword_counts.filter(groups__gte=SHARED_BY_GROUPS).order_by("-times", "keyword")
    return list(shared.values_list("keyword", flat=True)[:top])
