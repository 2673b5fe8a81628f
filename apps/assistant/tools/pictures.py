"""What a picture shows, as the image search sees it: kinds of products, and products that look alike in the person's catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.files.storage import default_storage

from apps.catalog.search.images.pictures import UNREADABLE, opened
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.image_search import looks_like
from apps.catalog.selectors.offers import Offer, offers_for
from apps.common.models import StoredFile

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_ALIKE = 8


@dataclass(frozen=True, slots=True)
class PicturesSeen:
    """The likely kinds, the likeliest first, and products that look alike; `unread` pictures could not be opened."""

    kinds: tuple[str, ...]
    offers: tuple[Offer, ...]
    unread: int


def pictures_look(*, actor: Account, file_ids: Iterable[str]) -> PicturesSeen:
    """Return what the actor's own pictures look like."""
    context = catalogue_context(actor=actor)
    kinds: dict[str, None] = {}
    ids: dict[int, None] = {}
    unread = 0
    for file in StoredFile.objects.filter(owner=actor, public_id__in=list(file_ids)):
        try:
            with default_storage.open(file.path) as content:
                found, guesses = looks_like(context=context, image=opened(content.read()))
        except UNREADABLE:
            unread += 1
            continue
        kinds |= dict.fromkeys(guess.name for guess in guesses[:2])
        ids |= dict.fromkeys(one.product_id for one in found[:MOST_ALIKE])
    offers = offers_for(context=context, product_ids=list(ids)[:MOST_ALIKE]).values()
    return PicturesSeen(tuple(kinds), tuple(offer for offer in offers if offer.visible and offer.is_on_sale), unread)
