"""Filters of a list of the back office that a member of staff has saved under a name."""

from django.conf import settings
from django.db import models


class ListView(models.Model):
    """A saved view: the query string of one list, for its owner only."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="保存人",
        db_index=False,
    )
    page = models.CharField("列表", max_length=80)
    name = models.CharField("名称", max_length=20)
    query = models.CharField("筛选条件", max_length=1000)

    class Meta:
        verbose_name = "保存的筛选"
        verbose_name_plural = "保存的筛选"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "page", "name"], name="listview_name_uniq")
        ]

    def __str__(self) -> str:
        return self.name
