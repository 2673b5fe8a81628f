"""The search log, synonyms (搜索词) and hot words (热词), the vectors of pictures with the image
searches, and favourites.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.search.enums import FavoriteType, HotKeywordKind, SynonymKind


class SearchLog(models.Model):
    """Platform-owned. `group_id` separates one customer's keywords from another's hot keywords."""

    group_id = models.BigIntegerField("集团", null=True, blank=True)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    keyword = models.CharField("关键词", max_length=60)
    results = models.PositiveIntegerField("结果数", default=0)
    at = models.DateTimeField("时间")

    class Meta:
        verbose_name = "搜索记录"
        verbose_name_plural = "搜索记录"
        indexes = [
            models.Index(fields=["group_id", "at"], name="searchlog_group_at_idx"),
            models.Index("account", models.F("at").desc(), name="searchlog_account_at_idx"),
        ]

    def __str__(self) -> str:
        return self.keyword


class SearchSynonym(models.Model):
    """搜索词: further meanings of a word in the search. A change takes effect in the next
    search.
    """

    word = models.CharField(
        "词", max_length=40, unique=True, help_text="同一个词只能有一行；不分大小写、全半角"
    )
    kind = models.CharField(
        "作用", max_length=7, choices=SynonymKind.choices, default=SynonymKind.SAME
    )
    others = models.CharField(
        "对应词",
        max_length=300,
        blank=True,
        help_text="多个用分号隔开，如：中性笔；水笔。忽略词不填",
    )
    factor = models.DecimalField(
        "换算系数",
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="仅单位换算填写：1 千瓦 = 1000 w，填 1000",
    )
    is_active = models.BooleanField("启用", default=True)

    class Meta:
        verbose_name = "搜索词"
        verbose_name_plural = "搜索词"
        ordering = ["kind", "word"]

    def __str__(self) -> str:
        return self.word

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.SEARCH, self.word

    @property
    def other_words(self) -> list[str]:
        """The words of `others`, as the staff typed them."""
        return [
            word for part in self.others.replace("；", ";").split(";") if (word := part.strip())
        ]

    def clean(self) -> None:
        """Reject a row that its kind cannot use."""
        if self.kind == SynonymKind.IGNORED and self.others:
            raise ValidationError({"others": "忽略词没有对应词，请清空"})
        if self.kind != SynonymKind.IGNORED and not self.other_words:
            raise ValidationError({"others": "请填写对应词"})
        if self.kind == SynonymKind.UNIT and not self.factor:
            raise ValidationError({"factor": "单位换算请填写大于 0 的系数"})
        if self.kind != SynonymKind.UNIT and self.factor is not None:
            raise ValidationError({"factor": "只有单位换算才填写系数"})


class HotKeywordQuerySet(models.QuerySet["HotKeyword"]):
    def filter_in_force(self, at: datetime | None = None) -> HotKeywordQuerySet:
        """Return the rows in force at a moment (default: now): active, started, and not ended.
        The end itself is excluded.
        """
        now = at or timezone.now()
        has_begun, lasting = (
            Q(valid_from__isnull=True) | Q(valid_from__lte=now),
            Q(valid_to__isnull=True) | Q(valid_to__gt=now),
        )
        return self.filter(has_begun, lasting, is_active=True)


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


class RestockReminder(TenantModel):
    """到货提醒: an account that wants to be told once when a product can be bought again."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    created_at = models.DateTimeField("登记时间", auto_now_add=True)
    told_at = models.DateTimeField("已提醒时间", null=True)

    class Meta(TenantModel.Meta):
        verbose_name = "到货提醒"
        verbose_name_plural = "到货提醒"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "product"],
                condition=Q(told_at__isnull=True),
                name="restockreminder_open_uniq",
            )
        ]
        indexes = [
            models.Index(fields=["group", "account", "-id"], name="restockreminder_account_idx"),
            # The job reads the open reminders.
            models.Index(
                fields=["id"], condition=Q(told_at__isnull=True), name="restockreminder_open_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.product_id}"


class Favorite(TenantModel):
    """A product that an account has marked (收藏) or visited (浏览), depending on `type`. One row
    for each account, type and product; a repeated visit updates `at`. `added_price` is in 元, 含税.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    type = models.PositiveSmallIntegerField("类型", choices=FavoriteType.choices)
    at = models.DateTimeField("时间")
    added_price = MoneyField("当时单价（含税）", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "收藏与浏览"
        verbose_name_plural = "收藏与浏览"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "type", "product"], name="favorite_account_product_uniq"
            )
        ]
        indexes = [
            models.Index(fields=["group", "account", "type", "-at"], name="favorite_recent_idx")
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.product_id}"
