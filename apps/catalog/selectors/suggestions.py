"""What a few typed letters may become: products by Chinese, pinyin or initials, categories, brands, and what one searched before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.catalog.models import SearchLog
from apps.catalog.search.keyword import names_like
from apps.catalog.search.lexicon import lexicon_of
from apps.catalog.search.sql.suggest import filled_names, suggested_ids
from apps.catalog.search.text import normalised, sound_prefix, suggest_prefix
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.offers import Offer, offers_for

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_SUGGESTIONS = 10
MAX_BESIDE = 5
# So many categories, and brands, of a name like what is typed are looked at for products.
MAX_CANDIDATES = 30
# So many of one's latest searches are looked through for what begins as typed.
REMEMBERED = 300


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


def all_suggestions(*, actor: Account | None, typed: str, with_products: bool = True) -> Suggestions:
    """Return product suggestions with categories, brands and the account's own history beside; the history alone for nothing.

    Categories and brands are found by a part of their name, by how they begin to sound, and by a synonym. At most five queries, and
    three more where this process has not read the lexicon since it last changed.
    """
    context, plain = catalogue_context(actor=actor), normalised(typed)
    history = _history(actor, plain) if actor is not None else ()
    if not suggest_prefix(typed):
        return Suggestions(context, (), history=history)
    categories, brands = names_like(plain, lexicon_of(context.agreements_token), limit=MAX_CANDIDATES)
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
    latest = SearchLog.objects.filter(account=actor).order_by("-at").values_list("keyword", flat=True)[:REMEMBERED]
    return tuple(dict.fromkeys(keyword for keyword in latest if keyword.startswith(typed)))[:MAX_BESIDE]
