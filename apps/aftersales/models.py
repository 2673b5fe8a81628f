"""取消订单: a customer's request to cancel an order or a part of it, and the decision.

退货, 换货, 维修: the pieces of an order, the reason, the inspection and the result, with pictures,
messages and parcels. 售后政策: the time limits by category.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django_fsm import FSMField, transition

from apps.aftersales.enums import (
    CancelReason,
    CancelStatus,
    ParcelDirection,
    ReturnFinding,
    ReturnKind,
    ReturnReason,
    ReturnStatus,
    ReturnWay,
)
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.models.base import ThreadMessage
from apps.common.money import ZERO, MoneyField


class CancelOrder(TenantModel, TimeStampedModel):
    """A cancellation of pieces of one order, or of the whole order. The amounts (元, 含税) are
    those of the order before and after the cancellation. For a pending request they are an estimate
    from the time of the request; granting it computes them again.
    """

    cancel_no = models.CharField("取消单号", max_length=24, unique=True)
    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="cancellations", verbose_name="订单"
    )
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="申请人",
        help_text="空为系统",
    )
    status = FSMField(
        "状态",
        max_length=10,
        choices=CancelStatus.choices,
        default=CancelStatus.PENDING,
        protected=True,
    )
    reason_kind = models.CharField("取消原因", max_length=14, choices=CancelReason.choices)
    reason = models.CharField("补充说明", max_length=200, blank=True)
    is_whole = models.BooleanField("整单取消", default=False)
    goods_amount = MoneyField("取消商品金额（含税）", default=ZERO)
    freight_before = MoneyField("原运费（含税）", default=ZERO)
    freight_after = MoneyField("取消后运费（含税）", default=ZERO)
    total_before = MoneyField("原应付金额（含税）", default=ZERO)
    total_after = MoneyField("取消后应付金额（含税）", default=ZERO)
    refund_amount = MoneyField("退款金额", default=ZERO)
    submitted_at = models.DateTimeField("申请时间")
    decide_by = models.DateTimeField("处理时限", null=True, blank=True)
    reminded_at = models.DateTimeField("提醒时间", null=True, blank=True)
    decided_at = models.DateTimeField("处理时间", null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="处理人",
    )
    decision_note = models.CharField("处理说明", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "取消订单"
        verbose_name_plural = "取消订单"
        ordering = ["-submitted_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(status=CancelStatus.PENDING)
                | models.Q(decide_by__isnull=False),
                name="cancel_waits_with_an_end",
            ),
            models.CheckConstraint(
                condition=models.Q(total_after__lte=models.F("total_before")),
                name="cancel_never_dearer",
            ),
            # One pending request per order: a second one would change the amounts that the first
            # preview showed.
            models.UniqueConstraint(
                fields=["group", "order"],
                condition=models.Q(status=CancelStatus.PENDING),
                name="cancel_one_waits",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "order"], name="cancel_order_idx"),
            models.Index(fields=["group", "status", "-submitted_at"], name="cancel_status_idx"),
            models.Index(fields=["group", "-submitted_at", "-id"], name="cancel_newest_idx"),
            models.Index(fields=["status", "decide_by"], name="cancel_staff_idx"),
            # The list of the back office: pending by deadline, then decided, newest first.
            models.Index(fields=["decide_by", "-submitted_at", "-id"], name="cancel_office_idx"),
        ]

    def __str__(self) -> str:
        return self.cancel_no

    @transition(field=status, source=CancelStatus.PENDING, target=CancelStatus.DONE)
    def grant(self, *, at: Any) -> None:
        """The pieces are cancelled."""
        self.decided_at = at

    @transition(field=status, source=CancelStatus.PENDING, target=CancelStatus.REFUSED)
    def refuse(self, *, at: Any) -> None:
        """Staff refuse the request. The pieces can be shipped."""
        self.decided_at = at

    @transition(field=status, source=CancelStatus.PENDING, target=CancelStatus.WITHDRAWN)
    def withdraw(self, *, at: Any) -> None:
        """The customer withdraws the request."""
        self.decided_at = at


class CancelOrderLine(TenantModel):
    """The pieces of one order line in a cancellation, with their amount in 元, 含税. Each order
    line occurs once in a cancellation.
    """

    cancel_order = models.ForeignKey(
        CancelOrder, on_delete=models.PROTECT, related_name="lines", verbose_name="取消单"
    )
    order_line = models.ForeignKey(
        "orders.OrderLine",
        on_delete=models.PROTECT,
        related_name="cancel_lines",
        verbose_name="订单行",
    )
    quantity = models.PositiveIntegerField("取消数量")
    amount_incl_tax = MoneyField("金额（含税）")

    class Meta(TenantModel.Meta):
        verbose_name = "取消明细"
        verbose_name_plural = "取消明细"
        ordering = ["order_line__no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "cancel_order", "order_line"], name="cancelline_line_uniq"
            ),
            models.CheckConstraint(condition=models.Q(quantity__gte=1), name="cancelline_some"),
        ]

    def __str__(self) -> str:
        return f"{self.order_line_id} × {self.quantity}"


NOT_RECEIVED = (
    ReturnStatus.PENDING_REVIEW,
    ReturnStatus.PENDING_SEND,
    ReturnStatus.PENDING_RECEIPT,
)
ENDED = (ReturnStatus.REJECTED, ReturnStatus.WITHDRAWN, ReturnStatus.COMPLETED)


class ReturnOrder(TenantModel, TimeStampedModel):
    """A return, exchange or repair of received pieces of one order. Amounts are in 元, 含税, with
    two decimals; `paid_back` is the part of `refund_amount` that goes back to payments.

    `waiting_since` is the time of the last change of state, `due_at` the deadline of the
    next step. `refunded_at` is the time of the refund; statements use it as the date, with
    the accepted quantity, amount and tax of the lines.
    """

    return_no = models.CharField("售后单号", max_length=24, unique=True)
    order = models.ForeignKey(
        "orders.Order",
        on_delete=models.PROTECT,
        related_name="returns",
        verbose_name="订单",
        db_index=False,
    )
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人"
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )
    kind = models.CharField("方式", max_length=10, choices=ReturnKind.choices)
    status = FSMField(
        "状态",
        max_length=16,
        choices=ReturnStatus.choices,
        default=ReturnStatus.PENDING_REVIEW,
        protected=True,
    )
    reason = models.CharField("原因", max_length=12, choices=ReturnReason.choices)
    detail = models.CharField("问题描述", max_length=500, blank=True)
    way = models.CharField("退回方式", max_length=8, choices=ReturnWay.choices)
    video_url = models.URLField("视频链接", max_length=300, blank=True)
    contact = models.JSONField("联系人与取件地址", default=dict)
    send_to = models.CharField("寄回地址", max_length=200, blank=True)
    close_reason = models.CharField("驳回或撤销原因", max_length=200, blank=True)
    refund_amount = MoneyField("退款金额（含税）", default=ZERO)
    paid_back = MoneyField("其中退回已付款", default=ZERO)
    waits_red = models.BooleanField("等待红冲", default=False)
    refunder = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="退款经办人",
    )

    submitted_at = models.DateTimeField("申请时间")
    approved_at = models.DateTimeField("审核时间", null=True, blank=True)
    received_at = models.DateTimeField("收货时间", null=True, blank=True)
    inspected_at = models.DateTimeField("检测时间", null=True, blank=True)
    refunded_at = models.DateTimeField("退款时间", null=True, blank=True)
    completed_at = models.DateTimeField("完成时间", null=True, blank=True)
    waiting_since = models.DateTimeField("进入当前状态时间")
    due_at = models.DateTimeField("本步骤期限", null=True, blank=True)
    reminded_at = models.DateTimeField("提醒时间", null=True, blank=True)
    customer_unread = models.PositiveSmallIntegerField("客户未读", default=0)
    staff_unread = models.PositiveSmallIntegerField("客服未读", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "退换货"
        verbose_name_plural = "退换货"
        permissions = [("refund_returnorder", "退款")]
        ordering = ["-submitted_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(refund_amount__gte=0), name="returnorder_refund_not_negative"
            )
        ]
        indexes = [
            models.Index(fields=["group", "order"], name="returnorder_order_idx"),
            models.Index(
                fields=["group", "requester", "-submitted_at"], name="returnorder_requester_idx"
            ),
            models.Index(
                fields=["group", "enterprise", "department", "-submitted_at"],
                name="returnorder_place_idx",
            ),
            models.Index(
                fields=["group", "status", "-submitted_at"], name="returnorder_status_idx"
            ),
            models.Index(fields=["status", "due_at"], name="returnorder_due_idx"),
            models.Index(
                fields=["group", "enterprise", "refunded_at"], name="returnorder_refunded_idx"
            ),
        ]

    def __str__(self) -> str:
        return self.return_no

    @transition(field=status, source=ReturnStatus.PENDING_REVIEW, target=ReturnStatus.PENDING_SEND)
    def approve(self, *, at: Any) -> None:
        """Staff approve the request. The goods have to come back."""
        self.approved_at = at

    @transition(field=status, source=ReturnStatus.PENDING_REVIEW, target=ReturnStatus.PROCESSING)
    def approve_without_goods(self, *, at: Any) -> None:
        """Staff approve the request. No goods have to come back."""
        self.approved_at = at

    @transition(field=status, source=ReturnStatus.PENDING_REVIEW, target=ReturnStatus.REJECTED)
    def reject(self, *, reason: str) -> None:
        """Staff reject the request."""
        self.close_reason = reason

    @transition(field=status, source=list(NOT_RECEIVED), target=ReturnStatus.WITHDRAWN)
    def withdraw(self, *, reason: str) -> None:
        """The customer withdraws the request, or has not sent the goods in time."""
        self.close_reason = reason

    @transition(field=status, source=ReturnStatus.PENDING_SEND, target=ReturnStatus.PENDING_RECEIPT)
    def send_back(self) -> None:
        """The goods are in transit to the mall."""

    @transition(field=status, source=ReturnStatus.PENDING_RECEIPT, target=ReturnStatus.INSPECTING)
    def receive(self, *, at: Any) -> None:
        """The mall has received the goods."""
        self.received_at = at

    @transition(field=status, source=ReturnStatus.INSPECTING, target=ReturnStatus.PROCESSING)
    def inspect(self, *, at: Any) -> None:
        """The accepted quantities are known."""
        self.inspected_at = at

    @transition(field=status, source=ReturnStatus.PROCESSING, target=ReturnStatus.PENDING_CONFIRM)
    def settle(self) -> None:
        """The goods are refunded, replaced or repaired. The customer has to confirm."""

    @transition(field=status, source=ReturnStatus.PENDING_CONFIRM, target=ReturnStatus.COMPLETED)
    def complete(self, *, at: Any) -> None:
        """The customer has confirmed, or the time limit has passed."""
        self.completed_at = at


class ReturnLine(TenantModel):
    """The pieces of one order line in a return. The inspection sets `accepted_quantity`. The refund
    sets amount and tax of the accepted pieces.
    """

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name="售后单",
        db_index=False,
    )
    order_line = models.ForeignKey(
        "orders.OrderLine",
        on_delete=models.PROTECT,
        related_name="return_lines",
        verbose_name="订单行",
    )
    no = models.PositiveSmallIntegerField("行号")
    quantity = models.PositiveIntegerField("申请数量")
    is_opened = models.BooleanField("已拆封", default=False)
    accepted_quantity = models.PositiveIntegerField("通过数量", null=True, blank=True)
    finding = models.CharField("检测结果", max_length=12, choices=ReturnFinding.choices, blank=True)
    finding_note = models.CharField("检测说明", max_length=200, blank=True)
    to_shelf = models.BooleanField("可再次销售", default=False)
    amount_incl_tax = MoneyField("退款金额（含税）", default=ZERO)
    tax_amount = MoneyField("其中税额", default=ZERO)

    class Meta(TenantModel.Meta):
        verbose_name = "售后明细"
        verbose_name_plural = "售后明细"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "return_order", "no"], name="returnline_no_uniq"
            ),
            models.UniqueConstraint(
                fields=["group", "return_order", "order_line"], name="returnline_line_uniq"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gte=1)
                & (Q(accepted_quantity__isnull=True) | Q(accepted_quantity__lte=F("quantity"))),
                name="returnline_accepted_within",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order_line_id} × {self.quantity}"


class ReturnMessage(ThreadMessage):
    """A message of the customer or the staff about a return."""

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="messages",
        verbose_name="售后单",
        db_index=False,
    )

    class Meta(ThreadMessage.Meta):
        verbose_name = "售后留言"
        verbose_name_plural = "售后留言"
        indexes = [
            models.Index(fields=["group", "return_order", "sent_at"], name="returnmessage_idx")
        ]


class ReturnPicture(TenantModel):
    """A picture of the application or of a message."""

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="pictures",
        verbose_name="售后单",
        db_index=False,
    )
    message = models.ForeignKey(
        ReturnMessage,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="pictures",
        verbose_name="留言",
    )
    no = models.PositiveSmallIntegerField("序号")
    file = models.ForeignKey(
        "common.StoredFile", on_delete=models.PROTECT, related_name="+", verbose_name="图片"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "售后凭证"
        verbose_name_plural = "售后凭证"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "return_order", "no"], name="returnpicture_no_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.no}"


class ReturnParcel(TenantModel):
    """A parcel in either direction. Its tracking is looked up by carrier and number."""

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="parcels",
        verbose_name="售后单",
        db_index=False,
    )
    direction = models.CharField("方向", max_length=8, choices=ParcelDirection.choices)
    carrier = models.CharField("承运商", max_length=40)
    tracking_no = models.CharField("运单号", max_length=60)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="登记人"
    )
    sent_at = models.DateTimeField("寄出时间")

    class Meta(TenantModel.Meta):
        verbose_name = "售后包裹"
        verbose_name_plural = "售后包裹"
        ordering = ["sent_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "return_order", "direction"], name="returnparcel_direction_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.carrier} {self.tracking_no}"


class ReturnPolicy(models.Model):
    """The policy of the product's nearest category applies. A policy without a category is the
    default. 0 days: not offered.
    """

    category = models.ForeignKey(
        "catalog.Category",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="类目",
        help_text="空着表示其他类目",
    )
    kind = models.CharField("方式", max_length=10, choices=ReturnKind.choices)
    days = models.PositiveSmallIntegerField(
        "一般期限（天）", help_text="签收后多少天内可以申请；0 表示不提供"
    )
    quality_days = models.PositiveSmallIntegerField(
        "质量问题期限（天）", help_text="质量问题在签收后多少天内可以申请；0 表示不提供"
    )
    takes_opened = models.BooleanField(
        "拆封后也可",
        default=True,
        help_text="不勾选时，已拆封的商品只有质量问题、破损、少件、发错才受理",
    )
    note = models.CharField("说明", max_length=200, blank=True, help_text="客户申请时会看到")

    class Meta:
        verbose_name = "售后政策"
        verbose_name_plural = "售后政策"
        ordering = ["category__level", "category", "kind"]
        constraints = [
            models.UniqueConstraint(
                fields=["category", "kind"], name="returnpolicy_category_kind_uniq"
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=models.Q(category__isnull=True),
                name="returnpolicy_others_kind_uniq",
                violation_error_message="其他类目已有这种售后的规则",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category or '其他类目'} {self.get_kind_display()}"
