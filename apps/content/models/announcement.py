"""Announcements (公告)."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models.functions import Coalesce

from apps.content.enums import Audience
from apps.content.models.address import check_address
from apps.content.models.scheduled import Scheduled


class Announcement(Scheduled):
    audience = models.CharField(
        "展示给", max_length=10, choices=Audience, default=Audience.EVERYONE, blank=True
    )
    title = models.CharField("标题", max_length=40)
    text = models.TextField("正文", max_length=2000, help_text="纯文本，空行分段")
    link = models.CharField("相关链接", max_length=300, blank=True, validators=[check_address])
    is_pinned = models.BooleanField("置顶", default=False)

    class Meta(Scheduled.Meta):
        verbose_name = "公告"
        verbose_name_plural = "公告"
        ordering = ["-is_pinned", Coalesce("valid_from", "created_at").desc(), "-id"]

    def __str__(self) -> str:
        return self.title

    @property
    def published_at(self) -> datetime:
        """Return the start of the announcement."""
        return self.valid_from or self.created_at
