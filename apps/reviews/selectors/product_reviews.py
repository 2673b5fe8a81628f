"""商品评价: the published reviews of a product.

Colleagues of an author also see the author's name.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Count, Q, QuerySet

from apps.catalog.errors import ProductNotFound
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import offers_by_code
from apps.reviews.enums import ReviewKind, ReviewTag
from apps.reviews.errors import ReviewNotFound
from apps.reviews.models import OrderReview, PublishedPicture, PublishedReview, join_tags

if TYPE_CHECKING:
    from apps.org.models import Account

STARS = (5, 4, 3, 2, 1)
KINDS: dict[str, Q] = {
    ReviewKind.PICTURES: Q(has_pictures=True),
    ReviewKind.FOLLOW_UP: Q(followed_at__isnull=False),
}


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """The number of reviews in total, by stars, by kind and by tag. `average` has one decimal
    place and is None without reviews.
    """

    count: int
    average: Decimal | None
    stars: dict[int, int]
    kinds: dict[str, int]
    tags: dict[str, int]


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """The filter of the reviews. `stars` 0 means any."""

    stars: int = 0
    kind: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class ProductReviews:
    summary: ReviewSummary
    rows: QuerySet[PublishedReview]


@dataclass(frozen=True, slots=True)
class VisibleReview:
    """A published review. `author` is the name that the reader may see. `is_own`: the reader is
    the author.
    """

    published: PublishedReview
    author: str
    is_own: bool = False
    pictures: list[PublishedPicture] = field(default_factory=list)


def product_reviews(*, actor: Account | None, code: str, filters: ReviewFilter) -> ProductReviews:
    """Return the filtered reviews of the product, newest first, with the summary of all its
    reviews. Three queries besides the rows.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    reviews = PublishedReview.objects.filter(product_id=offer.product.pk)
    rows = reviews.filter(stars=filters.stars) if filters.stars else reviews
    if filters.kind:
        rows = rows.filter(KINDS[filters.kind])
    if filters.tag:
        rows = rows.filter(_has_tag(filters.tag))
    return ProductReviews(
        _summarize_reviews(reviews, offer.product.rating), rows.prefetch_related("pictures")
    )


def list_visible_reviews(
    *, actor: Account | None, rows: Iterable[PublishedReview]
) -> list[VisibleReview]:
    """Return the rows with their authors. A colleague who is not anonymous appears by name, all
    others masked. One query.
    """
    published = list(rows)
    own_reviews: dict[int, OrderReview] = {}
    if actor is not None:
        own_house = OrderReview.objects.filter(
            pk__in=[row.review_id for row in published]
        ).select_related("author__department")
        own_reviews = {review.pk: review for review in own_house}
    return [_build_visible_review(row, own_reviews.get(row.review_id), actor) for row in published]


def _build_visible_review(
    row: PublishedReview, review: OrderReview | None, actor: Account | None
) -> VisibleReview:
    author = row.author_label
    if review is not None and not review.is_anonymous:
        department = review.author.department
        author = (
            f"{review.author.nickname}（{department.name}）"
            if department
            else review.author.nickname
        )
    is_own = review is not None and actor is not None and review.author_id == actor.pk
    return VisibleReview(
        published=row, author=author, is_own=is_own, pictures=list(row.pictures.all())
    )


def published_picture(*, token: uuid.UUID) -> PublishedPicture:
    """Return the picture of a shown review.

    Raises:
        ReviewNotFound: there is none, or its review is hidden or was changed.
    """
    picture = PublishedPicture.objects.filter(token=token).first()
    if picture is None:
        raise ReviewNotFound
    return picture


def _has_tag(tag: str) -> Q:
    return Q(tags__contains=join_tags([tag]))


def _summarize_reviews(
    reviews: QuerySet[PublishedReview], average: Decimal | None
) -> ReviewSummary:
    counts = reviews.order_by().aggregate(
        count=Count("pk"),
        **{f"stars_{stars}": Count("pk", filter=Q(stars=stars)) for stars in STARS},
        **{f"kind_{kind}": Count("pk", filter=condition) for kind, condition in KINDS.items()},
        **{f"tag_{tag}": Count("pk", filter=_has_tag(tag)) for tag in ReviewTag.values},
    )
    tags = {tag: counts[f"tag_{tag}"] for tag in ReviewTag.values if counts[f"tag_{tag}"]}
    return ReviewSummary(
        count=counts["count"],
        average=average,
        stars={stars: counts[f"stars_{stars}"] for stars in STARS},
        kinds={kind: counts[f"kind_{kind}"] for kind in KINDS},
        tags=dict(sorted(tags.items(), key=lambda row: -row[1])),
    )
