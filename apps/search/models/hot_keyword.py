"""热词: keywords that the staff pin before the popular keywords, or hide."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.search.enums import HotKeywordKind


class HotKeywordQuerySet(models.QuerySet["HotKeyword"]):
    def in_force(self, at: datetime | None = None) -> HotKeywordQuerySet:
        """Return the rows in force at a moment (default: now): active, started, and not ended.
        The end itself is excluded.
        """
        now = at or timezone.now()
        begun, lasting = (
            Q(valid_from__isnull=True) | Q(valid_from__lte=now),
            Q(valid_to__isnull=True) | Q(valid_to__gt=now),
        )
        return self.filter(begun, lasting, is_active=True)


class HotKeyword(models.Model):
    """Platform-owned, the same for all customers. A keyword has one row: it is either pinned or
    hidden.
    """

    keyword = models.CharField(
        "热词", max_length=60, help_text="按填写的样子显示；不分大小写、全半角，同一个词只能有一行"
    )
    # The normalised keyword, as searches compare and log it.
    key = models.CharField(max_length=60, unique=True, editable=False)
    kind = models.CharField(
        "作用", max_length=6, choices=HotKeywordKind.choices, default=HotKeywordKind.PINNED
    )
    position = models.PositiveSmallIntegerField(
        "顺序", default=0, help_text="置顶词按数字从小到大排列；隐藏词不看顺序"
    )
    valid_from = models.DateTimeField("开始时间", null=True, blank=True, help_text="留空：立即生效")
    valid_to = models.DateTimeField("结束时间", null=True, blank=True, help_text="留空：长期有效")
    is_active = models.BooleanField("启用", default=True)

    objects = HotKeywordQuerySet.as_manager()

    class Meta:
        verbose_name = "热词"
        verbose_name_plural = "热词"
        ordering = ["-kind", "position", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_to__isnull=True)
                | Q(valid_to__gt=F("valid_from")),
                name="hotkeyword_ends_after_start",
                violation_error_message="结束时间必须晚于开始时间",
            )
        ]

    def __str__(self) -> str:
        return self.keyword

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.SEARCH, f"hot:{self.keyword}"
