"""What staff do with a review: answer it, hide it with a reason, show it again, or leave it as it is."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.events import doer_id, event_record
from apps.common.row_scope import row_scope
from apps.orders.errors import ReviewNotFound, ReviewRefused
from apps.orders.locks import lock_order
from apps.orders.models import OrderReview
from apps.orders.review_enums import ReviewEventKind, ReviewState
from apps.orders.services.review_publish import review_republish, review_unpublish, reviews_publish

if TYPE_CHECKING:
    from apps.org.models import Account

SHOWN, HIDDEN = ReviewState.SHOWN, ReviewState.HIDDEN


def review_reply(*, actor: Account, review_id: int, text: str) -> None:
    """Answer it, or change the answer; everybody reads it below the review, and its author is told.

    Raises:
        ReviewNotFound: there is none.
    """
    with _locked(review_id) as review:
        review.reply_text, review.replied_at = text, timezone.now()
        _acted(review, actor=actor, kind=ReviewEventKind.REPLIED, reason=text, fields=["reply_text", "replied_at"])
        if review.state == SHOWN:
            review_republish(review, stars_before=review.stars)
        _tell(review, actor=actor, topic="review.replied", title="商家回复了您对“{name}”的评价", text=text)


def review_hide(*, actor: Account, review_id: int, reason: str) -> None:
    """Take it away from the product's page and out of its rating; its author reads why.

    Raises:
        ReviewNotFound: there is none.
        ReviewRefused: it is hidden already.
    """
    with _locked(review_id) as review:
        if review.state == HIDDEN:
            raise ReviewRefused("该评价已隐藏，请刷新后查看")
        review.state, review.hidden_reason = HIDDEN, reason
        _acted(review, actor=actor, kind=ReviewEventKind.HIDDEN, reason=reason, fields=["state", "hidden_reason"], before=SHOWN)
        review_unpublish(review)
        _tell(review, actor=actor, topic="review.hidden", title="您对“{name}”的评价已被隐藏", text=reason)


def review_show(*, actor: Account, review_id: int) -> None:
    """Show it again, as it is by now.

    Raises:
        ReviewNotFound: there is none.
        ReviewRefused: it is shown already.
    """
    with _locked(review_id) as review:
        if review.state == SHOWN:
            raise ReviewRefused("该评价正在展示，请刷新后查看")
        review.state, review.hidden_reason = SHOWN, ""
        _acted(review, actor=actor, kind=ReviewEventKind.SHOWN, fields=["state", "hidden_reason"], before=HIDDEN)
        reviews_publish([review])


def review_check(*, actor: Account, review_id: int) -> None:
    """Say that it was looked at and may stay as it is; nothing where it was already.

    Raises:
        ReviewNotFound: there is none.
    """
    with _locked(review_id) as review:
        if review.checked_at is None:
            _acted(review, actor=actor, kind=ReviewEventKind.CHECKED, fields=[])


@contextmanager
def _locked(review_id: int) -> Generator[OrderReview]:
    """Open the scope of its group and a transaction, and give the review locked after its order."""
    with row_scope(OrderReview, review_id, missing=ReviewNotFound):
        order = lock_order(order_no=OrderReview.objects.values_list("order__order_no", flat=True).get(pk=review_id))
        rows = OrderReview.objects.select_for_update(of=("self",), no_key=True).select_related("author", "order_line")
        review: OrderReview = rows.get(pk=review_id)
        review.order = order
        yield review


def _acted(review: OrderReview, *, actor: Account, kind: ReviewEventKind, fields: list[str], reason: str = "", before: str = "") -> None:
    """Save it as looked at, with its event; whoever acts on it has looked."""
    review.checked_at = timezone.now()
    review.save(update_fields=[*fields, "checked_at"])
    event_record(review, actor=actor, kind=kind, from_state=before, to_state=review.state if before else "", reason=reason[:500])


def _tell(review: OrderReview, *, actor: Account, topic: str, title: str, text: str) -> None:
    order_no, line = review.order.order_no, review.order_line
    payload = {
        "To": [review.author_id],
        "ActorId": doer_id(actor),
        "Title": title.format(name=line.customer_name or line.name),
        "Text": text[:200],
        "Link": f"/userCenter/order/review/{order_no}",
        "SubjectKey": f"review:{order_no}",
    }
    outbox_publish(topic=topic, key=order_no, payload=payload)
