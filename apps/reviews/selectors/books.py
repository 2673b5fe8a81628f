"""Check that published reviews match their originals, and that ratings match the published
reviews.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Sum

from apps.catalog.models import Product
from apps.common.books import Difference, iterate_batches
from apps.orders.models import Order
from apps.reviews.enums import ReviewState
from apps.reviews.models import PUBLIC_FIELDS, OrderReview, PublishedReview, author_label


def review_differences() -> Iterator[Difference]:
    """Yield each wrong public copy, each wrong rating, and each order with a wrong review
    period.
    """
    for reviews in iterate_batches(OrderReview.objects.select_related("author")):
        published = {
            row.review_id: row
            for row in PublishedReview.objects.filter(review__in=[review.pk for review in reviews])
        }
        for review in reviews:
            yield from _compare_publication(review, published.get(review.pk))
    for products in iterate_batches(
        Product.objects.only("pk", "code", "rating_count", "rating_stars")
    ):
        yield from _compare_ratings(products)
    for orders in iterate_batches(
        Order.objects.filter(review_until__isnull=False).only("pk", "order_no")
    ):
        yield from _check_review_periods(orders)


def _compare_publication(
    review: OrderReview, published: PublishedReview | None
) -> Iterator[Difference]:
    """Compare a review with its published copy; None means that there is none."""
    subject = f"评价 {review.pk}"
    is_shown = review.state == ReviewState.SHOWN
    if is_shown != (published is not None):
        yield Difference(
            subject=subject,
            figure="展示",
            stored="展示" if published else "未展示",
            facts=review.get_state_display(),
        )
    if published is None or not is_shown:
        return
    wrong = [name for name in PUBLIC_FIELDS if getattr(review, name) != getattr(published, name)]
    for name in wrong:
        yield Difference(
            subject=subject,
            figure=f"公开内容 {name}",
            stored=getattr(published, name),
            facts=getattr(review, name),
        )
    # The nickname may have changed since. Only a published name of an anonymous author is wrong.
    if (published.author_label == author_label(review)) or not review.is_anonymous:
        return
    yield Difference(
        subject=subject,
        figure="公开的评价人",
        stored=published.author_label,
        facts=author_label(review),
    )


def _compare_ratings(products: list[Product]) -> Iterator[Difference]:
    """Compare the stored number and sum of stars of each product with its published reviews."""
    rows = PublishedReview.objects.filter(
        product__in=[product.pk for product in products]
    ).order_by()
    totals = {
        pk: (count, stars)
        for pk, count, stars in rows.values_list("product_id").annotate(
            count=Count("pk"), total=Sum("stars")
        )
    }
    for product in products:
        count, stars = totals.get(product.pk, (0, 0))
        if product.rating_count != count:
            yield Difference(
                subject=f"商品 {product.code}",
                figure="评价数",
                stored=product.rating_count,
                facts=count,
            )
        if product.rating_stars != stars:
            yield Difference(
                subject=f"商品 {product.code}",
                figure="星级合计",
                stored=product.rating_stars,
                facts=stars,
            )


def _check_review_periods(orders: list[Order]) -> Iterator[Difference]:
    """Check that an order with an open review period has a received line without a review."""
    keys = [order.pk for order in orders]
    received = Order.objects.filter(pk__in=keys, lines__received_quantity__gt=0).order_by()
    lines = dict(received.values_list("pk").annotate(number=Count("lines")))
    reviewed = dict(
        OrderReview.objects.filter(order__in=keys)
        .order_by()
        .values_list("order_id")
        .annotate(number=Count(F("pk")))
    )
    for order in orders:
        if lines.get(order.pk, 0) <= reviewed.get(order.pk, 0):
            yield Difference(
                subject=f"订单 {order.order_no}",
                figure="待评价",
                stored="待评价",
                facts="没有待评价的商品",
            )
