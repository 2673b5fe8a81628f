"""Shared parts of the content pages: saving through the services, picture uploads, previews."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from unfold.widgets import UnfoldAdminImageFieldWidget, UnfoldAdminSplitDateTimeWidget

from apps.common.errors import DomainError
from apps.common.keys import key_of
from apps.content.admin.drafts import DraftMixin
from apps.content.models import Scheduled
from apps.content.selectors.preview import preview_token
from apps.content.selectors.site import picture_url
from apps.content.services.content_save import content_delete, content_picture, content_save
from apps.office.acts import Act
from apps.office.decorators import action, display, request_staff
from apps.office.lists import OfficeAdmin

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
        upload = super().clean(data, initial)
        if not upload:
            return ""
        try:
            return content_picture(upload=upload)
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
        for upload, kept in self.pictures.items():
            setattr(obj, kept, form.cleaned_data.get(upload) or getattr(obj, kept))
        content_save(actor=request_staff(request), row=obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        content_delete(actor=request_staff(request), row=obj)

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
        row = get_object_or_404(self.model, pk=key_of(object_id))
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
    url = picture_url(path)
    return format_html('<img src="{}" alt="" height="96">', url) if url else "—"
