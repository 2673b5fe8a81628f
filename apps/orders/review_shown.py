"""What of a review everybody reads: these fields as they are, and its author by a masked name or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.orders.models import OrderReview

COPIED = ("product_id", "stars", "tags", "text", "written_at", "follow_text", "followed_at", "reply_text", "replied_at")
ANONYMOUS = "匿名用户"


def author_label(review: OrderReview) -> str:
    """Return how strangers see its author: the first character of his name, or nothing of it."""
    return ANONYMOUS if review.is_anonymous else f"{review.author.nickname[:1]}**"
