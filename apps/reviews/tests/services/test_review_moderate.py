"""Staff reply to reviews, hide them with a reason, and show them again. The author receives a
notice.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.models import Product
from apps.common.background.delivery import outbox_deliver
from apps.common.events import list_events
from apps.notices.models import Notice
from apps.org.models import Account
from apps.reviews.errors import ReviewRefused
from apps.reviews.models import OrderReview, PublishedReview
from apps.reviews.services import (
    review_check,
    review_edit,
    review_hide,
    review_reply,
    review_show,
)
from apps.reviews.tests.reviewing import get_published, receive_order, review


@pytest.fixture
def written(shopper: Account, staff: Account) -> OrderReview:
    """A review of the shopper with two stars."""
    return review(receive_order(shopper, staff), 2, "装订掉页")


def get_rating(written: OrderReview) -> tuple[int, Decimal | None]:
    product = Product.objects.get(pk=written.product_id)
    return product.rating_count, product.rating


def test_reply_is_published_with_its_review(written: OrderReview, staff: Account) -> None:
    review_reply(actor=staff, review_id=written.pk, text="已安排换货")

    assert get_published(written.order).reply_text == "已安排换货"


def test_reply_notifies_the_author(written: OrderReview, staff: Account, shopper: Account) -> None:
    review_reply(actor=staff, review_id=written.pk, text="已安排换货")
    outbox_deliver()

    notice = Notice.objects.get(recipient=shopper, kind="review_moved")
    assert (notice.title, notice.text) == (
        f"商家回复了您对“{written.order_line.name}”的评价",
        "已安排换货",
    )
    assert notice.link == f"/userCenter/order/review/{written.order.order_no}"


def test_hidden_review_is_unpublished_and_leaves_the_rating(
    written: OrderReview, staff: Account
) -> None:
    review_hide(actor=staff, review_id=written.pk, reason="含联系方式")

    assert (PublishedReview.objects.count(), get_rating(written)) == (0, (0, None))
    assert OrderReview.objects.get(pk=written.pk).hidden_reason == "含联系方式"


def test_a_hidden_review_is_shown_again_as_it_is_by_now(
    written: OrderReview, staff: Account, shopper: Account
) -> None:
    review_hide(actor=staff, review_id=written.pk, reason="含联系方式")
    changes = {"stars": 3, "text": "装订一般"}
    review_edit(
        actor=shopper,
        order_no=written.order.order_no,
        order_line_id=written.order_line_id,
        changes=changes,
    )
    assert get_rating(written) == (0, None)
    review_show(actor=staff, review_id=written.pk)

    assert (get_published(written.order).text, get_rating(written)) == (
        "装订一般",
        (1, Decimal("3.0")),
    )


def test_hidden_review_cannot_be_hidden_again(written: OrderReview, staff: Account) -> None:
    review_hide(actor=staff, review_id=written.pk, reason="含联系方式")

    with pytest.raises(ReviewRefused, match="已隐藏"):
        review_hide(actor=staff, review_id=written.pk, reason="再隐藏")


def test_checked_review_waits_again_after_an_edit(
    written: OrderReview, staff: Account, shopper: Account
) -> None:
    unchecked = OrderReview.objects.filter(checked_at__isnull=True)
    review_check(actor=staff, review_id=written.pk)
    assert unchecked.count() == 0
    review_edit(
        actor=shopper,
        order_no=written.order.order_no,
        order_line_id=written.order_line_id,
        changes={"stars": 1},
    )

    assert unchecked.count() == 1


def test_hide_event_records_the_actor_and_the_reason(written: OrderReview, staff: Account) -> None:
    review_hide(actor=staff, review_id=written.pk, reason="含联系方式")

    events = [(event.kind, event.note, event.actor) for event in list_events(written)]
    assert events[-1] == ("hidden", "含联系方式", staff)
