"""Back office: help and about pages. The set of pages is fixed; staff edit their text."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import Script
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.common.numbers import key_of
from apps.content.admin.base import ContentAdmin
from apps.content.markdown import markdown_render
from apps.content.models import ContentPage
from apps.office.pages import display

MAX_LENGTH = 20_000


def render_page(title: str, summary: str, body: str) -> SafeString:
    """Return the page as readers see it. HTML in the text is escaped."""
    return format_html("<h1>{}</h1><p>{}</p>{}", title, summary, markdown_render(body))


@admin.register(ContentPage)
class ContentPageAdmin(ContentAdmin):
    class Media:
        js = (Script("office/preview.js", defer=True),)

    list_display = ("title", "kind", "path", "updated_at")
    list_filter = ("kind",)
    search_fields = ("title", "summary", "body")
    readonly_fields = ("kind", "path", "shown")
    fieldsets = (
        (None, {"fields": (("kind", "path"), "title", "summary", "body")}),
        (
            "页面效果",
            {
                "fields": ("shown",),
                "description": "随输入更新，与读者看到的一致；保存后读者才能看到",
            },
        ),
    )

    @display(description="地址")
    def path(self, page: ContentPage) -> str:
        return page.path

    @display(description="")
    def shown(self, page: ContentPage) -> str:
        """Return the preview of the page. The script updates it with `shown_view` while staff
        type.
        """
        address = reverse("admin:content_contentpage_shown", args=[page.pk])
        status = '<p id="page-shown-said" class="office-help" role="status"></p>'
        place = status + '<div id="page-shown" class="prose max-w-none" data-page="{}">{}</div>'
        return format_html(place, address, render_page(page.title, page.summary, page.body))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.shown_view)
        return [
            path("<int:object_id>/shown/", view, name="content_contentpage_shown"),
            *super().get_urls(),
        ]

    def shown_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Return the preview of the form's text. Nothing is saved."""
        if (
            request.method != "POST"
            or not ContentPage.objects.filter(pk=key_of(object_id)).exists()
        ):
            raise Http404
        if not self.has_view_permission(request):
            raise PermissionDenied
        texts = (request.POST.get(name, "")[:MAX_LENGTH] for name in ("title", "summary", "body"))
        return HttpResponse(render_page(*texts))

    def view_on_site(self, page: ContentPage) -> str:
        return page.path

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


auditlog.register(ContentPage, exclude_fields=["updated_at"])
