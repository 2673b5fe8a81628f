"""Admin pages for product reviews."""

from apps.office.first_page import register_work_part
from apps.reviews.admin import review_work, reviews

__all__ = ["review_work", "reviews"]

register_work_part(review_work.reviews_part)
