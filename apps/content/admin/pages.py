"""帮助与关于页面 in the back office: the spec fixes which there are, the staff write them."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from unfold.decorators import display

from apps.content.admin.base import ContentAdmin
from apps.content.markdown import markdown_render
from apps.content.models import ContentPage


@admin.register(ContentPage)
class ContentPageAdmin(ContentAdmin):
    list_display = ("title", "kind", "path", "updated_at")
    list_filter = ("kind",)
    search_fields = ("title", "summary", "body")
    readonly_fields = ("kind", "path", "shown")
    fieldsets = (
        (None, {"fields": (("kind", "path"), "title", "summary", "body")}),
        ("页面效果", {"fields": ("shown",), "description": "保存后更新"}),
    )

    @display(description="地址")  # type: ignore[untyped-decorator]
    def path(self, page: ContentPage) -> str:
        return page.path

    @display(description="")  # type: ignore[untyped-decorator]
    def shown(self, page: ContentPage) -> str:
        """Return the page as readers see it; the renderer lets no HTML of the text through."""
        return format_html('<div class="prose max-w-none">{}</div>', markdown_render(page.body))

    def view_on_site(self, page: ContentPage) -> str:
        return page.path

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


auditlog.register(ContentPage, exclude_fields=["updated_at"])
