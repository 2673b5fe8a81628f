"""Picture vectors, and results of image searches."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PictureVector(models.Model):
    """The vector of a product's main picture by one embedder. Empty if the picture cannot be
    read, so that the job does not retry it forever.
    """

    product = models.OneToOneField(
        "catalog.Product",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
        verbose_name="商品",
    )
    path = models.CharField("图片", max_length=200)
    embedder = models.CharField("描述方式", max_length=80)
    vector = models.BinaryField("向量")
    at = models.DateTimeField("时间", auto_now=True)

    class Meta:
        verbose_name = "图片向量"
        verbose_name_plural = "图片向量"

    def __str__(self) -> str:
        return f"{self.product_id} {self.embedder}"


class PictureVersion(models.Model):
    """One row. Its token changes with every change of vectors; a process can use its cache
    while the token is the same.
    """

    ONLY = 1
    token = models.CharField(max_length=32)

    class Meta:
        verbose_name = "图片向量版本"
        verbose_name_plural = "图片向量版本"

    def __str__(self) -> str:
        return self.token


class ImageSearch(models.Model):
    """The result of one image search. Only its owner can read it, for a few hours.

    Platform-owned like the search log, because a visitor has no group. `browser` is the hash of the
    visitor's cookie; it is empty for an account.
    """

    key = models.CharField("结果编号", max_length=32, unique=True)
    group_id = models.BigIntegerField("集团", null=True, blank=True)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    browser = models.CharField("浏览器", max_length=64, blank=True)
    picture = models.TextField("缩略图")
    found = models.JSONField("商品与得分", default=list)
    guesses = models.JSONField("类目与占比", default=list)
    at = models.DateTimeField("时间")

    class Meta:
        verbose_name = "以图搜索"
        verbose_name_plural = "以图搜索"
        indexes = [models.Index(fields=["at"], name="imagesearch_at_idx")]

    def __str__(self) -> str:
        return self.key
