"""Write, change and follow up a review; answer, hide and show it as staff."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.catalog.services.products import ratings_move
from apps.common.background.outbox import outbox_publish
from apps.common.events import event_record, get_event_actor_id
from apps.common.models import StoredFile
from apps.common.services.files import get_own_pictures
from apps.common.tenancy import row_scope
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import may_be_reviewed
from apps.reviews.enums import ReviewEventKind, ReviewState
from apps.reviews.errors import (
    NotReceivedYet,
    NotReviewedYet,
    ReviewedAlready,
    ReviewHiddenAlready,
    ReviewLinesInvalid,
    ReviewNotFound,
    ReviewPeriodOver,
    ReviewRefused,
    ReviewShownAlready,
)
from apps.reviews.models import (
    PUBLIC_FIELDS,
    OrderReview,
    PublishedPicture,
    PublishedReview,
    ReviewPicture,
    format_author,
    join_tags,
)
from apps.reviews.selectors import explain_edit_refusal, explain_follow_up_refusal

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
        for file in get_own_pictures(
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
    """Refuse lines that cannot be reviewed: foreign, repeated, reviewed already, not received, or
    too late.
    """
    keys = [line.order_line_id for line in lines]
    if len(keys) != len(set(keys)) or any(key not in order_lines for key in keys):
        raise ReviewLinesInvalid
    reviewed = set(OrderReview.objects.filter(order=order).values_list("order_line_id", flat=True))
    for key in keys:
        line = order_lines[key]
        name = line.customer_name or line.name
        if key in reviewed:
            raise ReviewedAlready(name)
        if not line.received_quantity:
            raise NotReceivedYet(name)
    if not may_be_reviewed(order):
        raise ReviewPeriodOver


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
    review = _lock_own_review(actor, order_no, order_line_id)
    if why_not := explain_edit_refusal(review):
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
        files = get_own_pictures(actor=actor, file_ids=changes["file_ids"])
        review.pictures.filter(is_follow_up=False).delete()
        review_pictures_attach(review, files)
    fields = ["stars", "tags", "text", "is_anonymous", "edited_at"]
    return _save_changed_review(
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
    review = _lock_own_review(actor, order_no, order_line_id)
    if why_not := explain_follow_up_refusal(review):
        raise ReviewRefused(why_not)
    files = get_own_pictures(actor=actor, file_ids=file_ids)
    review.follow_text, review.followed_at = text, timezone.now()
    review_pictures_attach(review, files, is_follow_up=True)
    fields = ["follow_text", "followed_at"]
    return _save_changed_review(
        review, fields, actor=actor, kind=ReviewEventKind.FOLLOWED_UP, stars_before=review.stars
    )


def _lock_own_review(actor: Account, order_no: str, order_line_id: int) -> OrderReview:
    """Lock the order and the actor's review of the line, and return the review.

    Raises:
        NotReviewedYet: there is none.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    reviews = OrderReview.objects.select_for_update(of=("self",), no_key=True).select_related(
        "author"
    )
    review: OrderReview | None = reviews.filter(
        order=order, order_line_id=order_line_id, author=actor
    ).first()
    if review is None:
        raise NotReviewedYet
    return review


def _save_changed_review(
    review: OrderReview,
    fields: list[str],
    *,
    actor: Account,
    kind: ReviewEventKind,
    stars_before: int,
) -> OrderReview:
    """Save the fields and publish the review again if it is shown. Staff have to check it again."""
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
    pictures = _get_pictures_by_review(rows)
    published = PublishedReview.objects.bulk_create(
        _copy_public_fields(review, PublishedReview(review=review), pictures) for review in rows
    )
    _publish_pictures(published, pictures)
    _move_ratings(rows, sign=1)


def review_unpublish(review: OrderReview) -> None:
    """Delete the public copy with its pictures, and remove the review from the rating."""
    PublishedReview.objects.filter(review=review).delete()
    _move_ratings([review], sign=-1)


def review_republish(review: OrderReview, *, stars_before: int) -> None:
    """Update the public copy and the rating from the changed review. The pictures get new URLs."""
    pictures = _get_pictures_by_review([review])
    published = _copy_public_fields(review, PublishedReview.objects.get(review=review), pictures)
    published.save()
    PublishedPicture.objects.filter(published=published).delete()
    _publish_pictures([published], pictures)
    ratings_move(changes={review.product_id: (0, review.stars - stars_before)})


def _copy_public_fields(
    review: OrderReview, published: PublishedReview, pictures: dict[int, list[ReviewPicture]]
) -> PublishedReview:
    for name in PUBLIC_FIELDS:
        setattr(published, name, getattr(review, name))
    published.author_label = format_author(review)
    published.has_pictures = bool(pictures.get(review.pk))
    return published


def _get_pictures_by_review(reviews: list[OrderReview]) -> dict[int, list[ReviewPicture]]:
    """Return {review pk: its pictures in the order of upload}. One query."""
    pictures_by_review: defaultdict[int, list[ReviewPicture]] = defaultdict(list)
    for picture in (
        ReviewPicture.objects.filter(review__in=reviews).select_related("file").order_by("pk")
    ):
        pictures_by_review[picture.review_id].append(picture)
    return pictures_by_review


