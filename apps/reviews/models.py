"""评价: the review of a received order line, and its public copy."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel
from apps.common.models.base import get_loaded_relation
from apps.reviews.enums import ReviewState, ReviewTag

MAX_TEXT = 500

PUBLIC_FIELDS = (
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


def join_tags(codes: list[str]) -> str:
    """Return tags in their stored form "|quality|fast|", so that one LIKE condition finds a tag."""
    return f"|{'|'.join(codes)}|" if codes else ""


class _ReviewContent(models.Model):
    """Stars, tags and text of a review, its 追评, and the reply of the staff."""

    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    stars = models.PositiveSmallIntegerField("星级")
    tags = models.CharField("标签", max_length=200, blank=True)
    text = models.CharField("评价", max_length=MAX_TEXT, blank=True)
    written_at = models.DateTimeField("评价时间")
    follow_text = models.CharField("追评", max_length=MAX_TEXT, blank=True)
    followed_at = models.DateTimeField("追评时间", null=True, blank=True)
    reply_text = models.CharField("商家回复", max_length=MAX_TEXT, blank=True)
    replied_at = models.DateTimeField("回复时间", null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def tag_codes(self) -> list[str]:
        """Return the codes of the tags, in the chosen order."""
        return [code for code in self.tags.split("|") if code]

    @property
    def tag_names(self) -> list[str]:
        """Return the names of the tags."""
        return [ReviewTag(code).label for code in self.tag_codes]


class OrderReview(TenantModel, _ReviewContent):
    """The review of an order line, at most one per line. `checked_at` is the last check by
    staff, null while the review waits for one.
    """

    order = models.ForeignKey(
        "orders.Order",
        on_delete=models.PROTECT,
        related_name="reviews",
        verbose_name="订单",
        db_index=False,
    )
    order_line = models.ForeignKey(
        "orders.OrderLine",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="订单行",
        db_index=False,
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="评价人"
    )
    is_anonymous = models.BooleanField("匿名", default=False)
    edited_at = models.DateTimeField("修改时间", null=True, blank=True)
    state = models.CharField(
        "状态", max_length=6, choices=ReviewState.choices, default=ReviewState.SHOWN
    )
    hidden_reason = models.CharField("隐藏原因", max_length=200, blank=True)
    checked_at = models.DateTimeField("查看时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "商品评价"
        verbose_name_plural = "商品评价"
        ordering = ["-written_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "order_line"], name="orderreview_line_uniq"),
            models.CheckConstraint(
                condition=Q(stars__gte=1, stars__lte=5), name="orderreview_stars_one_to_five"
            ),
        ]
        indexes = [
            models.Index(fields=["group", "order"], name="orderreview_order_idx"),
            models.Index(fields=["product"], name="orderreview_product_idx"),
            # The reviews that wait for staff, over all groups.
            models.Index(
                fields=["written_at"],
                condition=Q(checked_at__isnull=True),
                name="orderreview_waiting_idx",
            ),
        ]

    def __str__(self) -> str:
        line = get_loaded_relation(self, "order_line")
        return f"{line.name} {self.get_stars()}" if line else f"评价 {self.pk} {self.get_stars()}"

    def get_stars(self) -> str:
        """Return the stars as text for the lists of the staff."""
        return "★" * self.stars + "☆" * (5 - self.stars)


class ReviewPicture(TenantModel):
    """A picture of a review, or of its 追评."""

    review = models.ForeignKey(
        OrderReview,
        on_delete=models.CASCADE,
        related_name="pictures",
        verbose_name="评价",
        db_index=False,
    )
    is_follow_up = models.BooleanField("追评", default=False)
    no = models.PositiveSmallIntegerField("序号")
    file = models.ForeignKey(
        "common.StoredFile", on_delete=models.PROTECT, related_name="+", verbose_name="图片"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "评价图片"
        verbose_name_plural = "评价图片"
        ordering = ["is_follow_up", "no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "review", "is_follow_up", "no"], name="reviewpicture_no_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.no}"


class PublishedReview(_ReviewContent):
    """The public copy of a shown review. It has no group and no order, and the name of the
    author is masked.
    """

    review = models.OneToOneField(
        OrderReview, on_delete=models.CASCADE, related_name="+", verbose_name="评价"
    )
    author_label = models.CharField("评价人", max_length=20)
    has_pictures = models.BooleanField("有图", default=False)

    class Meta:
        verbose_name = "公开的评价"
        verbose_name_plural = "公开的评价"
        ordering = ["-written_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(stars__gte=1, stars__lte=5), name="publishedreview_stars_one_to_five"
            )
        ]
        indexes = [
            models.Index(
                fields=["product", "-written_at", "-id"], name="publishedreview_newest_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.author_label} {self.stars}"


class PublishedPicture(models.Model):
    """A picture of a published review. Its URL has a random token and reveals no customer."""

    published = models.ForeignKey(
        PublishedReview, on_delete=models.CASCADE, related_name="pictures", verbose_name="评价"
    )
    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_follow_up = models.BooleanField("追评", default=False)
    no = models.PositiveSmallIntegerField("序号")
    path = models.CharField("路径", max_length=200)
    content_type = models.CharField("类型", max_length=80)

    class Meta:
        verbose_name = "公开的评价图片"
        verbose_name_plural = "公开的评价图片"
        ordering = ["is_follow_up", "no"]

    def __str__(self) -> str:
        return str(self.token)

    @property
    def name(self) -> str:
        """Return a neutral file name, because the original name belongs to the customer."""
        return f"评价图片-{self.no}"


def format_author(review: OrderReview) -> str:
    """Return the author's public name: the first character of the nickname, or 匿名用户."""
    return ANONYMOUS if review.is_anonymous else f"{review.author.nickname[:1]}**"
