"""The content of the site: texts, banners, announcements, links and pages. It belongs to the
platform, not to a customer. Content with dates extends `Scheduled`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from apps.common.models import TimeStampedModel
from apps.common.redirects import get_safe_target
from apps.content.enums import Audience, BannerPlace, LinkPlace, PageKind, Tone

_is_web = URLValidator(
    schemes=["http", "https"], message="请填写以 / 开头的站内地址，或 http(s):// 开头的完整网址"
)


def check_address(address: str) -> None:
    """Accept a path of this site or an http(s) URL.

    Raises:
        ValidationError: it is anything else, such as `javascript:` or `//host`, or contains a user.
    """
    if address.startswith("/"):
        if get_safe_target(address) is None:
            raise ValidationError(_is_web.message)
        return
    _is_web(address)
    try:
        parts = urlsplit(address)
        is_plain = parts.username is None and (parts.port is None or parts.port > 0)
    except ValueError:
        is_plain = False
    if not is_plain:
        raise ValidationError("网址中不要包含用户名，端口须在 1 至 65535 之间")


def check_lines(text: str) -> None:
    """Accept at most 12 lines; otherwise raise ValidationError."""
    if len(text.splitlines()) > 12:
        raise ValidationError("最多填写 12 行")


FIRST_DAY, LAST_DAY = datetime(2000, 1, 1, tzinfo=UTC), datetime(2101, 1, 1, tzinfo=UTC)


class Scheduled(TimeStampedModel):
    """Content of the site that is shown from `valid_from` until before `valid_to` while it is
    active. An empty date has no limit on that side.
    """

    valid_from = models.DateTimeField("开始时间", null=True, blank=True)
    valid_to = models.DateTimeField("结束时间", null=True, blank=True)
    is_active = models.BooleanField("启用", default=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_to__isnull=True)
                | Q(valid_to__gt=F("valid_from")),
                name="%(class)s_ends_after_start",
                violation_error_message="结束时间必须晚于开始时间",
            )
        ]

    def clean(self) -> None:
        """Limit the dates to a range that every time zone and database supports.

        Raises:
            ValidationError: a date is before 2000 or after 2100.
        """
        super().clean()
        wrong = [
            name
            for name in ("valid_from", "valid_to")
            if (at := getattr(self, name)) and not FIRST_DAY <= at < LAST_DAY
        ]
        if wrong:
            raise ValidationError(dict.fromkeys(wrong, "请填写 2000 年至 2100 年之间的时间"))

    def is_shown(self, at: datetime) -> bool:
        """Return whether the row is switched on and `at` is within its dates. The end is
        exclusive.
        """
        return (
            self.is_active
            and (self.valid_from is None or self.valid_from <= at)
            and (self.valid_to is None or at < self.valid_to)
        )

    @property
    def key(self) -> str:
        """Return a key that is unique among all content."""
        return f"{self._meta.model_name}:{self.pk}"


class ContentStamp(models.Model):
    """A single row. A process compares it with its cache in one query."""

    ONLY = 1

    moved_at = models.DateTimeField("最近变更")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="contentstamp_only_one")
        ]

    def __str__(self) -> str:
        return f"{self.moved_at}"


is_web_address = URLValidator(schemes=["http", "https"], message="请填写 http(s):// 开头的完整网址")


class SiteSetting(Scheduled):
    """A version. The version that started last is in force. When it ends, the one before it
    applies again.
    """

    version = models.CharField(
        "版本说明", max_length=40, default="常规版本", help_text="仅后台可见，如“春节期间”"
    )
    brand_name = models.CharField(
        "商城名称", max_length=30, blank=True, help_text="留空时使用部署配置中的名称"
    )
    slogan = models.CharField("标语", max_length=40, blank=True)
    logo = models.CharField("商城标识", max_length=120, blank=True, editable=False)
    copyright_line = models.CharField("版权行", max_length=120, blank=True)
    licences = models.TextField(
        "备案与许可证号",
        blank=True,
        max_length=800,
        validators=[check_lines],
        help_text="每行一个，显示在页脚",
    )
    business_licence = models.TextField(
        "营业执照内容",
        blank=True,
        max_length=1000,
        validators=[check_lines],
        help_text="每行一项，写作“项目：内容”；留空时页脚不显示营业执照入口",
    )
    service_hours = models.CharField("服务时间", max_length=40, default="工作日 9:00-18:00")
    service_phone = models.CharField("客服电话", max_length=40, blank=True)
    android_url = models.CharField(
        "安卓客户端下载地址", max_length=200, blank=True, validators=[is_web_address]
    )
    official_url = models.CharField(
        "公众号关注地址", max_length=200, blank=True, validators=[is_web_address]
    )
    mini_program_url = models.CharField(
        "小程序地址", max_length=200, blank=True, validators=[is_web_address]
    )

    class Meta(Scheduled.Meta):
        verbose_name = "站点信息"
        verbose_name_plural = "站点信息"
        ordering = [models.F("valid_from").desc(nulls_last=True), "-id"]

    def __str__(self) -> str:
        return self.version


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
