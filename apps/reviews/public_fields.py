"""The fields of a review that are public, and the masked name of its author."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.reviews.models import OrderReview

COPIED = (
    "product_id",
    "stars",
    "tags",
    "text",
    "written_at",
    "follow_text",
    "followed_at",
    "reply_text",
    "replied_at",
)
ANONYMOUS = "匿名用户"


def author_label(review: OrderReview) -> str:
    """Return the author's public name: the first character of the nickname, or 匿名用户."""
    return ANONYMOUS if review.is_anonymous else f"{review.author.nickname[:1]}**"
