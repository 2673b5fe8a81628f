"""Parallel reviews: a line gets one review, and a product's rating counts each."""

from __future__ import annotations

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order
from apps.org.models import Account
from apps.reviews.models import OrderReview
from apps.reviews.services import (
    ReviewInput,
    review_edit,
    review_follow_up,
    review_hide,
    reviews_write,
)
from apps.reviews.tests.reviewing import receive_order, review
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
TURNS = range(10 if LONG else 3)


def write(order: Order, stars: int) -> int:
    text = [ReviewInput(line.pk, stars) for line in order.lines.all()]
    return len(reviews_write(actor=order.requester, order_no=order.order_no, lines=text))


@pytest.mark.parametrize("turn", TURNS)
def test_review_sent_twice_at_once_is_written_once(
    shopper: Account, staff: Account, turn: int
) -> None:
    order = receive_order(shopper, staff)

    outcomes = run_race(
        [lambda: write(order, 5), lambda: write(order, 1), lambda: write(order, 3)], processes=3
    )

    assert sorted(outcome.code for outcome in outcomes) == ["", "wrong_state", "wrong_state"]
    assert (
        OrderReview.objects.count(),
        Product.objects.get(pk=order.lines.get().product_id).rating_count,
    ) == (1, 1)
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_reviews_of_the_same_products_in_another_order_all_count(
    shopper: Account, staff: Account, turn: int
) -> None:
    pens, paper = ProductFactory(stock=100), ProductFactory(stock=100)
    orders = [
        receive_order(shopper, staff, (pens, 1), (paper, 1)),
        receive_order(shopper, staff, (paper, 1), (pens, 1)),
    ]

    outcomes = run_race([lambda: write(orders[0], 5), lambda: write(orders[1], 2)], processes=2)

    assert [outcome.ok for outcome in outcomes] == [True, True]
    ratings = set(
        Product.objects.filter(pk__in=[pens.pk, paper.pk]).values_list(
            "rating_count", "rating_stars"
        )
    )
    assert ratings == {(2, 7)}
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_an_edit_a_follow_up_and_a_hiding_leave_the_rating_right(
    shopper: Account, staff: Account, turn: int
) -> None:
    order = receive_order(shopper, staff)
    written = review(order, 5)
    line, key, number = written.order_line_id, written.pk, order.order_no
    works = [
        lambda: (
            review_edit(
                actor=shopper,
                order_no=number,
                order_line_id=line,
                changes={"stars": 2, "is_anonymous": True},
            ).pk
        ),
        lambda: (
            review_follow_up(actor=shopper, order_no=number, order_line_id=line, text="补充").pk
        ),
        lambda: review_hide(actor=staff, review_id=key, reason="与商品无关"),
    ]

    run_race(works, processes=3)

    assert_books_balance()
    assert OrderReview.objects.get().state == "hidden"
