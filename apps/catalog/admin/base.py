"""Base classes of the catalogue's admin pages. They write through services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.catalog.services.changes import catalogue_row_delete, catalogue_row_save
from apps.office.choices import ChoiceWidgetsMixin
from apps.office.lists import OfficeAdmin
from apps.office.pages import get_request_staff


class CatalogueAdmin(OfficeAdmin):
    """Save and delete through the services. Each change writes a CatalogChange."""

    warn_unsaved_form = True
    compressed_fields = True
    list_filter_submit = True

    def save_model(
        self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool
    ) -> None:
        self.save_row(request, obj)
        self.after_change(request, [(obj, form.changed_data)] if change else [])

    def save_row(self, request: HttpRequest, row: Any) -> None:
        """Save one row of the page or of one of its inlines."""
        catalogue_row_save(actor=get_request_staff(request), row=row)

    def after_change(
        self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]
    ) -> None:
        """Show messages about saved rows. `changed` holds each row with the names of its
        changed fields.

        Does nothing by default.
        """

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        catalogue_row_delete(actor=get_request_staff(request), row=obj)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def save_formset(
        self, request: HttpRequest, form: ModelForm[Any], formset: Any, change: bool
    ) -> None:
        """Save and delete the rows of an inline table with the services, one by one."""
        rows = formset.save(commit=False)
        for row in formset.deleted_objects:
            catalogue_row_delete(actor=get_request_staff(request), row=row)
        for row in rows:
            self.save_row(request, row)
        formset.save_m2m()
        self.after_change(request, formset.changed_objects)


class CatalogueInline(ChoiceWidgetsMixin, TabularInline):
    """An inline table with 20 rows per page."""

    extra = 0
    per_page = 20
    show_change_link = False
