"""Actions of staff on a review: reply, hide with a reason, show again, or mark as checked."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.events import event_actor_id, event_record
from apps.common.tenancy import row_scope
from apps.orders.locks import lock_order
from apps.reviews.enums import ReviewEventKind, ReviewState
from apps.reviews.errors import ReviewNotFound, ReviewRefused
from apps.reviews.models import OrderReview
from apps.reviews.services.reviews import review_republish, review_unpublish, reviews_publish

if TYPE_CHECKING:
    from apps.org.models import Account

SHOWN, HIDDEN = ReviewState.SHOWN, ReviewState.HIDDEN


def review_reply(*, actor: Account, review_id: int, text: str) -> None:
    """Write or change the reply. It is public below the review, and the author gets a notice.

    Raises:
        ReviewNotFound: there is none.
    """
    with _locked(review_id) as review:
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
    with _locked(review_id) as review:
        if review.state == HIDDEN:
            raise ReviewRefused("该评价已隐藏，请刷新后查看")
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
    with _locked(review_id) as review:
        if review.state == SHOWN:
            raise ReviewRefused("该评价正在展示，请刷新后查看")
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
    with _locked(review_id) as review:
        if review.checked_at is None:
            _save_as_checked(review, actor=actor, kind=ReviewEventKind.CHECKED, fields=[])


@contextmanager
def _locked(review_id: int) -> Generator[OrderReview]:
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
    """Save the review as checked, and record the event. Every action of staff counts as a
    check.
    """
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
        "ActorId": event_actor_id(actor),
        "Title": title.format(name=line.customer_name or line.name),
        "Text": text[:200],
        "Link": f"/userCenter/order/review/{order_no}",
        "SubjectKey": f"review:{order_no}",
    }
    outbox_publish(topic=topic, key=order_no, payload=payload)
