"""What an author may still do with a review, and why not: shown on the page and held when he does it."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from apps.orders.models import OrderReview
from apps.orders.review_time import edit_by, follow_up_by


def why_no_edit(review: OrderReview) -> str:
    """Return why its author may not change it; empty where he may."""
    if review.followed_at is not None:
        return "已追加评价，不能再修改"
    if review.replied_at is not None:
        return "商家已回复，不能再修改，您可以追加评价"
    if edit_by(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_EDIT_DAYS} 天，不能再修改，您可以追加评价"
    return ""


def why_no_follow_up(review: OrderReview) -> str:
    """Return why its author may not follow it up; empty where he may."""
    if review.followed_at is not None:
        return "已追加过评价，每件商品只能追加一次"
    if follow_up_by(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_DAYS} 天，不能再追加"
    return ""
