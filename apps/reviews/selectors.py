"""商品评价: the reviews of the received lines of an order for their author and for staff, the
published reviews of a product, and their reconciliation.

Colleagues of an author also see the author's name.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from apps.catalog.errors import ProductNotFound
from apps.catalog.models import Product
from apps.common.books import Difference, iterate_batches
from apps.orders.errors import OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import list_visible_orders, may_be_reviewed
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from apps.reviews.enums import ReviewAction, ReviewKind, ReviewState, ReviewTag
from apps.reviews.errors import ReviewNotFound
from apps.reviews.models import (
    PUBLIC_FIELDS,
    OrderReview,
    PublishedPicture,
    PublishedReview,
    format_author,
    join_tags,
)

if TYPE_CHECKING:
    from apps.org.models import Account

# A review with this many stars or fewer needs a reply.
POOR = 3


@dataclass(frozen=True, slots=True)
class ReviewedLine:
    """A received line. `review` is None if there is none, or if a colleague wrote it
    anonymously.
    """

    line: OrderLine
    review: OrderReview | None
    is_reviewed: bool
    actions: tuple[str, ...]
    edit_until: datetime | None = None
    follow_up_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class OrderReviews:
    order: Order
    lines: tuple[ReviewedLine, ...]


def get_order_reviews(*, actor: Account, order_no: str) -> OrderReviews:
    """Return the received lines of an order that the actor may see, each with its review. Five
    queries for any number of lines.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
    """
    order = list_visible_orders(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    rows = (
        OrderReview.objects.filter(order=order)
        .select_related("author")
        .prefetch_related("pictures__file")
    )
    reviews = {review.order_line_id: review for review in rows}
    is_own = may_change(actor=actor, order=order) and actor.impersonator is None
    lines = order.lines.filter(received_quantity__gt=0).order_by("no")
    return OrderReviews(
        order,
        tuple(
            _build_reviewed_line(
                actor=actor, order=order, line=line, review=reviews.get(line.pk), is_own=is_own
            )
            for line in lines
        ),
    )


def _build_reviewed_line(
    actor: Account, order: Order, line: OrderLine, review: OrderReview | None, *, is_own: bool
) -> ReviewedLine:
    """Return the line with its review and what the actor can do with it now. The review is
    hidden if a colleague wrote it anonymously.
    """
    if review is None:
        may_write = is_own and may_be_reviewed(order)
        return ReviewedLine(
            line=line,
            review=None,
            is_reviewed=False,
            actions=(ReviewAction.WRITE.value,) if may_write else (),
        )
    if review.author_id != actor.pk:
        return ReviewedLine(
            line=line, review=None if review.is_anonymous else review, is_reviewed=True, actions=()
        )
    offered = (
        {
            ReviewAction.EDIT: explain_edit_refusal(review),
            ReviewAction.FOLLOW_UP: explain_follow_up_refusal(review),
        }
        if is_own
        else {}
    )
    actions = tuple(action.value for action, why_not in offered.items() if not why_not)
    return ReviewedLine(
        line=line,
        review=review,
        is_reviewed=True,
        actions=actions,
        edit_until=compute_edit_deadline(review.written_at),
        follow_up_until=follow_up_deadline(review.written_at),
    )


def compute_edit_deadline(written_at: datetime) -> datetime:
    """Return the end of the period in which the author may change a review."""
    return written_at + timedelta(days=settings.REVIEW_EDIT_DAYS)


def follow_up_deadline(written_at: datetime) -> datetime:
    """Return the end of the period in which the author may add a follow-up review."""
    return written_at + timedelta(days=settings.REVIEW_DAYS)


def explain_edit_refusal(review: OrderReview) -> str:
    """Return the reason why the author may not change the review. Empty if the change is
    allowed.
    """
    if review.followed_at is not None:
        return "已追加评价，不能再修改"
    if review.replied_at is not None:
        return "商家已回复，不能再修改，您可以追加评价"
    if compute_edit_deadline(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_EDIT_DAYS} 天，不能再修改，您可以追加评价"
    return ""


def explain_follow_up_refusal(review: OrderReview) -> str:
    """Return the reason why the author may not follow up the review. Empty if a follow-up is
    allowed.
    """
    if review.followed_at is not None:
        return "已追加过评价，每件商品只能追加一次"
    if follow_up_deadline(review.written_at) <= timezone.now():
        return f"评价发表满 {settings.REVIEW_DAYS} 天，不能再追加"
    return ""


def list_unchecked_reviews() -> QuerySet[OrderReview]:
    """Return the reviews that staff have not checked since they were written, changed or followed
    up. Covers all groups. The caller must open the platform scope.
    """
    reviews: QuerySet[OrderReview] = OrderReview.objects.filter(checked_at__isnull=True)
    return reviews


def build_unanswered_condition() -> Q:
    """Return the condition of a poor review without a reply."""
    return Q(stars__lte=POOR, replied_at__isnull=True)


STARS = (5, 4, 3, 2, 1)
KINDS: dict[str, Q] = {
    ReviewKind.PICTURES: Q(has_pictures=True),
    ReviewKind.FOLLOW_UP: Q(followed_at__isnull=False),
}


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """The number of reviews in total, by stars, by kind and by tag. `average` has one decimal
    place and is None without reviews.
    """

    count: int
    average: Decimal | None
    stars: dict[int, int]
    kinds: dict[str, int]
    tags: dict[str, int]


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """The filter of the reviews. `stars` 0 means any."""

    stars: int = 0
    kind: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class ProductReviews:
    summary: ReviewSummary
    rows: QuerySet[PublishedReview]


@dataclass(frozen=True, slots=True)
class VisibleReview:
    """A published review. `author` is the name that the reader may see. `is_own`: the reader is
    the author.
    """

    published: PublishedReview
    author: str
    is_own: bool = False
    pictures: list[PublishedPicture] = field(default_factory=list)


def get_product_reviews(
    *, actor: Account | None, code: str, filters: ReviewFilter
) -> ProductReviews:
    """Return the filtered reviews of the product, newest first, with the summary of all its
    reviews. Three queries besides the rows.

    Raises:
        ProductNotFound: the actor cannot see a product with this code.
    """
    offer = get_offers_by_code(context=get_catalogue_context(actor=actor), codes=[code]).get(code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    reviews = PublishedReview.objects.filter(product_id=offer.product.pk)
    rows = reviews.filter(stars=filters.stars) if filters.stars else reviews
    if filters.kind:
        rows = rows.filter(KINDS[filters.kind])
    if filters.tag:
        rows = rows.filter(_build_tag_condition(filters.tag))
    return ProductReviews(
        _summarize_reviews(reviews, offer.product.rating), rows.prefetch_related("pictures")
    )


def list_visible_reviews(
    *, actor: Account | None, rows: Iterable[PublishedReview]
) -> list[VisibleReview]:
    """Return the rows with their authors. A colleague who is not anonymous appears by name, all
    others masked. One query.
    """
    published = list(rows)
    review_by_id: dict[int, OrderReview] = {}
    if actor is not None:
        reviews_of_group = OrderReview.objects.filter(
            pk__in=[row.review_id for row in published]
        ).select_related("author__department")
        review_by_id = {review.pk: review for review in reviews_of_group}
    return [_build_visible_review(row, review_by_id.get(row.review_id), actor) for row in published]


def _build_visible_review(
    row: PublishedReview, review: OrderReview | None, actor: Account | None
) -> VisibleReview:
    """Return a published review as this reader sees it. `review`: the original, if the reader is
    of the author's group; then the name is shown unless it is anonymous.
    """
    author = row.author_label
    if review is not None and not review.is_anonymous:
        department = review.author.department
        author = (
            f"{review.author.nickname}（{department.name}）"
            if department
            else review.author.nickname
        )
    is_own = review is not None and actor is not None and review.author_id == actor.pk
    return VisibleReview(
        published=row, author=author, is_own=is_own, pictures=list(row.pictures.all())
    )


def get_published_picture(*, token: uuid.UUID) -> PublishedPicture:
    """Return the picture of a shown review.

    Raises:
        ReviewNotFound: there is none, or its review is hidden or was changed.
    """
    picture = PublishedPicture.objects.filter(token=token).first()
    if picture is None:
        raise ReviewNotFound
    return picture


def _build_tag_condition(tag: str) -> Q:
    return Q(tags__contains=join_tags([tag]))


def _summarize_reviews(
    reviews: QuerySet[PublishedReview], average: Decimal | None
) -> ReviewSummary:
    """Return the numbers of the reviews in total, by stars, by kind and by tag, the most
    frequent tag first.
    """
    counts = reviews.order_by().aggregate(
        count=Count("pk"),
        **{f"stars_{stars}": Count("pk", filter=Q(stars=stars)) for stars in STARS},
        **{f"kind_{kind}": Count("pk", filter=condition) for kind, condition in KINDS.items()},
        **{f"tag_{tag}": Count("pk", filter=_build_tag_condition(tag)) for tag in ReviewTag.values},
    )
    tags = {tag: counts[f"tag_{tag}"] for tag in ReviewTag.values if counts[f"tag_{tag}"]}
    return ReviewSummary(
        count=counts["count"],
        average=average,
        stars={stars: counts[f"stars_{stars}"] for stars in STARS},
        kinds={kind: counts[f"kind_{kind}"] for kind in KINDS},
        tags=dict(sorted(tags.items(), key=lambda row: -row[1])),
    )


def find_review_differences() -> Iterator[Difference]:
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
    differing_fields = [
        name for name in PUBLIC_FIELDS if getattr(review, name) != getattr(published, name)
    ]
    for name in differing_fields:
        yield Difference(
            subject=subject,
            figure=f"公开内容 {name}",
            stored=getattr(published, name),
            facts=getattr(review, name),
        )
    # The nickname may have changed since. Only a published name of an anonymous author is wrong.
    if (published.author_label == format_author(review)) or not review.is_anonymous:
        return
    yield Difference(
        subject=subject,
        figure="公开的评价人",
        stored=published.author_label,
        facts=format_author(review),
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
