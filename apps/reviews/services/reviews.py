"""Reviews by their author: write one for each received line, change it before a reply, follow it up
once (追评). The public copy and the rating of the product change in the same transaction.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.catalog.services.products import ratings_move
from apps.common.errors import ValidationFailed
from apps.common.events import event_record
from apps.common.models import StoredFile
from apps.common.services.files import own_pictures
from apps.orders.locks import lock_own_order
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import may_be_reviewed
from apps.reviews.enums import ReviewEventKind, ReviewState
from apps.reviews.errors import ReviewRefused
from apps.reviews.models import (
    PUBLIC_FIELDS,
    OrderReview,
    PublishedPicture,
    PublishedReview,
    ReviewPicture,
    author_label,
    join_tags,
)
from apps.reviews.selectors.order_reviews import edit_refusal, follow_up_refusal

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ReviewInput:
    """The review of an order line. `file_ids` are pictures that the actor has uploaded."""

    order_line_id: int
    stars: int
    tags: tuple[str, ...] = ()
    text: str = ""
    file_ids: tuple[uuid.UUID, ...] = ()


@transaction.atomic
def reviews_write(
    *, actor: Account, order_no: str, lines: Sequence[ReviewInput], is_anonymous: bool = False
) -> list[OrderReview]:
    """Return the new reviews. They are public at once; staff check them afterwards. Either all
    reviews are written or none.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see the order, or may not change it.
        ReviewRefused: a line is not received or is reviewed already, or the review period is over.
        ValidationFailed: a line of another order, or a picture that the actor has not uploaded.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    order_lines = {line.pk: line for line in order.lines.all()}
    _check_lines(order, order_lines, lines)
    files = {
        file.public_id: file
        for file in own_pictures(
            actor=actor, file_ids=[key for line in lines for key in line.file_ids]
        )
    }
    now = timezone.now()
    reviews: list[OrderReview] = OrderReview.objects.bulk_create(
        OrderReview(
            group_id=order.group_id,
            order=order,
            order_line=order_lines[line.order_line_id],
            product_id=order_lines[line.order_line_id].product_id,
            author=actor,
            is_anonymous=is_anonymous,
            stars=line.stars,
            tags=join_tags(list(line.tags)),
            text=line.text,
            written_at=now,
        )
        for line in lines
    )
    for review, line in zip(reviews, lines, strict=True):
        review_pictures_attach(review, [files[key] for key in line.file_ids])
        event_record(review, actor=actor, kind=ReviewEventKind.WRITTEN, reason=review.get_stars())
    reviews_publish(reviews)
    _close_review_period(order, order_lines.values())
    return reviews


def review_pictures_attach(
    review: OrderReview, files: Iterable[StoredFile], *, is_follow_up: bool = False
) -> None:
    """Attach the pictures to a review, or to its 追评."""
    ReviewPicture.objects.bulk_create(
        ReviewPicture(
            group_id=review.group_id, review=review, is_follow_up=is_follow_up, no=number, file=file
        )
        for number, file in enumerate(files, start=1)
    )


def _check_lines(
    order: Order, order_lines: dict[int, OrderLine], lines: Sequence[ReviewInput]
) -> None:
    keys = [line.order_line_id for line in lines]
    if len(keys) != len(set(keys)) or any(key not in order_lines for key in keys):
        raise ValidationFailed({"Lines": ["所选商品不在该订单中或重复，请刷新后重新填写"]})
    reviewed = set(OrderReview.objects.filter(order=order).values_list("order_line_id", flat=True))
    for key in keys:
        line = order_lines[key]
        name = line.customer_name or line.name
        if key in reviewed:
            raise ReviewRefused(f"“{name}”已经评价过，可以修改评价或追加评价")
        if not line.received_quantity:
            raise ReviewRefused(f"“{name}”还没有签收，请在收货后评价")
    if not may_be_reviewed(order):
        raise ReviewRefused("该订单的评价期已过，商品问题请联系客服")


def _close_review_period(order: Order, lines: Iterable[OrderLine]) -> None:
    """End the order's review period if every received line has a review."""
    reviewed = set(OrderReview.objects.filter(order=order).values_list("order_line_id", flat=True))
    if not any(line.received_quantity and line.pk not in reviewed for line in lines):
        order.review_until = None
        Order.objects.filter(pk=order.pk).update(review_until=None)


@transaction.atomic
def review_edit(
    *, actor: Account, order_no: str, order_line_id: int, changes: Mapping[str, Any]
) -> OrderReview:
    """Return the changed review. Staff check it again.

    `changes` may have `stars`, `tags`, `text`, `is_anonymous`, and `file_ids`, which replaces all
    pictures of the review. Missing fields stay unchanged.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see the order, or may not change it.
        ReviewRefused: the actor has not reviewed the line, or may no longer change the review.
        ValidationFailed: a picture that the actor has not uploaded.
    """
    review = _own_review(actor, order_no, order_line_id)
    if why_not := edit_refusal(review):
        raise ReviewRefused(why_not)
    if not changes:
        return review
    stars_before = review.stars
    review.stars = changes.get("stars", review.stars)
    review.tags = join_tags(list(changes["tags"])) if "tags" in changes else review.tags
    review.text = changes.get("text", review.text)
    review.is_anonymous = changes.get("is_anonymous", review.is_anonymous)
    review.edited_at = timezone.now()
    if "file_ids" in changes:
        files = own_pictures(actor=actor, file_ids=changes["file_ids"])
        review.pictures.filter(is_follow_up=False).delete()
        review_pictures_attach(review, files)
    fields = ["stars", "tags", "text", "is_anonymous", "edited_at"]
    return _save_change(
        review, fields, actor=actor, kind=ReviewEventKind.EDITED, stars_before=stars_before
    )


@transaction.atomic
def review_follow_up(
    *,
    actor: Account,
    order_no: str,
    order_line_id: int,
    text: str,
    file_ids: Sequence[uuid.UUID] = (),
) -> OrderReview:
    """Return the review with the follow-up of its author.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see the order, or may not change it.
        ReviewRefused: the actor has not reviewed the line, has followed it up already, or the
            period is over.
        ValidationFailed: a picture that the actor has not uploaded.
    """
    review = _own_review(actor, order_no, order_line_id)
    if why_not := follow_up_refusal(review):
        raise ReviewRefused(why_not)
    files = own_pictures(actor=actor, file_ids=file_ids)
    review.follow_text, review.followed_at = text, timezone.now()
    review_pictures_attach(review, files, is_follow_up=True)
    fields = ["follow_text", "followed_at"]
    return _save_change(
        review, fields, actor=actor, kind=ReviewEventKind.FOLLOWED_UP, stars_before=review.stars
    )


def _own_review(actor: Account, order_no: str, order_line_id: int) -> OrderReview:
    order = lock_own_order(actor=actor, order_no=order_no)
    reviews = OrderReview.objects.select_for_update(of=("self",), no_key=True).select_related(
        "author"
    )
    review: OrderReview | None = reviews.filter(
        order=order, order_line_id=order_line_id, author=actor
    ).first()
    if review is None:
        raise ReviewRefused("您还没有评价该商品，请先评价")
    return review


def _save_change(
    review: OrderReview,
    fields: list[str],
    *,
    actor: Account,
    kind: ReviewEventKind,
    stars_before: int,
) -> OrderReview:
    review.checked_at = None
    review.save(update_fields=[*fields, "checked_at"])
    event_record(review, actor=actor, kind=kind, reason=review.get_stars())
    if review.state == ReviewState.SHOWN:
        review_republish(review, stars_before=stars_before)
    return review


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
    for name in PUBLIC_FIELDS:
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
