"""Tool that describes a picture with the image search: likely categories, and similar products of
the person's catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.files.storage import default_storage

from apps.common.models import StoredFile
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import Offer, offers_for
from apps.search.images.pictures import UNREADABLE, open_picture
from apps.search.selectors.image_search import find_similar_products

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_ALIKE = 8


@dataclass(frozen=True, slots=True)
class PictureFindings:
    """The likely categories, most likely first, and similar products. `unread` is the number of
    pictures that could not be opened.
    """

    kinds: tuple[str, ...]
    offers: tuple[Offer, ...]
    unread: int


def pictures_lookup(*, actor: Account, file_ids: Iterable[str]) -> PictureFindings:
    """Return categories and products that resemble the actor's own pictures."""
    context = catalogue_context(actor=actor)
    kinds: dict[str, None] = {}
    ids: dict[int, None] = {}
    unread = 0
    for file in StoredFile.objects.filter(owner=actor, public_id__in=list(file_ids)):
        try:
            with default_storage.open(file.path) as content:
                found, guesses = find_similar_products(
                    context=context, image=open_picture(content.read())
                )
        except UNREADABLE:
            unread += 1
            continue
        kinds |= dict.fromkeys(guess.name for guess in guesses[:2])
        ids |= dict.fromkeys(one.product_id for one in found[:MOST_ALIKE])
    offers = offers_for(context=context, product_ids=list(ids)[:MOST_ALIKE]).values()
    return PictureFindings(
        tuple(kinds), tuple(offer for offer in offers if offer.visible and offer.is_on_sale), unread
    )
