"""横幅 in the back office."""

from __future__ import annotations

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin

from apps.content.admin.base import DATES, PictureField, ScheduledAdmin, preview
from apps.content.models import Banner
from apps.office.decorators import display


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
