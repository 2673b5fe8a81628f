"""Saved views, and their subscriptions: schedule, recipients, sends, and the letter of each
recipient.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.days import moment_text
from apps.common.models import TenantModel, TimeStampedModel
from apps.reports.enums import Frequency, LetterState, ReportName, SendState, Shift
from apps.reports.schedule import Schedule


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
        return f"{self.subscription_id} {moment_text(self.due_at)}"


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
