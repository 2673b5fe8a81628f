"""Report facts with their sums per order, basis and day; exports that a worker writes; saved views
with their subscriptions, sends and letters.
"""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.days import format_moment
from apps.common.models import StoredFile, TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.orders.enums import OrderStatus, PaymentKind
from apps.reports.enums import (
    EXPORT_KINDS,
    OPEN_EXPORTS,
    Basis,
    ExportState,
    FactKind,
    Frequency,
    LetterState,
    ReportName,
    SendState,
    Shift,
)
from apps.reports.schedule import Schedule


def build_unconstrained_key(to: str, name: str, *, null: bool = False) -> Any:
    """Return a foreign key without a database constraint. Facts can be rebuilt at any time, so
    they never block a write to the referenced row.
    """
    return models.ForeignKey(
        to,
        null=null,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
        verbose_name=name,
    )


class OrderColumns(TenantModel):
    """The order's columns have the same values on all facts of an order, because one service
    writes all facts of an order together.
    """

    basis = models.CharField("口径", max_length=8, choices=Basis.choices)
    # In Asia/Shanghai, so that both databases group the same days into a month.
    day = models.DateField("日期")

    order = build_unconstrained_key("orders.Order", "订单")
    enterprise = build_unconstrained_key("org.Enterprise", "企业")
    department = build_unconstrained_key("org.Department", "部门", null=True)
    requester = build_unconstrained_key(settings.AUTH_USER_MODEL, "采购人")
    budget = build_unconstrained_key("budgets.Budget", "预算", null=True)
    order_status = models.CharField("订单状态", max_length=20, choices=OrderStatus.choices)
    payment_kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    purchase_order_no = models.CharField("采购单号", max_length=60, blank=True)
    cost_center = models.CharField("成本中心", max_length=60, blank=True)

    quantity = models.IntegerField("数量")
    amount = MoneyField("金额（含税）")
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        abstract = True


