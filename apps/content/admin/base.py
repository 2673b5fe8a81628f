"""What the pages of content share: saves through the services, pictures through the one intake."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.html import format_html
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminImageFieldWidget

from apps.common.errors import DomainError
from apps.content.selectors.site import picture_url
from apps.content.services.content_save import content_delete, content_picture, content_save


class PictureField(forms.FileField):
    """An upload that is cleaned to the path of the stored picture; empty leaves the present one."""

    def __init__(self, label: str) -> None:
        help_text = "PNG、JPEG 或 WebP，2MB 以内"
        super().__init__(label=label, required=False, widget=UnfoldAdminImageFieldWidget, help_text=help_text)

    def clean(self, data: Any, initial: Any = None) -> str:
        upload = super().clean(data, initial)
        if not upload:
            return ""
        try:
            return content_picture(upload=upload)
        except DomainError as error:
            raise forms.ValidationError(error.text) from error


class ContentAdmin(ModelAdmin):  # type: ignore[misc]
    """Saves and deletes through the services."""

    list_per_page = 50
    warn_unsaved_form = True
    list_filter_submit = True
    # field of the form → field of the row it fills
    pictures: dict[str, str] = {}

    def save_model(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        for upload, kept in self.pictures.items():
            setattr(obj, kept, form.cleaned_data.get(upload) or getattr(obj, kept))
        content_save(actor=request.user, row=obj)  # type: ignore[arg-type]

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        content_delete(actor=request.user, row=obj)  # type: ignore[arg-type]

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)


def preview(path: str) -> str:
    """Return the picture as the page shows it; a dash for none."""
    url = picture_url(path)
    return format_html('<img src="{}" alt="" height="96">', url) if url else "—"
