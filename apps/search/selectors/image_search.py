"""Products that look like a picture, among those that a customer can buy; and saved results of
image searches.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
from django.utils import timezone
from PIL import Image

from apps.catalog.models import Category
from apps.pricing.selectors.context import CatalogueContext
from apps.search.errors import ImageKeyExpired
from apps.search.images.embedder import get_image_embedder
from apps.search.images.matrix import get_picture_matrix
from apps.search.models import ImageSearch
from apps.search.sql.on_sale import map_categories_on_sale

if TYPE_CHECKING:
    from apps.org.models import Account

RESULT_LIFETIME = timedelta(hours=4)
MAX_MATCHES = 200
# Products whose similarity is this much lower than the best one are not shown.
MAX_SCORE_GAP = 0.3
# Number of best products that vote for the category. The votes are weighted by similarity.
VOTERS = 12
SHARPNESS = 12
MAX_GUESSES = 5
# A guess with this share of the votes filters the list by default.
SURE_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class ImageMatch:
    """A product that looks like the picture, with its similarity from 0 to 1."""

    product_id: int
    score: float


@dataclass(frozen=True, slots=True)
class Guess:
    """A category that the picture may show, with its share of the votes, from 0 to 1."""

    category_id: int
    name: str
    share: float


@dataclass(frozen=True, slots=True)
class ImageResult:
    """A saved result: products by descending similarity, guessed categories by descending
    share, and the picture as a small data URL.
    """

    key: str
    product_ids: tuple[int, ...]
    guesses: tuple[Guess, ...]
    picture: str

    @property
    def sure_category(self) -> int | None:
        """The category that filters the list by default, or None if no guess has a share of at
        least SURE_SHARE.
        """
        return (
            self.guesses[0].category_id
            if self.guesses and self.guesses[0].share >= SURE_SHARE
            else None
        )


def find_similar_products(
    *, context: CatalogueContext, image: Image.Image
) -> tuple[list[ImageMatch], list[Guess]]:
    """Return the most similar products that the customer can buy, and the guessed categories.
    Three or four queries.
    """
    embedder = get_image_embedder()
    query_vectors = embedder.compute_query_vectors(image)
    if query_vectors is None:
        return [], []
    matrix = get_picture_matrix(embedder)
    categories_on_sale = map_categories_on_sale(context)
    ids, scores = matrix.compute_scores(
        query_vectors,
        np.fromiter(categories_on_sale, dtype=np.int64, count=len(categories_on_sale)),
    )
    if not len(ids):
        return [], []
    least = max(embedder.least_score, float(scores.max()) - MAX_SCORE_GAP)
    order = np.argsort(-scores, kind="stable")[:MAX_MATCHES]
    matches = [
        ImageMatch(int(ids[n]), round(min(1.0, float(scores[n])), 4))
        for n in order
        if scores[n] >= least
    ]
    return matches, _guess_categories(matches, categories_on_sale)


def _guess_categories(matches: list[ImageMatch], category_of: dict[int, int]) -> list[Guess]:
    """Return the likely categories of the picture: those of the most similar products, with their
    share of the scores (0 to 1).
    """
    score_by_category: dict[int, float] = defaultdict(float)
    for match in matches[:VOTERS]:
        score_by_category[category_of[match.product_id]] += match.score**SHARPNESS
    total = sum(score_by_category.values())
    best_ids = sorted(score_by_category, key=lambda category: -score_by_category[category])[
        :MAX_GUESSES
    ]
    names = (
        dict(Category.objects.filter(pk__in=best_ids).values_list("pk", "name")) if best_ids else {}
    )
    return [
        Guess(category, names[category], round(score_by_category[category] / total, 3))
        for category in best_ids
        if category in names
    ]


def browser_hash(browser: str) -> str:
    """Return the hash that is stored for a visitor's cookie, or "" without a cookie."""
    return hashlib.sha256(browser.encode()).hexdigest() if browser else ""


def get_image_result(*, actor: Account | None, browser: str, key: str) -> ImageResult:
    """Return the result that is saved under the key for this account, or for this visitor's
    browser. One query.

    Raises:
        ImageKeyExpired: the result has expired, or another account or browser owns it. The error
            does not say which.
    """
    row = ImageSearch.objects.filter(key=key, at__gt=timezone.now() - RESULT_LIFETIME).first()
    if row is None or not _is_owner(row, actor, browser):
        raise ImageKeyExpired
    return ImageResult(
        key=row.key,
        product_ids=tuple(product_id for product_id, _ in row.found),
        guesses=tuple(Guess(*guess) for guess in row.guesses),
        picture=row.picture,
    )


def _is_owner(row: ImageSearch, actor: Account | None, browser: str) -> bool:
    """Check the owner. A visitor who signs in can still read the results of the same browser.
    An account can read its results on every device.
    """
    if row.account_id is not None:
        return actor is not None and row.account_id == actor.pk
    return bool(row.browser) and row.browser == browser_hash(browser)
