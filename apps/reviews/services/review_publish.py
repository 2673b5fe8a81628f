"""The public copy of a review and the rating of its product. Both change in the transaction of
the review.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from apps.catalog.services.products import ratings_move
from apps.reviews.models import OrderReview, PublishedPicture, PublishedReview, ReviewPicture
from apps.reviews.public_fields import COPIED, author_label


def reviews_publish(reviews: Iterable[OrderReview]) -> None:
    """Publish reviews and add them to the ratings of their products. Their pictures must be
    attached already.
    """
    rows = list(reviews)
    pictures = _pictures(rows)
    published = PublishedReview.objects.bulk_create(
        _copy(review, PublishedReview(review=review), pictures) for review in rows
    )
    _show_pictures(published, pictures)
    _rate(rows, sign=1)


def review_unpublish(review: OrderReview) -> None:
    """Delete the public copy with its pictures, and remove the review from the rating."""
    PublishedReview.objects.filter(review=review).delete()
    _rate([review], sign=-1)


def review_republish(review: OrderReview, *, stars_before: int) -> None:
    """Update the public copy and the rating from the changed review. The pictures get new URLs."""
    pictures = _pictures([review])
    published = _copy(review, PublishedReview.objects.get(review=review), pictures)
    published.save()
    PublishedPicture.objects.filter(published=published).delete()
    _show_pictures([published], pictures)
    ratings_move(changes={review.product_id: (0, review.stars - stars_before)})


def _copy(
    review: OrderReview, published: PublishedReview, pictures: dict[int, list[ReviewPicture]]
) -> PublishedReview:
    for name in COPIED:
        setattr(published, name, getattr(review, name))
    published.author_label = author_label(review)
    published.has_pictures = bool(pictures.get(review.pk))
    return published


def _pictures(reviews: list[OrderReview]) -> dict[int, list[ReviewPicture]]:
    found: defaultdict[int, list[ReviewPicture]] = defaultdict(list)
    for picture in (
        ReviewPicture.objects.filter(review__in=reviews).select_related("file").order_by("pk")
    ):
        found[picture.review_id].append(picture)
    return found


def _show_pictures(
    published: Iterable[PublishedReview], pictures: dict[int, list[ReviewPicture]]
) -> None:
    PublishedPicture.objects.bulk_create(
        PublishedPicture(
            published=row,
            is_follow_up=picture.is_follow_up,
            no=picture.no,
            path=picture.file.path,
            content_type=picture.file.content_type,
        )
        for row in published
        for picture in pictures.get(row.review_id, ())
    )


def _rate(reviews: list[OrderReview], *, sign: int) -> None:
    changes: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for review in reviews:
        count, stars = changes[review.product_id]
        changes[review.product_id] = (count + sign, stars + sign * review.stars)
    ratings_move(changes=changes)
