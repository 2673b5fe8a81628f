"""Banners (横幅): the strip above every page and the slides of the home page."""

from django.db import models

from apps.content.enums import Audience, BannerPlace, Tone
from apps.content.models.address import check_address
from apps.content.models.scheduled import Scheduled


class Banner(Scheduled):
    place = models.CharField("位置", max_length=10, choices=BannerPlace, default=BannerPlace.HOME)
    audience = models.CharField(
        "展示给", max_length=10, choices=Audience, default=Audience.EVERYONE, blank=True
    )
    title = models.CharField("标题", max_length=40)
    text = models.CharField("说明", max_length=80, blank=True)
    tone = models.CharField("底色", max_length=10, choices=Tone, default=Tone.BLUE)
    link = models.CharField(
        "链接", max_length=300, default="/product/index", validators=[check_address]
    )
    image = models.CharField("图片", max_length=120, blank=True, editable=False)
    position = models.PositiveSmallIntegerField("排序", default=0)

    class Meta(Scheduled.Meta):
        verbose_name = "横幅"
        verbose_name_plural = "横幅"
        ordering = ["place", "position", "id"]

    def __str__(self) -> str:
        return self.title
