"""What a few typed letters may become: products by Chinese, pinyin or initials, categories, brands, and what one searched before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Max

from apps.catalog.models import SearchLog
from apps.catalog.search.sql.suggest import named_brands, named_categories, suggested_ids
from apps.catalog.search.text import normalised, sound_prefix, suggest_prefix
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.offers import Offer, offers_for

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_SUGGESTIONS = 10
MAX_BESIDE = 5


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Product offers first; `categories` and `brands` are (id, name), `history` the account's own latest keywords."""

    context: CatalogueContext
    products: tuple[Offer, ...]
    categories: tuple[tuple[int, str], ...] = ()
    brands: tuple[tuple[int, str], ...] = ()
    history: tuple[str, ...] = ()


def product_suggestions(*, actor: Account | None, typed: str) -> Suggestions:
    """Return at most ten products of the actor's catalogue, best-selling first; by sound where the letters found nothing."""
    context = catalogue_context(actor=actor)
    return Suggestions(context, _products(context, typed))


def all_suggestions(*, actor: Account | None, typed: str) -> Suggestions:
    """Return product suggestions with categories, brands and the account's own history beside; the history alone for nothing."""
    context = catalogue_context(actor=actor)
    history = _history(actor, normalised(typed)) if actor is not None else ()
    if not suggest_prefix(typed):
        return Suggestions(context, (), history=history)
    return Suggestions(
        context,
        _products(context, typed),
        categories=named_categories(context, typed=normalised(typed), limit=MAX_BESIDE),
        brands=named_brands(context, typed=normalised(typed), limit=MAX_BESIDE),
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
    mine = SearchLog.objects.filter(account=actor, keyword__startswith=typed) if typed else SearchLog.objects.filter(account=actor)
    latest = mine.values("keyword").annotate(last=Max("at")).order_by("-last", "keyword")[:MAX_BESIDE]
    return tuple(row["keyword"] for row in latest)
