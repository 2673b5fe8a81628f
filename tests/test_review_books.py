"""manage.py check_books finds reviews and ratings that were changed behind their services."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import F
from django.utils import timezone

from apps.catalog.models import Product
from apps.common.books import differences
from apps.orders.models import Order, OrderReview, PublishedReview
from apps.orders.tests.reviewing import received, review
from apps.org.models import Account

PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "a review that counts for nothing": (lambda: Product.objects.update(rating_count=0, rating_stars=0), "评价数"),
    "a star too few": (lambda: Product.objects.update(rating_stars=F("rating_stars") - 1), "星级合计"),
    "shown though hidden": (lambda: OrderReview.objects.update(state="hidden"), "展示"),
    "shown to nobody": (lambda: PublishedReview.objects.all().delete(), "展示"),
    "words nobody wrote": (lambda: PublishedReview.objects.update(text="强烈推荐"), "公开内容 text"),
    "a name that was to be hidden": (lambda: PublishedReview.objects.update(author_label="李**"), "公开的评价人"),
    "an order that waits for nothing": (lambda: Order.objects.update(review_until=timezone.now()), "待评价"),
}


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_error_is_found(shopper: Account, staff: Account, plant: str) -> None:
    review(received(shopper, staff), 4, is_anonymous=True)
    assert list(differences()) == []
    act, figure = PLANTED[plant]

    act()

    assert figure in {difference.figure for _, difference in differences()}
