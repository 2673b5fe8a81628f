"""Whether an author may still change or follow up a review, with the reason. The page shows it
and the services enforce it.
"""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from apps.reviews.deadlines import edit_by, follow_up_by
from apps.reviews.models import OrderReview


def why_no_edit(review: OrderReview) -> str:
    """Return the reason why the author may not change the review. Empty if the change is
    allowed.
    """
    if review.followed_at is not None:
        return "已追加评价，不能再修改"
    if review.replied_at is not None:
        return "商家已回复，不能再修改，您可以追加评价"
    if edit_by(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_EDIT_DAYS} 天，不能再修改，您可以追加评价"
    return ""


def why_no_follow_up(review: OrderReview) -> str:
    """Return the reason why the author may not follow up the review. Empty if a follow-up is
    allowed.
    """
    if review.followed_at is not None:
        return "已追加过评价，每件商品只能追加一次"
    if follow_up_by(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_DAYS} 天，不能再追加"
    return ""
