"""Review received lines, each once. The requester of the order or the group admin may do it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.common.events import event_record
from apps.common.models import StoredFile
from apps.common.services.own_pictures import own_pictures
from apps.orders.locks import lock_own_order
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import may_be_reviewed
from apps.reviews.enums import ReviewEventKind
from apps.reviews.errors import ReviewRefused
from apps.reviews.models import OrderReview, ReviewPicture
from apps.reviews.models.review import tags_joined
from apps.reviews.services.review_publish import reviews_publish

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Said:
    """The review of an order line. `file_ids` are pictures that the actor has uploaded."""

    order_line_id: int
    stars: int
    tags: tuple[str, ...] = ()
    text: str = ""
    file_ids: tuple[uuid.UUID, ...] = ()


@transaction.atomic
def reviews_write(
    *, actor: Account, order_no: str, lines: Sequence[Said], is_anonymous: bool = False
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
    _check(order, order_lines, lines)
    files = {
        file.public_id: file
        for file in own_pictures(
            actor=actor, file_ids=[key for said in lines for key in said.file_ids]
        )
    }
    now = timezone.now()
    reviews: list[OrderReview] = OrderReview.objects.bulk_create(
        OrderReview(
            group_id=order.group_id,
            order=order,
            order_line=order_lines[said.order_line_id],
            product_id=order_lines[said.order_line_id].product_id,
            author=actor,
            is_anonymous=is_anonymous,
            stars=said.stars,
            tags=tags_joined(list(said.tags)),
            text=said.text,
            written_at=now,
        )
        for said in lines
    )
    for review, said in zip(reviews, lines, strict=True):
        review_pictures_attach(review, [files[key] for key in said.file_ids])
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


def _check(order: Order, order_lines: dict[int, OrderLine], lines: Sequence[Said]) -> None:
    keys = [said.order_line_id for said in lines]
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
