"""对话: a conversation of one person with its messages. Nobody else can read it, not even in his
group.
"""

from django.conf import settings
from django.db import models

from apps.assistant.enums import MessageStatus, Provider, Role
from apps.common.models import TenantModel, TimeStampedModel

NEW_TITLE = "新对话"


class Conversation(TenantModel, TimeStampedModel):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    title = models.CharField("标题", max_length=60, default=NEW_TITLE)
    asked = models.PositiveIntegerField("提问数", default=0)
    last_at = models.DateTimeField("最近提问")

    class Meta(TenantModel.Meta):
        verbose_name = "AI 对话"
        verbose_name_plural = "AI 对话"
        ordering = ["-last_at", "-id"]
        indexes = [
            models.Index(fields=["group", "account", "-last_at"], name="conversation_recent_idx")
        ]

    def __str__(self) -> str:
        return self.title


class Message(TenantModel):
    """A question or an answer. `parts` of an answer: Tools, Codes, Links, Proposed, Facts,
    Proposal, Notice; of a question: Files.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages", verbose_name="对话"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    role = models.CharField("谁", max_length=10, choices=Role.choices)
    text = models.TextField("内容", blank=True)
    parts = models.JSONField("附带", default=dict)
    status = models.CharField(
        "状态", max_length=10, choices=MessageStatus.choices, default=MessageStatus.COMPLETE
    )
    provider = models.CharField("回答者", max_length=10, choices=Provider.choices, blank=True)
    created_at = models.DateTimeField("时间", auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = "AI 对话消息"
        verbose_name_plural = "AI 对话消息"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["group", "conversation", "id"], name="message_conversation_idx"),
            models.Index(
                fields=["group", "account", "created_at"],
                name="message_writing_idx",
                condition=models.Q(status=MessageStatus.WRITING),
            ),
        ]

    def __str__(self) -> str:
        return self.text[:40]
