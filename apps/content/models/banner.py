"""横幅: the strip above every page and the slides of the home page."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q

from apps.common.models import TimeStampedModel
from apps.content.enums import BannerPlace, Tone
from apps.content.models.address import check_address


class Banner(TimeStampedModel):
    place = models.CharField("位置", max_length=10, choices=BannerPlace, default=BannerPlace.HOME)
    title = models.CharField("标题", max_length=40)
    text = models.CharField("说明", max_length=80, blank=True)
    tone = models.CharField("底色", max_length=10, choices=Tone, default=Tone.BLUE)
    link = models.CharField("链接", max_length=300, default="/product/index", validators=[check_address])
    image = models.CharField("图片", max_length=120, blank=True, editable=False)
    position = models.PositiveSmallIntegerField("排序", default=0)
    valid_from = models.DateTimeField("开始时间", null=True, blank=True)
    valid_to = models.DateTimeField("结束时间", null=True, blank=True)
    is_active = models.BooleanField("启用", default=True)

    class Meta:
        verbose_name = "横幅"
        verbose_name_plural = "横幅"
        ordering = ["place", "position", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True) | Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")),
                name="banner_ends_after_start",
                violation_error_message="结束时间必须晚于开始时间",
            )
        ]

    def __str__(self) -> str:
        return self.title

    def is_shown(self, at: datetime) -> bool:
        """Return whether the banner is switched on and `at` lies within its dates (the end is not part of them)."""
        return self.is_active and (self.valid_from is None or self.valid_from <= at) and (self.valid_to is None or at < self.valid_to)