class ReportFact(OrderColumns):
    """`services/facts.py` writes the facts. A reversal is a negative fact on its own day.
    Freight has no order line and no product.
    """

    kind = models.CharField("类型", max_length=18, choices=FactKind.choices)
    source_id = models.BigIntegerField("来源编号")
    # `day` is the date of this time.
    at = models.DateTimeField("发生时间")

    order_line = build_unconstrained_key("orders.OrderLine", "订单行", null=True)
    product = build_unconstrained_key("catalog.Product", "商品", null=True)

    # Categories of the order line; 0 if there is none.
    category_id_l1 = models.BigIntegerField("一级类目", default=0)
    category_id_l2 = models.BigIntegerField("二级类目", default=0)
    category_id_l3 = models.BigIntegerField("三级类目", default=0)

    class Meta(OrderColumns.Meta):
        abstract = False
        verbose_name = "报表事实"
        verbose_name_plural = "报表事实"
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "kind", "source_id"], name="reportfact_once")
        ]
        indexes = [
            models.Index(fields=["group", "order"], name="reportfact_order_idx"),
            # Covering index: databases with INCLUDE sum the goods of a period without reading
            # the table.
            models.Index(
                fields=["group", "basis", "-day", "-id"],
                include=["product", "category_id_l1", "amount", "tax_amount", "quantity"],
                name="reportfact_day_goods_idx",
            ),
            models.Index(
                fields=["group", "product", "basis", "-day"], name="reportfact_product_idx"
            ),
            models.Index(
                fields=["group", "department", "basis", "-day"], name="reportfact_department_idx"
            ),
            models.Index(
                fields=["group", "requester", "basis", "-day"], name="reportfact_requester_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source_id}"


class ReportOrderDay(OrderColumns):
    """The sums change in the same transaction as the facts. `facts` is the number of summed
    facts. The sums may be zero.
    """

    facts = models.IntegerField("事实数")

    class Meta(OrderColumns.Meta):
        abstract = False
        verbose_name = "订单日汇总"
        verbose_name_plural = "订单日汇总"
        ordering = ["-day", "-order_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "order", "basis", "day"], name="reportorderday_once"
            )
        ]
        indexes = [
            models.Index(fields=["group", "basis", "-day"], name="reportorderday_day_idx"),
            models.Index(
                fields=["group", "department", "basis", "-day"],
                name="reportorderday_department_idx",
            ),
            models.Index(
                fields=["group", "requester", "basis", "-day"], name="reportorderday_requester_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order_id} {self.day} {self.basis}"


class ExportJob(TenantModel):
    """The worker holds a lease and extends it every second. If the lease expires, another
    worker starts the export again.
    """

    # Name of the stored file. All attempts use the same name.
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="导出人",
        db_index=False,
    )
    report = models.CharField("报表", max_length=16, choices=EXPORT_KINDS)
    # `selectors/question.py` converts it. Its days are fixed when the export is queued. An archive
    # of invoices has their keys: {"InvoiceIds": […]}.
    question = models.JSONField("筛选条件", default=dict)
    sort = models.CharField("排序", max_length=12, blank=True)
    title = models.CharField("名称", max_length=120)
    state = models.CharField(
        "状态", max_length=10, choices=ExportState.choices, default=ExportState.QUEUED
    )
    rows_done = models.PositiveIntegerField("已写行数", default=0)
    rows_total = models.PositiveIntegerField("总行数", default=0)
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    holder = models.CharField("执行者", max_length=32, blank=True)
    lease_until = models.DateTimeField("租约至", null=True, blank=True)
    error = models.CharField("失败原因", max_length=200, blank=True)
    # The owner's data scope at export time. After a change of scope the file cannot be downloaded.
    seen_as = models.CharField("数据范围", max_length=60, blank=True)
    file = models.ForeignKey(
        StoredFile,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="文件",
    )
    created_at = models.DateTimeField("提交时间", auto_now_add=True)
    started_at = models.DateTimeField("开始时间", null=True, blank=True)
    ended_at = models.DateTimeField("结束时间", null=True, blank=True)
    expires_at = models.DateTimeField("文件保留至", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "导出任务"
        verbose_name_plural = "导出任务"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["group", "owner", "-id"], name="exportjob_owner_idx"),
            models.Index(
                fields=["expires_at"],
                condition=Q(state=ExportState.DONE),
                name="exportjob_expiry_idx",
            ),
            models.Index(
                fields=["created_at"],
                condition=~Q(state__in=OPEN_EXPORTS),
                name="exportjob_age_idx",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class SavedView(TenantModel, TimeStampedModel):
    """A view stores filters, no figures. Each reader sees current figures of the reader's own
    data scope.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="创建人"
    )
    report = models.CharField("报表", max_length=12, choices=ReportName.choices)
    name = models.CharField("名称", max_length=30)
    # In the wire format: {"Period": "month", "DepartmentId": "12", "Sort": "-amount",
    # "Hide": ["tax"], …}
    filters = models.JSONField("筛选条件", default=dict)
    shared = models.BooleanField("共享给集团", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "报表视图"
        verbose_name_plural = "报表视图"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "owner", "report", "name"], name="savedview_name_uniq"
            )
        ]
        indexes = [
            models.Index(
                fields=["group", "report"],
                condition=models.Q(shared=True),
                name="savedview_shared_idx",
            )
        ]

    def __str__(self) -> str:
        return self.name


class ReportSubscription(TenantModel, TimeStampedModel):
    """`next_at` is None if the subscription is paused or the calendar has no suitable day."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="创建人"
    )
    # None if the owner of a shared view has deleted it. The subscription is then paused.
    view = models.ForeignKey(
        "reports.SavedView",
        null=True,
        on_delete=models.SET_NULL,
        related_name="subscriptions",
        verbose_name="视图",
    )
    frequency = models.CharField("频率", max_length=8, choices=Frequency.choices)
    weekday = models.PositiveSmallIntegerField("星期", default=1)
    month_day = models.PositiveSmallIntegerField("日", default=1)
    at_time = models.TimeField("时间")
    shift = models.CharField("遇节假日", max_length=4, choices=Shift.choices, default=Shift.NONE)
    has_xlsx = models.BooleanField("附 Excel", default=True)
    has_pdf = models.BooleanField("附 PDF", default=True)
    is_active = models.BooleanField("启用", default=True)
    # Reason of an automatic pause; empty if a person paused it.
    paused_reason = models.CharField("暂停原因", max_length=200, blank=True)
    next_at = models.DateTimeField("下次发送", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "报表订阅"
        verbose_name_plural = "报表订阅"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["group", "owner", "-id"], name="reportsubscription_own_idx"),
            models.Index(
                fields=["next_at"],
                condition=Q(is_active=True, next_at__isnull=False),
                name="reportsubscription_due_idx",
            ),
        ]

    def __str__(self) -> str:
        return f"订阅 {self.pk}"

    @property
    def schedule(self) -> Schedule:
        """The schedule of the subscription."""
        return Schedule(self.frequency, self.weekday, self.month_day, self.at_time, self.shift)


class ReportRecipient(TenantModel):
    """A colleague or a mail address. The row of an unsubscribed recipient remains, because only
    the recipient can subscribe again.
    """

    subscription = models.ForeignKey(
        ReportSubscription, on_delete=models.CASCADE, related_name="recipients", verbose_name="订阅"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="同事",
    )
    address = models.EmailField("邮箱", blank=True)
    # False if the subscription's owner removed the recipient from the list.
    is_listed = models.BooleanField("在名单中", default=True)
    unsubscribed_at = models.DateTimeField("退订时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "订阅收件人"
        verbose_name_plural = "订阅收件人"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "account"],
                condition=Q(account__isnull=False),
                name="reportrecipient_account",
            ),
            models.UniqueConstraint(
                fields=["subscription", "address"],
                condition=~Q(address=""),
                name="reportrecipient_address",
            ),
            models.CheckConstraint(
                condition=Q(account__isnull=False) ^ ~Q(address=""), name="reportrecipient_one"
            ),
        ]

    def __str__(self) -> str:
        return self.address or str(self.account)


