"""意向商品询价: the request of a customer for products that the catalogue does not show, the quote,
and the messages.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django_fsm import FSMField, transition

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.models.base import ThreadMessage
from apps.common.money import MoneyField
from apps.inquiries.enums import InquiryStatus

S = InquiryStatus


class ProductInquiry(TenantModel, TimeStampedModel):
    """`customer_unread` and `staff_unread` count messages and events of the other side since
    the last time this side read the inquiry.
    """

    inquiry_no = models.CharField("询价单号", max_length=24, unique=True)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="询价人"
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )
    status = FSMField(
        "状态",
        max_length=10,
        choices=InquiryStatus.choices,
        default=InquiryStatus.PENDING,
        protected=True,
    )
    category = models.ForeignKey(
        "catalog.Category",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="意向分类",
    )
    need_by = models.DateField("期望到货日", null=True, blank=True)
    remark = models.CharField("补充说明", max_length=500, blank=True)
    submitted_at = models.DateTimeField("询价时间")
    waiting_since = models.DateTimeField("等待报价自")
    quoted_at = models.DateTimeField("报价时间", null=True, blank=True)
    valid_to = models.DateField("报价有效期至", null=True, blank=True)
    quote_note = models.CharField("报价说明", max_length=500, blank=True)
    close_reason = models.CharField("关闭原因", max_length=200, blank=True)
    customer_unread = models.PositiveSmallIntegerField("客户未读", default=0)
    staff_unread = models.PositiveSmallIntegerField("客服未读", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "意向商品询价"
        verbose_name_plural = "意向商品询价"
        ordering = ["-submitted_at", "-id"]
        permissions = [("quote_productinquiry", "报价、回复和关闭询价")]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(status=S.QUOTED) | models.Q(valid_to__isnull=False),
                name="inquiry_quote_has_an_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["group", "requester", "-submitted_at"], name="inquiry_requester_idx"
            ),
            models.Index(
                fields=["group", "enterprise", "department", "-submitted_at"],
                name="inquiry_place_idx",
            ),
            models.Index(fields=["group", "status", "-submitted_at"], name="inquiry_status_idx"),
            models.Index(fields=["status", "waiting_since"], name="inquiry_staff_idx"),
        ]

    def __str__(self) -> str:
        return self.inquiry_no

    @transition(field=status, source=S.PENDING, target=S.QUOTED)
    def quote(self, *, at: Any) -> None:
        """Transition: staff quote products and prices until a last day."""
        self.quoted_at = at

    @transition(field=status, source=S.QUOTED, target=S.ADOPTED)
    def adopt(self) -> None:
        """Transition: the customer adds the quoted products to the cart."""

    @transition(field=status, source=[S.PENDING, S.QUOTED], target=S.CLOSED)
    def close(self, *, reason: str) -> None:
        """Transition: the customer withdraws the inquiry, staff decline it, or its quote
        expires.
        """
        self.close_reason = reason

    @transition(field=status, source=[S.QUOTED, S.CLOSED], target=S.PENDING)
    def ask_again(self, *, at: Any) -> None:
        """Transition: the customer requests another quote."""
        self.waiting_since, self.close_reason = at, ""


class ProductInquiryLine(TenantModel):
    """A requested line and, once quoted, its product and price. `price_before` is the
    customer's price before the quote. Prices are in 元 含税.
    """

    inquiry = models.ForeignKey(
        ProductInquiry,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name="询价单",
        db_index=False,
    )
    no = models.PositiveSmallIntegerField("行号")
    name = models.CharField("意向商品", max_length=120)
    spec = models.CharField("规格要求", max_length=300, blank=True)
    quantity = models.PositiveIntegerField("数量")
    unit = models.CharField("单位", max_length=10)
    target_price = MoneyField("目标单价（含税）", null=True, blank=True)
    product = models.ForeignKey(
        "catalog.Product",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="报价商品",
        db_index=False,
    )
    quoted_price = MoneyField("报价（含税）", null=True, blank=True)
    price_before = MoneyField("报价前价格（含税）", null=True, blank=True)
    price_item = models.ForeignKey(
        "pricing.PriceListItem",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="专属价",
    )
    note = models.CharField("报价备注", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "询价明细"
        verbose_name_plural = "询价明细"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(fields=["group", "inquiry", "no"], name="inquiryline_no_uniq"),
            models.CheckConstraint(
                condition=models.Q(quantity__gte=1), name="inquiryline_quantity_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(product__isnull=True, quoted_price__isnull=True)
                | models.Q(product__isnull=False, quoted_price__gte=0, quoted_price__isnull=False),
                name="inquiryline_product_has_price",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.no} {self.name}"


class ProductInquiryPicture(TenantModel):
    """A picture that the requester attached to an inquiry, in the order of `no`. The file is
    private.
    """

    inquiry = models.ForeignKey(
        ProductInquiry,
        on_delete=models.CASCADE,
        related_name="pictures",
        verbose_name="询价单",
        db_index=False,
    )
    no = models.PositiveSmallIntegerField("序号")
    file = models.ForeignKey(
        "common.StoredFile", on_delete=models.PROTECT, related_name="+", verbose_name="图片"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "询价图片"
        verbose_name_plural = "询价图片"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "inquiry", "no"], name="inquirypicture_no_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.no}"


class ProductInquiryMessage(ThreadMessage):
    """A message of the customer or of the staff."""

    inquiry = models.ForeignKey(
        ProductInquiry,
        on_delete=models.CASCADE,
        related_name="messages",
        verbose_name="询价单",
        db_index=False,
    )

    class Meta(ThreadMessage.Meta):
        verbose_name = "询价留言"
        verbose_name_plural = "询价留言"
        indexes = [models.Index(fields=["group", "inquiry", "sent_at"], name="inquirymessage_idx")]
