"""对话: a conversation of one person with its messages. Nobody else can read it, not even in his
group. Also the proposals for the cart, and the usage of an answer (tokens, times, fallbacks).
"""

import uuid

from django.conf import settings
from django.db import models

from apps.assistant.enums import MessageStatus, ProposalStatus, Provider, Role
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


class CartProposal(TenantModel):
    """`lines` is [{code, quantity}] in the displayed order."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    message = models.ForeignKey(
        Message, on_delete=models.CASCADE, related_name="proposals", verbose_name="回答"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    lines = models.JSONField("清单", default=list)
    status = models.CharField(
        "状态", max_length=10, choices=ProposalStatus.choices, default=ProposalStatus.OPEN
    )
    created_at = models.DateTimeField("时间", auto_now_add=True)
    accepted_at = models.DateTimeField("加入购物车时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "AI 加购清单"
        verbose_name_plural = "AI 加购清单"
        indexes = [models.Index(fields=["group", "message"], name="proposal_message_idx")]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def quantities(self) -> dict[str, int]:
        """The proposed quantities by ProductCode."""
        return {line["code"]: line["quantity"] for line in self.lines}


class AssistantUsage(TenantModel):
    """One answer of the assistant, for the staff's statistics: provider, tokens, and milliseconds
    to the first word and to the end. It holds no text of the conversation.
    """

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
