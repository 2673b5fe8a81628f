"""A received line can be reviewed once. The review updates the product's rating."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.errors import ValidationFailed
from apps.common.tenancy import platform_scope
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.reviews.errors import ReviewRefused
from apps.reviews.models import OrderReview, PublishedPicture, PublishedReview
from apps.reviews.services import ReviewInput, review_edit, review_follow_up, reviews_write
from apps.reviews.tests.reviewing import get_published, receive_order, review, store_picture


def get_rating(product: Product) -> tuple[int, Decimal | None]:
    product = Product.objects.get(pk=product.pk)
    return product.rating_count, product.rating


def test_the_rating_of_a_product_is_the_average_of_its_reviews(
    shopper: Account, staff: Account
) -> None:
    pens = ProductFactory(stock=100)
    for stars in (5, 4, 4):
        review(receive_order(shopper, staff, (pens, 2)), stars)

    assert get_rating(pens) == (3, Decimal("4.3"))


def test_a_line_is_reviewed_once(shopper: Account, staff: Account) -> None:
    order = receive_order(shopper, staff)
    review(order, 5)

    with pytest.raises(ReviewRefused, match="已经评价过，可以修改评价或追加评价"):
        review(order, 1)
    assert OrderReview.objects.count() == 1


def test_line_without_a_receipt_cannot_be_reviewed(shopper: Account, staff: Account) -> None:
    pens, paper = ProductFactory(stock=100), ProductFactory(stock=100, name="复印纸")
    order = place_order(shopper, (pens, 2), (paper, 2))
    order_confirm(actor=staff, order_id=order.pk)
    first, second = order.lines.get(product=pens), order.lines.get(product=paper)
    order_ship(
        actor=staff,
        order_id=order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities={first.pk: 2},
    )
    order_receive(actor=shopper, order_no=order.order_no)

    with pytest.raises(ReviewRefused, match="“复印纸”还没有签收，请在收货后评价"):
        reviews_write(
            actor=shopper,
            order_no=order.order_no,
            lines=[ReviewInput(first.pk, 5), ReviewInput(second.pk, 5)],
        )
    assert (OrderReview.objects.count(), get_rating(pens)) == (0, (0, None))


def test_an_order_waits_for_reviews_from_its_receipt_to_its_last_review(
    shopper: Account, staff: Account
) -> None:
    order = receive_order(
        shopper, staff, (ProductFactory(stock=100), 1), (ProductFactory(stock=100), 1)
    )
    waited = Order.objects.get(pk=order.pk).review_until
    assert waited is not None
    assert (waited - timezone.now()).days in (179, 180)
    review(order)
    assert Order.objects.get(pk=order.pk).review_until == waited
    reviews_write(
        actor=shopper,
        order_no=order.order_no,
        lines=[ReviewInput(order.lines.order_by("no")[1].pk, 3)],
    )

    assert Order.objects.get(pk=order.pk).review_until is None


def test_after_half_a_year_an_order_is_reviewed_no_more(shopper: Account, staff: Account) -> None:
    order = receive_order(shopper, staff)
    Order.objects.filter(pk=order.pk).update(review_until=timezone.now() - timedelta(seconds=1))

    with pytest.raises(ReviewRefused, match="评价期已过"):
        review(order)


def test_a_line_of_another_order_is_refused(shopper: Account, staff: Account) -> None:
    order, other = receive_order(shopper, staff), receive_order(shopper, staff)

    with pytest.raises(ValidationFailed, match="不在该订单中"):
        reviews_write(
            actor=shopper, order_no=order.order_no, lines=[ReviewInput(other.lines.get().pk, 5)]
        )


def test_account_outside_the_data_scope_cannot_review_the_order(
    shopper: Account, staff: Account, limited: Account
) -> None:
    with pytest.raises(OrderNotFound):
        review(receive_order(shopper, staff), by=limited)


def test_colleague_who_only_sees_the_order_cannot_review_it(
    shopper: Account, staff: Account, approver: Account
) -> None:
    with pytest.raises(NotYourOrder):
        review(receive_order(shopper, staff), by=approver)


def test_another_persons_picture_is_refused_as_a_missing_one(
    shopper: Account, staff: Account, approver: Account
) -> None:
    with pytest.raises(ValidationFailed, match="图片不存在或已失效"):
        review(receive_order(shopper, staff), file_ids=(store_picture(approver).public_id,))


def test_an_edited_review_moves_the_rating_and_its_pictures(
    shopper: Account, staff: Account
) -> None:
    pens = ProductFactory(stock=100)
    order = receive_order(shopper, staff, (pens, 2))
    first, second = store_picture(shopper), store_picture(shopper)
    written = review(order, 5, file_ids=(first.public_id,))
    changes = {
        "stars": 2,
        "tags": ["slow"],
        "text": "用久了不行",
        "file_ids": [second.public_id],
        "is_anonymous": True,
    }
    review_edit(
        actor=shopper, order_no=order.order_no, order_line_id=written.order_line_id, changes=changes
    )

    public = get_published(order)
    assert get_rating(pens) == (1, Decimal("2.0"))
    assert (public.text, public.tag_names, public.author_label) == (
        "用久了不行",
        ["送货慢"],
        "匿名用户",
    )
    assert [row.path for row in PublishedPicture.objects.all()] == [second.path]


def test_review_edit_keeps_unnamed_fields(shopper: Account, staff: Account) -> None:
    order = receive_order(shopper, staff)
    kept_picture = store_picture(shopper)
    written = review(
        order, 5, "很好用", is_anonymous=True, tags=("fast",), file_ids=(kept_picture.public_id,)
    )

    edited = review_edit(
        actor=shopper,
        order_no=order.order_no,
        order_line_id=written.order_line_id,
        changes={"stars": 4},
    )

    assert (edited.stars, edited.tags, edited.text, edited.is_anonymous) == (
        4,
        written.tags,
        "很好用",
        True,
    )
    assert [row.path for row in PublishedPicture.objects.all()] == [kept_picture.path]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"replied_at": timezone.now()}, "商家已回复"),
        ({"followed_at": timezone.now()}, "已追加评价"),
        ({"written_at": timezone.now() - timedelta(days=30, seconds=1)}, "评价发表满 30 天"),
    ],
)
def test_a_review_is_changed_no_more_once(
    shopper: Account, staff: Account, change: dict[str, object], why: str
) -> None:
    order = receive_order(shopper, staff)
    written = review(order)
    OrderReview.objects.filter(pk=written.pk).update(**change)

    with pytest.raises(ReviewRefused, match=why):
        review_edit(
            actor=shopper,
            order_no=order.order_no,
            order_line_id=written.order_line_id,
            changes={"stars": 1},
        )


def test_a_review_is_followed_up_once(shopper: Account, staff: Account) -> None:
    order = receive_order(shopper, staff)
    line = review(order).order_line_id
    review_follow_up(
        actor=shopper,
        order_no=order.order_no,
        order_line_id=line,
        text="用了一个月，还是好",
        file_ids=(store_picture(shopper).public_id,),
    )

    public = get_published(order)
    assert (public.follow_text, public.has_pictures, public.stars) == (
        "用了一个月，还是好",
        True,
        5,
    )
    with pytest.raises(ReviewRefused, match="只能追加一次"):
        review_follow_up(
            actor=shopper, order_no=order.order_no, order_line_id=line, text="再说一句"
        )


def test_follow_up_without_a_review_is_refused(shopper: Account, staff: Account) -> None:
    order = receive_order(shopper, staff)

    with pytest.raises(ReviewRefused, match="请先评价"):
        review_follow_up(
            actor=shopper, order_no=order.order_no, order_line_id=order.lines.get().pk, text="好"
        )


def test_a_stranger_reads_no_name(shopper: Account, staff: Account) -> None:
    Account.objects.filter(pk=shopper.pk).update(nickname="李小龙")
    order = receive_order(shopper, staff)
    review(Order.objects.get(pk=order.pk), by=Account.objects.get(pk=shopper.pk))

    assert get_published(order).author_label == "李**"


def test_reviews_leave_the_books_right(shopper: Account, staff: Account) -> None:
    pens = ProductFactory(stock=100)
    for stars in (5, 2):
        review(receive_order(shopper, staff, (pens, 1)), stars)
    with platform_scope(reason="test"):
        assert list(list_differences()) == []
    assert PublishedReview.objects.count() == 2
