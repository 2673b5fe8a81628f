"""Help and about pages. The set of pages is fixed; staff edit the text."""

from django.db import models

from apps.common.models import TimeStampedModel
from apps.content.enums import PageKind

HELP_PAGES = 15


class ContentPage(TimeStampedModel):
    """One page. `key` is the number of a help page or the name of an about page, as in its URL."""

    kind = models.CharField("类别", max_length=10, choices=PageKind)
    key = models.CharField("地址中的编号或名称", max_length=20)
    position = models.PositiveSmallIntegerField("排序", default=0)
    title = models.CharField("标题", max_length=40)
    summary = models.CharField(
        "摘要", max_length=160, blank=True, help_text="显示在标题下方和搜索结果里"
    )
    body = models.TextField(
        "正文",
        max_length=20_000,
        help_text="Markdown：## 小标题、列表、表格、[文字](地址)、**加粗**；不支持 HTML",
    )

    class Meta:
        verbose_name = "帮助与关于页面"
        verbose_name_plural = "帮助与关于页面"
        ordering = ["-kind", "position"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="contentpage_kind_key_uniq")
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def path(self) -> str:
        """Return the page's address on this site."""
        return f"/help/detail/{self.key}" if self.kind == PageKind.HELP else f"/about/{self.key}"
