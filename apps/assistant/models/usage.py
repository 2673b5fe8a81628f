"""用量: duration and tokens of each answer. The rows stay when the conversation is deleted."""

from django.conf import settings
from django.db import models

from apps.assistant.enums import MessageStatus, Provider
from apps.common.models import TenantModel


class AssistantUsage(TenantModel):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    provider = models.CharField("回答者", max_length=10, choices=Provider.choices)
    model = models.CharField("模型", max_length=80, blank=True)
    tools = models.CharField("用到的工具", max_length=200, blank=True)
    prompt_tokens = models.PositiveIntegerField("输入 Token", default=0)
    completion_tokens = models.PositiveIntegerField("输出 Token", default=0)
    first_ms = models.PositiveIntegerField("首字毫秒", default=0)
    total_ms = models.PositiveIntegerField("总毫秒", default=0)
    outcome = models.CharField("结果", max_length=10, choices=MessageStatus.choices)
    at = models.DateTimeField("时间", auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = "AI 用量"
        verbose_name_plural = "AI 用量"
        ordering = ["-at", "-id"]
        indexes = [
            models.Index(fields=["group", "account", "-at"], name="assistantusage_account_idx"),
            models.Index(fields=["-at"], name="assistantusage_at_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.get_provider_display()} {self.total_ms} ms"
