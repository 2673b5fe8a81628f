"""站点信息 in the back office: one row, neither added twice nor deleted."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.decorators import display

from apps.content.admin.base import ContentAdmin, PictureField, preview
from apps.content.models import SiteSetting


class SiteSettingForm(forms.ModelForm):  # type: ignore[type-arg]
    """The three codes are uploaded as pictures; the row keeps their paths."""

    android = PictureField("安卓客户端二维码")
    official = PictureField("公众号二维码")
    mini_program = PictureField("小程序二维码")

    class Meta:
        model = SiteSetting
        fields = ["brand_name", "slogan", "copyright_line", "licences", "business_licence", "service_hours", "service_phone"]


@admin.register(SiteSetting)
class SiteSettingAdmin(ContentAdmin):
    form = SiteSettingForm
    pictures = {"android": "qr_android", "official": "qr_official", "mini_program": "qr_mini_program"}
    list_display = ("__str__", "slogan", "service_hours", "updated_at")
    readonly_fields = ("android_now", "official_now", "mini_program_now")
    fieldsets = (
        ("品牌", {"fields": (("brand_name", "slogan"),)}),
        ("客户服务", {"fields": (("service_hours", "service_phone"),)}),
        ("页脚", {"fields": ("copyright_line", "licences", "business_licence")}),
        ("手机端二维码", {"fields": (("android_now", "android"), ("official_now", "official"), ("mini_program_now", "mini_program"))}),
    )

    @display(description="安卓客户端")  # type: ignore[untyped-decorator]
    def android_now(self, setting: SiteSetting) -> str:
        return preview(setting.qr_android)

    @display(description="公众号")  # type: ignore[untyped-decorator]
    def official_now(self, setting: SiteSetting) -> str:
        return preview(setting.qr_official)

    @display(description="小程序")  # type: ignore[untyped-decorator]
    def mini_program_now(self, setting: SiteSetting) -> str:
        return preview(setting.qr_mini_program)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(super().has_add_permission(request)) and not SiteSetting.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


auditlog.register(SiteSetting, exclude_fields=["updated_at"])