def _publish_pictures(
    published: Iterable[PublishedReview], pictures: dict[int, list[ReviewPicture]]
) -> None:
    """Copy the pictures to the published reviews. `pictures`: by review pk."""
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


def _move_ratings(reviews: list[OrderReview], *, sign: int) -> None:
    """Add the stars of the reviews to the ratings of their products, or subtract them with
    `sign` -1.
    """
    changes: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for review in reviews:
        count, stars = changes[review.product_id]
        changes[review.product_id] = (count + sign, stars + sign * review.stars)
    ratings_move(changes=changes)


SHOWN, HIDDEN = ReviewState.SHOWN, ReviewState.HIDDEN


def review_reply(*, actor: Account, review_id: int, text: str) -> None:
    """Write or change the reply. It is public below the review, and the author gets a notice.

    Raises:
        ReviewNotFound: there is none.
    """
    with _lock_review(review_id) as review:
        review.reply_text, review.replied_at = text, timezone.now()
        _save_as_checked(
            review,
            actor=actor,
            kind=ReviewEventKind.REPLIED,
            reason=text,
            fields=["reply_text", "replied_at"],
        )
        if review.state == SHOWN:
            review_republish(review, stars_before=review.stars)
        _publish_notice(
            review,
            actor=actor,
            topic="review.replied",
            title="商家回复了您对“{name}”的评价",
            text=text,
        )


def review_hide(*, actor: Account, review_id: int, reason: str) -> None:
    """Remove the review from the product page and from the rating. The author gets a notice
    with the reason.

    Raises:
        ReviewNotFound: there is none.
        ReviewRefused: it is hidden already.
    """
    with _lock_review(review_id) as review:
        if review.state == HIDDEN:
            raise ReviewHiddenAlready
        review.state, review.hidden_reason = HIDDEN, reason
        _save_as_checked(
            review,
            actor=actor,
            kind=ReviewEventKind.HIDDEN,
            reason=reason,
            fields=["state", "hidden_reason"],
            before=SHOWN,
        )
        review_unpublish(review)
        _publish_notice(
            review,
            actor=actor,
            topic="review.hidden",
            title="您对“{name}”的评价已被隐藏",
            text=reason,
        )


def review_show(*, actor: Account, review_id: int) -> None:
    """Publish a hidden review again, with its current content.

    Raises:
        ReviewNotFound: there is none.
        ReviewRefused: it is shown already.
    """
    with _lock_review(review_id) as review:
        if review.state == SHOWN:
            raise ReviewShownAlready
        review.state, review.hidden_reason = SHOWN, ""
        _save_as_checked(
            review,
            actor=actor,
            kind=ReviewEventKind.SHOWN,
            fields=["state", "hidden_reason"],
            before=HIDDEN,
        )
        reviews_publish([review])


def review_check(*, actor: Account, review_id: int) -> None:
    """Mark the review as checked. Does nothing if it is checked already.

    Raises:
        ReviewNotFound: there is none.
    """
    with _lock_review(review_id) as review:
        if review.checked_at is None:
            _save_as_checked(review, actor=actor, kind=ReviewEventKind.CHECKED, fields=[])


@contextmanager
def _lock_review(review_id: int) -> Generator[OrderReview]:
    """Open the tenant scope and a transaction, lock the order, then lock and yield the review."""
    with row_scope(OrderReview, review_id, missing=ReviewNotFound):
        order = lock_order(
            order_no=OrderReview.objects.values_list("order__order_no", flat=True).get(pk=review_id)
        )
        rows = OrderReview.objects.select_for_update(of=("self",), no_key=True).select_related(
            "author", "order_line"
        )
        review: OrderReview = rows.get(pk=review_id)
        review.order = order
        yield review


def _save_as_checked(
    review: OrderReview,
    *,
    actor: Account,
    kind: ReviewEventKind,
    fields: list[str],
    reason: str = "",
    before: str = "",
) -> None:
    """Save the review as checked, and record the event. Every action of staff counts as a check."""
    review.checked_at = timezone.now()
    review.save(update_fields=[*fields, "checked_at"])
    event_record(
        review,
        actor=actor,
        kind=kind,
        from_state=before,
        to_state=review.state if before else "",
        reason=reason[:500],
    )


def _publish_notice(
    review: OrderReview, *, actor: Account, topic: str, title: str, text: str
) -> None:
    order_no, line = review.order.order_no, review.order_line
    payload = {
        "To": [review.author_id],
        "ActorId": get_event_actor_id(actor),
        "Title": title.format(name=line.customer_name or line.name),
        "Text": text[:200],
        "Link": f"/userCenter/order/review/{order_no}",
        "SubjectKey": f"review:{order_no}",
    }
    outbox_publish(topic=topic, key=order_no, payload=payload)
