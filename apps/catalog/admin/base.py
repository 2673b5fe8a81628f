"""What the catalogue's admin pages share: writes through services, pages that count exactly, imports, exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.catalog.services.terms_save import catalogue_row_delete, catalogue_row_save
from apps.common.admin.choosing import ChoosingMixin
from apps.common.admin.listing import ListedAdmin


class CatalogueAdmin(ListedAdmin):
    """Saves and deletes through the services, so that each change leaves a CatalogChange."""

    warn_unsaved_form = True
    compressed_fields = True
    list_filter_submit = True

    def save_model(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        catalogue_row_save(actor=request.user, row=obj)  # type: ignore[arg-type]
        self.after_change(request, [(obj, form.changed_data)] if change else [])

    def after_change(self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]) -> None:
        """Say what is to be said of rows that a service has just changed, each with the names of its changed fields; nothing by default."""

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        catalogue_row_delete(actor=request.user, row=obj)  # type: ignore[arg-type]

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def save_formset(self, request: HttpRequest, form: ModelForm[Any], formset: Any, change: bool) -> None:
        rows = formset.save(commit=False)
        for row in formset.deleted_objects:
            catalogue_row_delete(actor=request.user, row=row)  # type: ignore[arg-type]
        for row in rows:
            catalogue_row_save(actor=request.user, row=row)  # type: ignore[arg-type]
        formset.save_m2m()
        self.after_change(request, formset.changed_objects)


class CatalogueInline(ChoosingMixin, TabularInline):  # type: ignore[misc]
    """A table of rows below their owner, paged where they are many."""

    extra = 0
    per_page = 20
    show_change_link = False
