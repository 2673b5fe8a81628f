"""States and kinds of the assistant, with their Chinese labels."""

from django.db import models


class Role(models.TextChoices):
    PERSON = "person", "用户"
    ASSISTANT = "assistant", "助手"


class MessageStatus(models.TextChoices):
    WRITING = "writing", "回答中"
    COMPLETE = "complete", "已完成"
    STOPPED = "stopped", "已停止"
    FAILED = "failed", "未完成"


class Provider(models.TextChoices):
    """The author of an answer. `fallback` is the embedded assistant while the model is
    unavailable.
    """

    EMBEDDED = "embedded", "内置助手"
    MODEL = "model", "大模型"
    FALLBACK = "fallback", "内置助手（模型不可用）"


class ProposalStatus(models.TextChoices):
    OPEN = "open", "待确认"
    ACCEPTED = "accepted", "已加入购物车"
