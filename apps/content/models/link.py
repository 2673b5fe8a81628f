"""Links of the top bar, the site navigation, the footer and the side bar."""

from django.db import models

from apps.content.enums import Audience, LinkPlace
from apps.content.models.address import check_address
from apps.content.models.scheduled import Scheduled


class SiteLink(Scheduled):
    place = models.CharField("位置", max_length=20, choices=LinkPlace)
    audience = models.CharField(
        "展示给", max_length=10, choices=Audience, default=Audience.EVERYONE, blank=True
    )
    name = models.CharField("名称", max_length=30)
    url = models.CharField("地址", max_length=300, validators=[check_address])
    position = models.PositiveSmallIntegerField("排序", default=0)

    class Meta(Scheduled.Meta):
        verbose_name = "站点链接"
        verbose_name_plural = "站点链接"
        ordering = ["place", "position", "id"]
        constraints = [
            *Scheduled.Meta.constraints,
            models.UniqueConstraint(
                fields=["place", "name"],
                name="sitelink_place_name_uniq",
                violation_error_message="该位置已有同名链接",
            ),
        ]

    def __str__(self) -> str:
        return self.name
