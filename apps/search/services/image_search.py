"""Search by a picture: POST /api/Product/ImageSearch (spec sections 5, 7 and 9)."""

from __future__ import annotations

import base64
import io
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone
from PIL import Image

from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.images.pictures import open_picture
from apps.search.models import ImageSearch
from apps.search.selectors.image_search import (
    RESULT_LIFETIME,
    Guess,
    ImageMatch,
    ImageResult,
    browser_hash,
    find_similar_products,
)

if TYPE_CHECKING:
    from apps.common.files import CheckedFile
    from apps.org.models import Account

MAX_ROWS = 20
THUMB = 120


@dataclass(frozen=True, slots=True)
class ImageAnswer:
    """The saved result, the first offers with their scores, the total, and the visitor's
    browser key.
    """

    context: CatalogueContext
    result: ImageResult
    offers: tuple[tuple[Offer, float], ...]
    total: int
    browser: str


def image_search(*, actor: Account | None, browser: str, file: CheckedFile) -> ImageAnswer:
    """Find products of the actor's catalogue that look like the picture. Return up to MAX_ROWS of
    them with their similarity, their number, and the browser's id for a visitor.

    The result is saved for RESULT_LIFETIME, unless it is empty.
    """
    image = open_picture(file.content)
    context = get_catalogue_context(actor=actor)
    matches, guesses = find_similar_products(context=context, image=image)
    browser_id = "" if actor is not None else browser or secrets.token_urlsafe(24)
    result = (
        _save_result(actor, browser_id, matches, guesses, image)
        if matches
        else ImageResult("", (), (), "")
    )
    offers = get_offers(
        context=context, product_ids=[match.product_id for match in matches[:MAX_ROWS]]
    )
    scored_offers = tuple(
        (offers[match.product_id], match.score)
        for match in matches[:MAX_ROWS]
        if match.product_id in offers
    )
    return ImageAnswer(context, result, scored_offers, len(matches), browser_id)


def _save_result(
    actor: Account | None,
    browser: str,
    matches: list[ImageMatch],
    guesses: list[Guess],
    image: Image.Image,
) -> ImageResult:
    """Store the result of an image search and return it with its key."""
    row = ImageSearch.objects.create(
        key=secrets.token_urlsafe(20),
        group_id=actor.group_id if actor is not None else None,
        account=actor,
        browser=browser_hash(browser),
        picture=_get_thumbnail_url(image),
        found=[(match.product_id, match.score) for match in matches],
        guesses=[(guess.category_id, guess.name, guess.share) for guess in guesses],
        at=timezone.now(),
    )
    return ImageResult(
        row.key, tuple(match.product_id for match in matches), tuple(guesses), row.picture
    )


def _get_thumbnail_url(image: Image.Image) -> str:
    """Return a small WebP of the picture as a data URL of about 3 KB. Only the owner of the
    result sees it, and it is deleted with the result.
    """
    small = image.copy()
    small.thumbnail((THUMB, THUMB))
    buffer = io.BytesIO()
    small.save(buffer, "WEBP", quality=70)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def image_searches_purge() -> int:
    """Delete expired results. Return the number of deleted rows."""
    deleted_count, _ = ImageSearch.objects.filter(at__lte=timezone.now() - RESULT_LIFETIME).delete()
    return deleted_count
