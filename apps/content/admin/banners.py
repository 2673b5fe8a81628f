"""横幅 in the back office."""

from __future__ import annotations

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.utils import timezone
from unfold.decorators import display

from apps.content.admin.base import ContentAdmin, PictureField, preview
from apps.content.models import Banner


class BannerForm(forms.ModelForm):  # type: ignore[type-arg]
    """The picture is uploaded; the row keeps its path."""

    picture = PictureField("图片")

    class Meta:
        model = Banner
        fields = ["place", "title", "text", "tone", "link", "position", "valid_from", "valid_to", "is_active"]


@admin.register(Banner)
class BannerAdmin(ContentAdmin):
    form = BannerForm
    pictures = {"picture": "image"}
    list_display = ("title", "place", "tone", "position", "valid_from", "valid_to", "is_shown_now")
    list_filter = ("place", "is_active")
    search_fields = ("title", "text")
    readonly_fields = ("present_picture",)
    fieldsets = (
        (None, {"fields": (("place", "position"), "title", "text", "link", ("tone", "is_active"))}),
        ("图片", {"fields": ("present_picture", "picture")}),
        ("展示时间", {"fields": ("valid_from", "valid_to"), "description": "留空表示不限"}),
    )

    @display(description="展示中", boolean=True)  # type: ignore[untyped-decorator]
    def is_shown_now(self, banner: Banner) -> bool:
        """Return whether the page shows it now."""
        return banner.is_shown(timezone.now())

    @display(description="当前图片")  # type: ignore[untyped-decorator]
    def present_picture(self, banner: Banner) -> str:
        """Return the picture that is shown now."""
        return preview(banner.image)


auditlog.register(Banner, exclude_fields=["updated_at"])
