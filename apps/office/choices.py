"""Form fields and widgets that choose a row by search, within one group if needed, or a day.

The search uses the look-up and the permissions of the model's own page.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from unfold.widgets import INPUT_CLASSES

from apps.common.numbers import parse_key
from apps.office.pages import PageBase, PageOrInlineBase


def build_day_input() -> forms.DateInput:
    """Return the browser's date input. The admin's widget needs scripts that action pages lack."""
    return forms.DateInput(
        format="%Y-%m-%d", attrs={"type": "date", "class": " ".join(INPUT_CLASSES)}
    )


class OneSelect2Mixin:
    """Loads the file of select2 that unfold's widgets load.

    Django loads the minified one. With both on a page the texts of the search are English.
    """

    @property
    def media(self) -> forms.Media:
        media: Any = super().media  # type: ignore[misc]
        scripts = [path.replace("select2.full.min.js", "select2.full.js") for path in media._js]
        return forms.Media(css=media._css, js=scripts)


class KeyedAutocomplete(OneSelect2Mixin, AutocompleteSelect):
    """An autocomplete that ignores values which are not primary keys.

    Django's widget would look them up and fail. Here the field reports its own error.
    """

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        return super().optgroups(name, [each for each in value if parse_key(each)], attrs)


class KeyedAutocompleteMultiple(OneSelect2Mixin, AutocompleteSelectMultiple):
    """The same for several values. A malformed key becomes 0, which the field refuses."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [str(parse_key(each)) for each in super().value_from_datadict(data, files, name)]

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        return super().optgroups(name, [each for each in value if parse_key(each)], attrs)


class ChoiceWidgetsMixin(PageOrInlineBase):
    """Uses these widgets for the autocomplete fields of a page or an inline table."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault(
                "widget", KeyedAutocomplete(db_field, self.admin_site, using=kwargs.get("using"))
            )
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault(
                "widget",
                KeyedAutocompleteMultiple(db_field, self.admin_site, using=kwargs.get("using")),
            )
        return super().formfield_for_manytomany(db_field, request, **kwargs)


def search_choice(
    model: type[models.Model], name: str, *, label: str, required: bool = False, help_text: str = ""
) -> Any:
    """Return a form field that searches the rows which the relation `name` of `model` may refer to.

    The page must include the form's `media` in its head.
    """
    relation: Any = model._meta.get_field(name)
    return forms.ModelChoiceField(
        queryset=None,
        widget=KeyedAutocomplete(
            relation, admin.site, attrs={"class": "unfold-admin-autocomplete"}
        ),
        label=label,
        required=required,
        help_text=help_text,
    )


def open_search_choices(form: forms.Form) -> None:
    """Set the querysets of the form's search fields.

    Call it in the form's `__init__`, because the tenant scope of the request is open there.
    """
    for field in form.fields.values():
        if isinstance(field.widget, AutocompleteSelect) and isinstance(
            field, forms.ModelChoiceField
        ):
            field.queryset = field.widget.field.remote_field.model._default_manager.all()


PARAMETER = "of_group"


def limit_to_group(widget: Any, *, group_id: int) -> None:
    """Make an autocomplete widget, or the one inside its wrapper, search one group."""
    limit_search(widget, f"{PARAMETER}={group_id}")


def limit_search(widget: Any, query: str) -> None:
    """Send `query` with each search of an autocomplete widget, or of the one inside its wrapper.
    The page of the searched model reads it in `get_search_results`.
    """
    inner = getattr(widget, "widget", widget)
    address = reverse("admin:autocomplete")
    inner.get_url = lambda: f"{address}?{query}"


class GroupSearchMixin(PageBase):
    """Mixin for the ModelAdmin of a tenant-owned model that such a widget searches."""

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the matches, limited to the group in the query string if there is one, and whether
        rows can repeat. A malformed group key matches nothing.
        """
        rows, may_have_duplicates = super().get_search_results(request, queryset, search_term)
        if PARAMETER in request.GET:
            rows = rows.filter(group_id=parse_key(request.GET[PARAMETER]))
        return rows, may_have_duplicates
