"""Enums of questions about products."""

from django.db import models


class QuestionState(models.TextChoices):
    """The back office sorts by the code, descending, so that 待回答 comes first."""

    WAITING = "waiting", "待回答"
    RETRACTED = "retracted", "已撤回"
    HIDDEN = "hidden", "已隐藏"
    ANSWERED = "answered", "已回答"


class QuestionEventKind(models.TextChoices):
    """Kinds of events in the history of a question."""

    ASKED = "asked", "提问"
    ANSWERED = "answered", "回答"
    ANSWER_CHANGED = "answer_changed", "修改回答"
    HIDDEN = "hidden", "隐藏"
    SHOWN = "shown", "恢复展示"
    RETRACTED = "retracted", "撤回"


class QuestionAction(models.TextChoices):
    """Actions of the asker."""

    RETRACT = "retract", "撤回"


class QuestionScope(models.TextChoices):
    """Which questions of a product are listed."""

    ALL = "all", "全部"
    OURS = "ours", "本集团的提问"
