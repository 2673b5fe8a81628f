"""Reviews of the received lines of an order: what their author may still do, and which of them wait
for staff.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.orders.errors import OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import may_be_reviewed, orders_visible
from apps.reviews.enums import ReviewAction
from apps.reviews.models import OrderReview

if TYPE_CHECKING:
    from apps.org.models import Account

# A review with this many stars or fewer needs a reply.
POOR = 3


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
        tuple(
            _build_reviewed_line(
                actor=actor, order=order, line=line, review=reviews.get(line.pk), is_own=is_own
            )
            for line in lines
        ),
    )


def _build_reviewed_line(
    actor: Account, order: Order, line: OrderLine, review: OrderReview | None, *, is_own: bool
) -> ReviewedLine:
    if review is None:
        may_write = is_own and may_be_reviewed(order)
        return ReviewedLine(
            line=line,
            review=None,
            is_reviewed=False,
            actions=(ReviewAction.WRITE.value,) if may_write else (),
        )
    if review.author_id != actor.pk:
        return ReviewedLine(
            line=line, review=None if review.is_anonymous else review, is_reviewed=True, actions=()
        )
    offered = (
        {ReviewAction.EDIT: edit_refusal(review), ReviewAction.FOLLOW_UP: follow_up_refusal(review)}
        if is_own
        else {}
    )
    actions = tuple(action.value for action, why_not in offered.items() if not why_not)
    return ReviewedLine(
        line=line,
        review=review,
        is_reviewed=True,
        actions=actions,
        edit_until=edit_deadline(review.written_at),
        follow_up_until=follow_up_deadline(review.written_at),
    )


def edit_deadline(written_at: datetime) -> datetime:
    """Return the end of the period in which the author may change a review."""
    return written_at + timedelta(days=settings.REVIEW_EDIT_DAYS)


def follow_up_deadline(written_at: datetime) -> datetime:
    """Return the end of the period in which the author may add a follow-up review."""
    return written_at + timedelta(days=settings.REVIEW_DAYS)


def edit_refusal(review: OrderReview) -> str:
    """Return the reason why the author may not change the review. Empty if the change is
    allowed.
    """
    if review.followed_at is not None:
        return "已追加评价，不能再修改"
    if review.replied_at is not None:
        return "商家已回复，不能再修改，您可以追加评价"
    if edit_deadline(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_EDIT_DAYS} 天，不能再修改，您可以追加评价"
    return ""


def follow_up_refusal(review: OrderReview) -> str:
    """Return the reason why the author may not follow up the review. Empty if a follow-up is
    allowed.
    """
    if review.followed_at is not None:
        return "已追加过评价，每件商品只能追加一次"
    if follow_up_deadline(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_DAYS} 天，不能再追加"
    return ""


def list_unchecked_reviews() -> QuerySet[OrderReview]:
    """Return the reviews that staff have not checked since they were written, changed or
    followed up. Runs in the platform scope, over all groups.
    """
    reviews: QuerySet[OrderReview] = OrderReview.objects.filter(checked_at__isnull=True)
    return reviews


def unanswered_condition() -> Q:
    """Return the condition of a poor review without a reply."""
    return Q(stars__lte=POOR, replied_at__isnull=True)
