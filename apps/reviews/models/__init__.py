"""Product reviews and their public copies."""

from apps.reviews.models.review import (
    OrderReview,
    PublishedPicture,
    PublishedReview,
    ReviewPicture,
)

__all__ = ["OrderReview", "PublishedPicture", "PublishedReview", "ReviewPicture"]
