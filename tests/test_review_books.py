"""manage.py check_books reports reviews and ratings that were changed without their services."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import F
from django.utils import timezone

from apps.catalog.models import Product
from apps.common.books import list_differences
from apps.common.testing.faults import list_missed
from apps.orders.models import Order
from apps.org.models import Account
from apps.reviews.models import OrderReview, PublishedReview
from apps.reviews.tests.reviewing import receive_order, review

PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "a review that counts for nothing": (
        lambda: Product.objects.update(rating_count=0, rating_stars=0),
        "评价数",
    ),
    "a star too few": (
        lambda: Product.objects.update(rating_stars=F("rating_stars") - 1),
        "星级合计",
    ),
    "shown though hidden": (lambda: OrderReview.objects.update(state="hidden"), "展示"),
    "shown to nobody": (lambda: PublishedReview.objects.all().delete(), "展示"),
    "words nobody wrote": (
        lambda: PublishedReview.objects.update(text="强烈推荐"),
        "公开内容 text",
    ),
    "a name that was to be hidden": (
        lambda: PublishedReview.objects.update(author_label="李**"),
        "公开的评价人",
    ),
    "an order that waits for nothing": (
        lambda: Order.objects.update(review_until=timezone.now()),
        "待评价",
    ),
}


def test_each_planted_error_is_found(shopper: Account, staff: Account) -> None:
    review(receive_order(shopper, staff), 4, is_anonymous=True)
    assert list(list_differences()) == []
    assert list_missed(PLANTED) == []
