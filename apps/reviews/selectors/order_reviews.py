"""The received lines of an order with their reviews, for the review page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from apps.orders.errors import OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import may_be_reviewed, orders_visible
from apps.reviews.deadlines import edit_by, follow_up_by
from apps.reviews.enums import ReviewAction
from apps.reviews.models import OrderReview
from apps.reviews.selectors.review_terms import why_no_edit, why_no_follow_up

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ReviewedLine:
    """A received line. `review` is None if there is none, or if a colleague wrote it
    anonymously.
    """

    line: OrderLine
    review: OrderReview | None
    is_reviewed: bool
    actions: tuple[str, ...]
    edit_until: datetime | None = None
    follow_up_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class OrderReviews:
    order: Order
    lines: tuple[ReviewedLine, ...]


def order_reviews(*, actor: Account, order_no: str) -> OrderReviews:
    """Return the received lines of an order that the actor may see, each with its review. Five
    queries for any number of lines.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
    """
    order = orders_visible(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    rows = (
        OrderReview.objects.filter(order=order)
        .select_related("author")
        .prefetch_related("pictures__file")
    )
    reviews = {review.order_line_id: review for review in rows}
    is_own = may_change(actor=actor, order=order) and actor.impersonator is None
    lines = order.lines.filter(received_quantity__gt=0).order_by("no")
    return OrderReviews(
        order,
        tuple(_line(actor, order, line, reviews.get(line.pk), is_own=is_own) for line in lines),
    )


def _line(
    actor: Account, order: Order, line: OrderLine, review: OrderReview | None, *, is_own: bool
) -> ReviewedLine:
    if review is None:
        may_write = is_own and may_be_reviewed(order)
        return ReviewedLine(line, None, False, (ReviewAction.WRITE.value,) if may_write else ())
    if review.author_id != actor.pk:
        return ReviewedLine(line, None if review.is_anonymous else review, True, ())
    offered = (
        {ReviewAction.EDIT: why_no_edit(review), ReviewAction.FOLLOW_UP: why_no_follow_up(review)}
        if is_own
        else {}
    )
    actions = tuple(action.value for action, why_not in offered.items() if not why_not)
    return ReviewedLine(
        line, review, True, actions, edit_by(review.written_at), follow_up_by(review.written_at)
    )
