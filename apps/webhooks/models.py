"""A webhook (推送地址) of a customer group, and its deliveries."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.webhooks.enums import DeliveryState


class Webhook(TenantModel, TimeStampedModel):
    """An https address of a partner. The secret is derived from `secret_seed` and the mall's
    own key, so the table alone cannot sign.
    """

    name = models.CharField("名称", max_length=40)
    url = models.CharField("推送地址", max_length=500)
    events = models.JSONField("订阅事件", default=list)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="负责人"
    )
    secret_seed = models.CharField("密钥种子", max_length=64, editable=False)
    old_seed = models.CharField("旧密钥种子", max_length=64, blank=True, editable=False)
    old_seed_until = models.DateTimeField("旧密钥有效至", null=True, blank=True)
    is_active = models.BooleanField("启用", default=True)
    # Why the mall paused it; empty if a person switched it off.
    paused_reason = models.CharField("暂停原因", max_length=200, blank=True)
    failures = models.PositiveIntegerField("连续失败次数", default=0)
    # While the webhook fails, one delivery at a time is tried.
    rest_until = models.DateTimeField("暂缓至", null=True, blank=True)
    delivered_at = models.DateTimeField("最近送达", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "推送地址"
        verbose_name_plural = "推送地址"
        ordering = ["id"]
        indexes = [models.Index(fields=["group", "id"], name="webhook_group_idx")]

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(TenantModel):
    """One event for one webhook. The receiver identifies the event by `event_id`, also after a
    replay.
    """

    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", verbose_name="推送地址"
    )
    event_id = models.CharField("事件编号", max_length=40)
    event = models.CharField("事件", max_length=40)
    subject = models.CharField("单号", max_length=80, blank=True)
    payload = models.JSONField("内容", default=dict)
    state = models.CharField(
        "状态", max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveIntegerField("推送次数", default=0)
    # A replay sets it back to eight.
    tries_left = models.PositiveSmallIntegerField("剩余次数")
    replays = models.PositiveIntegerField("重放次数", default=0)
    status_code = models.PositiveSmallIntegerField("应答状态码", null=True, blank=True)
    answer = models.CharField("应答内容", max_length=500, blank=True)
    error = models.CharField("失败原因", max_length=200, blank=True)
    # [{"At", "StatusCode", "Error", "Milliseconds"}], the last ones
    tries = models.JSONField("推送经过", default=list)
    created_at = models.DateTimeField("产生时间", auto_now_add=True)
    # When it is due. While it is being sent: when the claim expires.
    due_at = models.DateTimeField("可推送时间")
    ended_at = models.DateTimeField("结束时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "推送记录"
        verbose_name_plural = "推送记录"
        ordering = ["-id"]
        permissions = [("replay_webhookdelivery", "可以重放推送")]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "webhook", "event_id"], name="webhookdelivery_event_uniq"
            )
        ]
        indexes = [
            models.Index(fields=["group", "webhook", "-id"], name="webhookdelivery_list_idx"),
            models.Index(
                fields=["due_at", "id"],
                condition=Q(state__in=["waiting", "sending"]),
                name="webhookdelivery_due_idx",
            ),
            models.Index(fields=["created_at"], name="webhookdelivery_age_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.subject}"

    @property
    def state_text(self) -> str:
        """Return the state in words, with the reason if it is on hold: 待推送（集团已停用）."""
        is_held = (
            self.state in (DeliveryState.WAITING, DeliveryState.SENDING)
            and not self.group.is_active
        )
        return f"{self.get_state_display()}（集团已停用）" if is_held else self.get_state_display()
