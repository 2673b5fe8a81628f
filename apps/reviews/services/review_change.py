"""Change an own review before a reply, or follow it up once (追评)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.common.events import event_record
from apps.common.services.own_pictures import own_pictures
from apps.orders.locks import lock_own_order
from apps.reviews.enums import ReviewEventKind, ReviewState
from apps.reviews.errors import ReviewRefused
from apps.reviews.models import OrderReview
from apps.reviews.models.review import tags_joined
from apps.reviews.selectors.review_terms import why_no_edit, why_no_follow_up
from apps.reviews.services.review_publish import review_republish
from apps.reviews.services.review_write import review_pictures_attach

if TYPE_CHECKING:
    from apps.org.models import Account


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
    if why_not := why_no_edit(review):
        raise ReviewRefused(why_not)
    if not changes:
        return review
    stars_before = review.stars
    review.stars = changes.get("stars", review.stars)
    review.tags = tags_joined(list(changes["tags"])) if "tags" in changes else review.tags
    review.text = changes.get("text", review.text)
    review.is_anonymous = changes.get("is_anonymous", review.is_anonymous)
    review.edited_at = timezone.now()
    if "file_ids" in changes:
        files = own_pictures(actor=actor, file_ids=changes["file_ids"])
        review.pictures.filter(is_follow_up=False).delete()
        review_pictures_attach(review, files)
    fields = ["stars", "tags", "text", "is_anonymous", "edited_at"]
    return _changed(
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
    if why_not := why_no_follow_up(review):
        raise ReviewRefused(why_not)
    files = own_pictures(actor=actor, file_ids=file_ids)
    review.follow_text, review.followed_at = text, timezone.now()
    review_pictures_attach(review, files, is_follow_up=True)
    fields = ["follow_text", "followed_at"]
    return _changed(
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


def _changed(
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
