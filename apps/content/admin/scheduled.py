"""Content with dates in the back office: 站点信息, 横幅, 公告 and 站点链接."""

from __future__ import annotations

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin

from apps.content.admin.base import DATES, PictureField, ScheduledAdmin, preview
from apps.content.models import Announcement, Banner, SiteLink, SiteSetting
from apps.office.pages import display

QR_FIELDS = ("android_url", "official_url", "mini_program_url")


class SiteSettingForm(forms.ModelForm[SiteSetting]):
    """The logo is uploaded as a picture; the row stores its path."""

    picture = PictureField("商城标识")

    class Meta:
        model = SiteSetting
        fields = [
            *(
                "version",
                "brand_name",
                "slogan",
                "copyright_line",
                "licences",
                "business_licence",
                "service_hours",
                "service_phone",
            ),
            *(*QR_FIELDS, "valid_from", "valid_to", "is_active"),
        ]


@admin.register(SiteSetting)
class SiteSettingAdmin(ScheduledAdmin):
    form = SiteSettingForm
    pictures = {"picture": "logo"}
    list_display = ("version", "brand_name", "slogan", "valid_from", "valid_to", "is_shown_now")
    readonly_fields = ("present_logo",)
    fieldsets = (
        (
            None,
            {
                "fields": (("version", "is_active"),),
                "description": "多个版本同时有效时，以最晚开始的为准；到期后自动恢复上一版本",
            },
        ),
        ("品牌", {"fields": (("brand_name", "slogan"), "present_logo", "picture")}),
        ("客户服务", {"fields": (("service_hours", "service_phone"),)}),
        ("页脚", {"fields": ("copyright_line", "licences", "business_licence")}),
        (
            "手机端二维码",
            {"fields": QR_FIELDS, "description": "填写扫码后打开的地址，二维码由系统生成"},
        ),
        ("生效时间", DATES),
    )

    @display(description="当前标识")
    def present_logo(self, setting: SiteSetting) -> str:
        """Return the current logo."""
        return preview(setting.logo)


auditlog.register(SiteSetting, exclude_fields=["updated_at"])


class BannerForm(forms.ModelForm[Banner]):
    """The picture is uploaded; the row stores its path."""

    picture = PictureField("图片")

    class Meta:
        model = Banner
        fields = [
            "place",
            "audience",
            "title",
            "text",
            "tone",
            "link",
            "position",
            "valid_from",
            "valid_to",
            "is_active",
        ]


@admin.register(Banner)
class BannerAdmin(ScheduledAdmin):
    form = BannerForm
    pictures = {"picture": "image"}
    list_display = (
        "title",
        "place",
        "audience",
        "position",
        "valid_from",
        "valid_to",
        "is_shown_now",
    )
    list_filter = ("place", "audience", "is_active")
    search_fields = ("title", "text")
    readonly_fields = ("present_picture",)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("place", "position"),
                    ("audience", "is_active"),
                    "title",
                    "text",
                    "link",
                    "tone",
                )
            },
        ),
        ("图片", {"fields": ("present_picture", "picture")}),
        ("展示时间", DATES),
    )

    @display(description="当前图片")
    def present_picture(self, banner: Banner) -> str:
        """Return the current picture."""
        return preview(banner.image)


auditlog.register(Banner, exclude_fields=["updated_at"])


@admin.register(Announcement)
class AnnouncementAdmin(ScheduledAdmin):
    list_display = ("title", "audience", "is_pinned", "valid_from", "valid_to", "is_shown_now")
    list_filter = ("audience", "is_pinned", "is_active")
    search_fields = ("title", "text")
    fieldsets = (
        (None, {"fields": ("title", "text", "link", ("audience", "is_pinned"), "is_active")}),
        ("展示时间", DATES),
    )


auditlog.register(Announcement, exclude_fields=["updated_at"])


@admin.register(SiteLink)
class SiteLinkAdmin(ScheduledAdmin):
    list_display = ("name", "place", "audience", "url", "position", "is_shown_now")
    list_filter = ("place", "audience", "is_active")
    search_fields = ("name", "url")
    fieldsets = (
        (None, {"fields": (("place", "position"), "name", "url", ("audience", "is_active"))}),
        ("展示时间", DATES),
    )


auditlog.register(SiteLink, exclude_fields=["updated_at"])
