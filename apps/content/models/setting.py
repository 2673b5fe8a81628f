"""Versions of the site's texts: brand, footer, and the targets of the QR codes."""

from __future__ import annotations

from django.core.validators import URLValidator
from django.db import models

from apps.content.models.address import check_lines
from apps.content.models.scheduled import Scheduled

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
