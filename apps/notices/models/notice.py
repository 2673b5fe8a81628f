"""What one person was told, and which ways it took out of the page."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.models import TenantModel
from apps.common.models.read_already import read_already
from apps.notices.enums import Channel, DeliveryState, NoticeKind

LONGEST_TITLE, LONGEST_TEXT = 120, 500


class Notice(TenantModel):
    """One thing for one person; `once` says what must never be told to him a second time, however often a handler runs."""

    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="收件人", db_index=False
    )
    kind = models.CharField("类型", max_length=20, choices=NoticeKind.choices)
    title = models.CharField("标题", max_length=LONGEST_TITLE)
    text = models.CharField("内容", max_length=LONGEST_TEXT, blank=True)
    # A path of this site.
    link = models.CharField("链接", max_length=200, blank=True)
    # What it is about, as "approval:12": what is done with there is read here too.
    subject_key = models.CharField("对象", max_length=60, blank=True)
    once = models.CharField("去重键", max_length=120)
    # False: its reader wants it by other ways alone.
    is_on_page = models.BooleanField("页面显示", default=True)
    created_at = models.DateTimeField("时间", default=timezone.now)
    read_at = models.DateTimeField("阅读时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "消息"
        verbose_name_plural = "消息"
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["group", "recipient", "once"], name="notice_once_uniq")]
        indexes = [
            models.Index(fields=["group", "recipient", "-created_at"], condition=Q(is_on_page=True), name="notice_inbox_idx"),
            models.Index(
                fields=["group", "recipient", "kind"], condition=Q(is_on_page=True, read_at__isnull=True), name="notice_unread_idx"
            ),
            models.Index(fields=["group", "subject_key"], condition=Q(read_at__isnull=True), name="notice_subject_idx"),
            models.Index(fields=["created_at"], name="notice_age_idx"),
        ]

    def __str__(self) -> str:
        return self.title


class NoticeDigest(TenantModel):
    """A day's letter to one person: the row is the claim, so that of two runners one writes it."""

    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="收件人", db_index=False
    )
    day = models.DateField("日期")
    state = models.CharField("状态", max_length=8, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    claimed_at = models.DateTimeField("开始发送", null=True, blank=True)
    sent_at = models.DateTimeField("发送时间", null=True, blank=True)
    last_error = models.CharField("最近错误", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "每日汇总"
        verbose_name_plural = "每日汇总"
        ordering = ["-day", "-id"]
        constraints = [models.UniqueConstraint(fields=["group", "recipient", "day"], name="noticedigest_day_uniq")]

    def __str__(self) -> str:
        return f"{self.recipient_id} {self.day}"


class NoticeDelivery(TenantModel):
    """One way of one notice out of the page; `due_at` with a time is a letter that waits for its day's digest."""

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries", verbose_name="消息", db_index=False)
    channel = models.CharField("渠道", max_length=11, choices=Channel.choices)
    state = models.CharField("状态", max_length=8, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    claimed_at = models.DateTimeField("开始发送", null=True, blank=True)
    sent_at = models.DateTimeField("发送时间", null=True, blank=True)
    last_error = models.CharField("最近错误", max_length=200, blank=True)
    # Set: it goes out with the digest of that moment or a later one; None: at once.
    due_at = models.DateTimeField("汇总时间", null=True, blank=True)
    digest = models.ForeignKey(
        NoticeDigest, null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries", verbose_name="每日汇总", db_index=False
    )

    class Meta(TenantModel.Meta):
        verbose_name = "消息投递"
        verbose_name_plural = "消息投递"
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["group", "notice", "channel"], name="noticedelivery_channel_uniq")]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(state=DeliveryState.WAITING, due_at__isnull=False, digest__isnull=True),
                name="noticedelivery_due_idx",
            ),
            models.Index(fields=["digest"], condition=Q(digest__isnull=False), name="noticedelivery_digest_idx"),
        ]

    def __str__(self) -> str:
        notice = read_already(self, "notice")
        return f"{notice.title}（{self.get_channel_display()}）" if notice else f"{self.get_channel_display()} {self.pk}"


class NoticeLink(TenantModel):
    """The one-time way from a letter to what it asks for; only the key's hash is kept."""

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="links", verbose_name="消息")
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField("签发时间", default=timezone.now)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "邮件链接"
        verbose_name_plural = "邮件链接"

    def __str__(self) -> str:
        return f"邮件链接 {self.pk}"
