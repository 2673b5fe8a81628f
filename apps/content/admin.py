"""The content of the site in the back office: 站点信息, 横幅, 公告 and 站点链接 with their dates,
and the help and about pages.

The set of pages is fixed; staff edit their text. Everything is saved through the services.
"""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm, Script
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminImageFieldWidget, UnfoldAdminSplitDateTimeWidget

from apps.common.errors import DomainError
from apps.common.numbers import parse_key
from apps.content.markdown import markdown_render
from apps.content.models import Announcement, Banner, ContentPage, Scheduled, SiteLink, SiteSetting
from apps.content.selectors.site import get_picture_url, preview_token
from apps.content.services import content_delete, content_picture_store, content_save
from apps.office.acts import Act
from apps.office.lists import OfficeAdmin
from apps.office.pages import PageBase, action, display, get_request_staff
from apps.office.stale_forms import drop_marks


class DraftMixin(PageBase):
    """Adds a button that opens the real page with the content of the form. Nothing is saved."""

    change_form_after_template = "admin/content/draft.html"

    def get_urls(self) -> list[URLPattern]:
        view, name = (
            self.admin_site.admin_view(self.draft_view),
            f"{self.opts.app_label}_{self.opts.model_name}_draft",
        )
        addresses = [
            path("draft/", view, name=name),
            path("<int:object_id>/draft/", view, name=name),
        ]
        return [*addresses, *super().get_urls()]

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """Add the address of the draft preview to the form's page."""
        page = reverse(
            f"admin:{self.opts.app_label}_{self.opts.model_name}_draft",
            args=[obj.pk] if obj else [],
        )
        context["draft_page"] = page
        return super().render_change_form(
            request, context, add=add, change=change, form_url=form_url, obj=obj
        )

    def draft_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Redirect to the real page with the content of the form, at its start time if that is
        in the future. Pictures stay the stored ones.
        """
        row = self._get_row_to_preview(request, object_id)
        drop_marks(request)
        form = self.get_form(request, row, change=row is not None)(request.POST, instance=row)
        if not form.is_valid():
            label = f"admin:{self.opts.app_label}_{self.opts.model_name}"
            for name, texts in form.errors.items():
                field = form.fields.get(name)
                label_text = f"{field.label}：" if field else ""
                messages.error(request, f"无法预览：{label_text}{'；'.join(map(str, texts))}")
            return HttpResponseRedirect(
                reverse(f"{label}_change", args=[row.pk]) if row else reverse(f"{label}_add")
            )
        draft: Scheduled = form.save(commit=False)
        draft.created_at, draft.updated_at = draft.created_at or timezone.now(), timezone.now()
        at = max(draft.valid_from or timezone.now(), timezone.now())
        return HttpResponseRedirect(f"/?preview={preview_token(at=at, row=draft, unsaved=True)}")

    def _get_row_to_preview(self, request: HttpRequest, object_id: int | None) -> Any:
        """Return the stored row of a preview, None for a new one. Check the method and the
        permission.
        """
        if request.method != "POST":
            raise Http404
        row = self.get_object(request, str(parse_key(object_id))) if object_id else None
        if object_id and row is None:
            raise Http404
        may = self.has_change_permission(request, row) if row else self.has_add_permission(request)
        if not may:
            raise PermissionDenied
        return row


DATES: Any = {
    "fields": ("valid_from", "valid_to"),
    "description": "留空表示不限；到点即生效，无需发布",
}


class PictureField(forms.FileField):
    """An upload, cleaned to the path of the stored picture. Empty keeps the current picture."""

    def __init__(self, label: str) -> None:
        help_text = "PNG、JPEG 或 WebP，2MB 以内"
        super().__init__(
            label=label, required=False, widget=UnfoldAdminImageFieldWidget, help_text=help_text
        )

    def clean(self, data: Any, initial: Any = None) -> str:
        """Store the uploaded picture and return its path. "" without an upload."""
        upload = super().clean(data, initial)
        if not upload:
            return ""
        try:
            return content_picture_store(upload=upload)
        except DomainError as error:
            raise forms.ValidationError(error.text) from error


class MomentForm(forms.Form):
    """The moment to preview."""

    at = forms.SplitDateTimeField(label="查看时刻", widget=UnfoldAdminSplitDateTimeWidget)


class ContentAdmin(OfficeAdmin):
    """Saves and deletes through the services."""

    warn_unsaved_form = True
    list_filter_submit = True
    # {form field: the row's field it fills}
    pictures: dict[str, str] = {}

    def save_model(
        self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool
    ) -> None:
        for upload, field in self.pictures.items():
            setattr(obj, field, form.cleaned_data.get(upload) or getattr(obj, field))
        content_save(actor=get_request_staff(request), row=obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        content_delete(actor=get_request_staff(request), row=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)


class ScheduledAdmin(DraftMixin, ContentAdmin):
    """Content with dates, with previews of the real page."""

    actions_list = ("preview_moment",)
    actions_detail = ("preview_row",)

    @display(description="展示中", boolean=True)
    def is_shown_now(self, row: Scheduled) -> bool:
        """Return whether the page shows the row now."""
        return row.is_shown(timezone.now())

    @action(
        description="预览已保存的内容",
        url_path="preview",
        icon="visibility",
        permissions=["view"],
        attrs={"target": "_blank"},
    )
    def preview_row(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Redirect to the real page with this row, at its start time if that is in the future."""
        row = get_object_or_404(self.model, pk=parse_key(object_id))
        at = max(row.valid_from or timezone.now(), timezone.now())
        return HttpResponseRedirect(f"/?preview={preview_token(at=at, row=row)}")

    @action(
        description="预览某一时刻",
        url_path="preview-moment",
        icon="history_toggle_off",
        permissions=["view"],
    )
    def preview_moment(self, request: HttpRequest) -> HttpResponse:
        """Ask for a moment and redirect to the real page at that moment."""
        form = MomentForm(request.POST or None, initial={"at": timezone.now()})
        if form.is_valid():
            return HttpResponseRedirect(f"/?preview={preview_token(at=form.cleaned_data['at'])}")
        page = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        notice = "打开商城首页，显示所有内容在该时刻的样子；预览链接 30 分钟内有效。"
        act = Act("预览某一时刻", "站点内容", page, form, notice=notice)
        context = {
            **self.admin_site.each_context(request),
            "title": act.title,
            "act": act,
            "form": form,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/act.html", context)


def preview(path: str) -> str:
    """Return the picture as HTML; a dash if there is none."""
    url = get_picture_url(path)
    return format_html('<img src="{}" alt="" height="96">', url) if url else "—"


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
    """站点信息 with its dates: name, logo, licences and contact of the mall."""

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
    """Banners of the start page with their pictures and dates."""

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


MAX_LENGTH = 20_000


def render_page(title: str, summary: str, body: str) -> SafeString:
    """Return the page as readers see it. HTML in the text is escaped."""
    return format_html("<h1>{}</h1><p>{}</p>{}", title, summary, markdown_render(body))


@admin.register(ContentPage)
class ContentPageAdmin(ContentAdmin):
    """The help and about pages. A page is edited, but not added or deleted, because the site links
    to its path.
    """

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
            or not ContentPage.objects.filter(pk=parse_key(object_id)).exists()
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
