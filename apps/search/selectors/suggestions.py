"""Suggestions for a prefix: products by Chinese text, pinyin or initials, categories, brands,
and the account's search history.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.catalog.indexing.text import normalise, sound_prefix, suggest_prefix
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.keyword import find_names_like
from apps.search.lexicon import lexicon_of
from apps.search.models import SearchLog
from apps.search.sql.suggest import filled_names, suggested_ids

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_SUGGESTIONS = 10
MAX_BESIDE = 5
# Number of matching categories, and of matching brands, that are checked for products.
MAX_CANDIDATES = 30
# Number of latest searches that are compared with the typed prefix.
REMEMBERED = 300


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


def product_suggestions(*, actor: Account | None, typed: str) -> Suggestions:
    """Return at most ten products of the actor's catalogue, best-selling first. If the letters
    find nothing, search by sound.
    """
    context = catalogue_context(actor=actor)
    return Suggestions(context, _products(context, typed))


def all_suggestions(
    *, actor: Account | None, typed: str, with_products: bool = True
) -> Suggestions:
    """Return suggestions of products, categories and brands, and the account's history. Without
    text, return the history only.

    Categories and brands match by a part of their name, by the start of their sound, or by a
    synonym. At most five queries, and three more if this process must reload the lexicon.
    """
    context, plain = catalogue_context(actor=actor), normalise(typed)
    history = _history(actor, plain) if actor is not None else ()
    if not suggest_prefix(typed):
        return Suggestions(context, (), history=history)
    categories, brands = find_names_like(
        plain, lexicon_of(context.agreements_token), limit=MAX_CANDIDATES
    )
    filled, sold = filled_names(context, categories=categories, brands=brands)
    return Suggestions(
        context,
        _products(context, typed) if with_products else (),
        categories=tuple((one.id, one.name) for one in categories if one.id in filled)[:MAX_BESIDE],
        brands=tuple((one.id, one.name) for one in brands if one.id in sold)[:MAX_BESIDE],
        history=history,
    )


def _products(context: CatalogueContext, typed: str) -> tuple[Offer, ...]:
    prefix = suggest_prefix(typed)
    if not prefix:
        return ()
    ids = suggested_ids(context, prefix=prefix, typed=typed.strip(), limit=MAX_SUGGESTIONS)
    if not ids and (sound := sound_prefix(prefix)) != prefix:
        ids = suggested_ids(context, prefix=sound, typed=typed.strip(), limit=MAX_SUGGESTIONS)
    return tuple(offers_for(context=context, product_ids=ids).values()) if ids else ()


def _history(actor: Account, typed: str) -> tuple[str, ...]:
    latest = (
        SearchLog.objects.filter(account=actor)
        .order_by("-at")
        .values_list("keyword", flat=True)[:REMEMBERED]
    )
    return tuple(dict.fromkeys(keyword for keyword in latest if keyword.startswith(typed)))[
        :MAX_BESIDE
    ]
