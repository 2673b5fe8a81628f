"""Search by a picture: POST /api/Product/ImageSearch (spec sections 5, 7 and 9)."""

from __future__ import annotations

import base64
import io
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone
from PIL import Image

from apps.catalog.models import ImageSearch
from apps.catalog.search.images.pictures import opened
from apps.catalog.selectors.context import CatalogueContext, catalogue_context
from apps.catalog.selectors.image_search import KEPT_FOR, Found, Guess, ImageResult, browser_hash, looks_like
from apps.catalog.selectors.offers import Offer, offers_for

if TYPE_CHECKING:
    from apps.common.files import TakenFile
    from apps.org.models import Account

SHOWN = 20
THUMB = 120


@dataclass(frozen=True, slots=True)
class ImageAnswer:
    """What was found: the kept result, the first offers with their scores, how many there are, and the browser a visitor is known by."""

    context: CatalogueContext
    result: ImageResult
    offers: tuple[tuple[Offer, float], ...]
    total: int
    browser: str


def image_search(*, actor: Account | None, browser: str, taken: TakenFile) -> ImageAnswer:
    """Find what the picture looks like in the actor's catalogue and keep it for him for KEPT_FOR; nothing is kept of nothing found."""
    image = opened(taken.content)
    context = catalogue_context(actor=actor)
    found, guesses = looks_like(context=context, image=image)
    seen_by = "" if actor is not None else browser or secrets.token_urlsafe(24)
    result = _kept(actor, seen_by, found, guesses, image) if found else ImageResult("", (), (), "")
    offers = offers_for(context=context, product_ids=[one.product_id for one in found[:SHOWN]])
    scored = tuple((offers[one.product_id], one.score) for one in found[:SHOWN] if one.product_id in offers)
    return ImageAnswer(context, result, scored, len(found), seen_by)


def _kept(actor: Account | None, browser: str, found: list[Found], guesses: list[Guess], image: Image.Image) -> ImageResult:
    row = ImageSearch.objects.create(
        key=secrets.token_urlsafe(20),
        group_id=actor.group_id if actor is not None else None,
        account=actor,
        browser=browser_hash(browser),
        picture=_thumbnail(image),
        found=[(one.product_id, one.score) for one in found],
        guesses=[(guess.category_id, guess.name, guess.share) for guess in guesses],
        at=timezone.now(),
    )
    return ImageResult(row.key, tuple(one.product_id for one in found), tuple(guesses), row.picture)


def _thumbnail(image: Image.Image) -> str:
    """Return a small WebP of the picture as a data URL, some 3 KB: it is shown to him alone and goes with the result."""
    small = image.copy()
    small.thumbnail((THUMB, THUMB))
    buffer = io.BytesIO()
    small.save(buffer, "WEBP", quality=70)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def image_searches_purge() -> int:
    """Drop the results that nobody can ask for any more; return how many."""
    dropped, _ = ImageSearch.objects.filter(at__lte=timezone.now() - KEPT_FOR).delete()
    return dropped