class ReportSend(TenantModel):
    """One send of a subscription. The unique constraint on (subscription, due_at) prevents a
    second send of the same period.
    """

    subscription = models.ForeignKey(
        ReportSubscription,
        on_delete=models.CASCADE,
        related_name="sends",
        verbose_name="订阅",
        db_index=False,
    )
    due_at = models.DateTimeField("应发时间")
    is_asked = models.BooleanField("立即发送", default=False)
    state = models.CharField(
        "状态", max_length=8, choices=SendState.choices, default=SendState.SENDING
    )
    # Reason why nothing was sent.
    note = models.CharField("说明", max_length=200, blank=True)
    created_at = models.DateTimeField("开始时间", auto_now_add=True)
    ended_at = models.DateTimeField("结束时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "报表发送记录"
        verbose_name_plural = "报表发送记录"
        ordering = ["-due_at"]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "due_at"], name="reportsend_once")
        ]
        indexes = [models.Index(fields=["created_at"], name="reportsend_age_idx")]

    def __str__(self) -> str:
        return f"{self.subscription_id} {format_moment(self.due_at)}"


class ReportLetter(TenantModel):
    """The letter of one recipient in a send. `to` keeps the recipient's name or address after a
    change of the recipient list.
    """

    send = models.ForeignKey(
        ReportSend,
        on_delete=models.CASCADE,
        related_name="letters",
        verbose_name="发送记录",
        db_index=False,
    )
    recipient = models.ForeignKey(
        ReportRecipient,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="收件人",
    )
    to = models.CharField("收件人", max_length=300)
    state = models.CharField(
        "状态", max_length=8, choices=LetterState.choices, default=LetterState.WAITING
    )
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    claimed_at = models.DateTimeField("开始发送", null=True, blank=True)
    sent_at = models.DateTimeField("发送时间", null=True, blank=True)
    rows = models.PositiveIntegerField("行数", null=True, blank=True)
    # Reason why the letter was not sent, or the last error.
    note = models.CharField("说明", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "订阅邮件"
        verbose_name_plural = "订阅邮件"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["send", "recipient"], name="reportletter_once")
        ]

    def __str__(self) -> str:
        return self.to
