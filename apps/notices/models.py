"""Notices, their deliveries, digests and links, and the preferences of their readers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.models import TenantModel
from apps.common.models.base import get_loaded_relation
from apps.notices.enums import Channel, DeliveryState, MailMode, NoticeKind

MAX_TITLE_CHARACTERS, MAX_TEXT_CHARACTERS = 120, 500


class Notice(TenantModel):
    """One message for one account. `once` identifies its cause, so that it is created only once
    even if a handler runs again.
    """

    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="收件人",
        db_index=False,
    )
    kind = models.CharField("类型", max_length=20, choices=NoticeKind.choices)
    title = models.CharField("标题", max_length=MAX_TITLE_CHARACTERS)
    text = models.CharField("内容", max_length=MAX_TEXT_CHARACTERS, blank=True)
    # A path of this site.
    link = models.CharField("链接", max_length=200, blank=True)
    # The subject, e.g. "approval:12". When its act is done, the notice becomes read.
    subject_key = models.CharField("对象", max_length=60, blank=True)
    once = models.CharField("去重键", max_length=120)
    # False: the reader wants only other channels.
    is_on_page = models.BooleanField("页面显示", default=True)
    created_at = models.DateTimeField("时间", default=timezone.now)
    read_at = models.DateTimeField("阅读时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "消息"
        verbose_name_plural = "消息"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "recipient", "once"], name="notice_once_uniq")
        ]
        indexes = [
            models.Index(
                fields=["group", "recipient", "-created_at"],
                condition=Q(is_on_page=True),
                name="notice_inbox_idx",
            ),
            models.Index(
                fields=["group", "recipient", "kind"],
                condition=Q(is_on_page=True, read_at__isnull=True),
                name="notice_unread_idx",
            ),
            models.Index(
                fields=["group", "subject_key"],
                condition=Q(read_at__isnull=True),
                name="notice_subject_idx",
            ),
            models.Index(fields=["created_at"], name="notice_age_idx"),
        ]

    def __str__(self) -> str:
        return self.title


class NoticeDigest(TenantModel):
    """The daily mail to one account. The row is also the claim: only one worker creates it."""

    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="收件人",
        db_index=False,
    )
    day = models.DateField("日期")
    state = models.CharField(
        "状态", max_length=8, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    claimed_at = models.DateTimeField("开始发送", null=True, blank=True)
    sent_at = models.DateTimeField("发送时间", null=True, blank=True)
    last_error = models.CharField("最近错误", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "每日汇总"
        verbose_name_plural = "每日汇总"
        ordering = ["-day", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "recipient", "day"], name="noticedigest_day_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.recipient_id} {self.day}"


class NoticeDelivery(TenantModel):
    """One notice over one channel. A mail with `due_at` waits for the daily digest."""

    notice = models.ForeignKey(
        Notice,
        on_delete=models.CASCADE,
        related_name="deliveries",
        verbose_name="消息",
        db_index=False,
    )
    channel = models.CharField("渠道", max_length=11, choices=Channel.choices)
    state = models.CharField(
        "状态", max_length=8, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    claimed_at = models.DateTimeField("开始发送", null=True, blank=True)
    sent_at = models.DateTimeField("发送时间", null=True, blank=True)
    last_error = models.CharField("最近错误", max_length=200, blank=True)
    # If set, it is sent with the digest at this time or a later one; None: at once.
    due_at = models.DateTimeField("汇总时间", null=True, blank=True)
    digest = models.ForeignKey(
        NoticeDigest,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="deliveries",
        verbose_name="每日汇总",
        db_index=False,
    )

    class Meta(TenantModel.Meta):
        verbose_name = "消息投递"
        verbose_name_plural = "消息投递"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "notice", "channel"], name="noticedelivery_channel_uniq"
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(state=DeliveryState.WAITING, due_at__isnull=False, digest__isnull=True),
                name="noticedelivery_due_idx",
            ),
            models.Index(
                fields=["digest"],
                condition=Q(digest__isnull=False),
                name="noticedelivery_digest_idx",
            ),
        ]

    def __str__(self) -> str:
        notice = get_loaded_relation(self, "notice")
        return (
            f"{notice.title}（{self.get_channel_display()}）"
            if notice
            else f"{self.get_channel_display()} {self.pk}"
        )


class NoticeLink(TenantModel):
    """A one-time link in a mail. Only the hash of its key is stored."""

    notice = models.ForeignKey(
        Notice, on_delete=models.CASCADE, related_name="links", verbose_name="消息"
    )
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField("签发时间", default=timezone.now)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "邮件链接"
        verbose_name_plural = "邮件链接"

    def __str__(self) -> str:
        return f"邮件链接 {self.pk}"


class NoticePreference(TenantModel):
    """The channels an account has chosen for a kind. Without a row, enums.KINDS applies."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="账号",
        db_index=False,
    )
    kind = models.CharField("类型", max_length=20, choices=NoticeKind.choices)
    page = models.BooleanField("页面", default=True)
    mail = models.CharField("邮件", max_length=7, choices=MailMode.choices)
    wechat_work = models.BooleanField("企业微信", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "通知设置"
        verbose_name_plural = "通知设置"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "kind"], name="noticepreference_kind_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.get_kind_display()}"
