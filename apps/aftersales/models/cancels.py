"""取消订单: a customer's request to cancel an order or a part of it, and the decision."""

from typing import Any

from django.conf import settings
from django.db import models
from django_fsm import FSMField, transition

from apps.aftersales.enums import CancelReason, CancelStatus
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField

S = CancelStatus


class CancelOrder(TenantModel, TimeStampedModel):
    """The amounts are those of the order before and after the cancellation. For a pending request
    they are an estimate from the time of the request; granting it computes them again.
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
                condition=~models.Q(status=S.PENDING) | models.Q(decide_by__isnull=False),
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
                condition=models.Q(status=S.PENDING),
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

    @transition(field=status, source=S.PENDING, target=S.DONE)
    def grant(self, *, at: Any) -> None:
        """The pieces are cancelled."""
        self.decided_at = at

    @transition(field=status, source=S.PENDING, target=S.REFUSED)
    def refuse(self, *, at: Any) -> None:
        """Staff refuse the request. The pieces can be shipped."""
        self.decided_at = at

    @transition(field=status, source=S.PENDING, target=S.WITHDRAWN)
    def withdraw(self, *, at: Any) -> None:
        """The customer withdraws the request."""
        self.decided_at = at


class CancelOrderLine(TenantModel):
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
