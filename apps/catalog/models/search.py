"""What was searched for, and the terms a prefix may complete to."""

from django.conf import settings
from django.db import models


class SearchLog(models.Model):
    """Platform-owned; `group_id` keeps one customer's words from another's hot keywords."""

    group_id = models.BigIntegerField("集团", null=True, blank=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    keyword = models.CharField("关键词", max_length=60)
    results = models.PositiveIntegerField("结果数", default=0)
    at = models.DateTimeField("时间")

    class Meta:
        verbose_name = "搜索记录"
        verbose_name_plural = "搜索记录"
        indexes = [models.Index(fields=["group_id", "at"], name="searchlog_group_at_idx")]

    def __str__(self) -> str:
        return self.keyword


class SuggestTerm(models.Model):
    """A prefix key of a product: its name from some word on, in Chinese, pinyin or initials; written with the product."""

    product = models.ForeignKey("catalog.Product", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=60)

    class Meta:
        verbose_name = "联想词"
        verbose_name_plural = "联想词"
        constraints = [models.UniqueConstraint(fields=["product", "key"], name="suggestterm_product_key_uniq")]
        # varchar_pattern_ops: a prefix is found by index under every collation of PostgreSQL; SQLite ignores it.
        indexes = [models.Index(fields=["key"], name="suggestterm_key_idx", opclasses=["varchar_pattern_ops"])]

    def __str__(self) -> str:
        return self.key
