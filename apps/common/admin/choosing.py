"""Fields of forms that are no model's: a row chosen by search, with the look-up and the rights of the models' pages, and a day."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.db import models
from django.http import HttpRequest
from unfold.widgets import INPUT_CLASSES

from apps.common.keys import key_of


def day_input() -> forms.DateInput:
    """Return the browser's own calendar: the admin's needs scripts that pages of an act do not carry."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": " ".join(INPUT_CLASSES)})


class KeyedAutocomplete(AutocompleteSelect):
    """The library's, which looks up whatever was sent back: what is no key chooses nothing, and the field's own error says so."""

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        return super().optgroups(name, [each for each in value if key_of(each)], attrs)


class KeyedAutocompleteMultiple(AutocompleteSelectMultiple):
    """The same for several; sent back, what is no key is 0, which the field refuses: it looks all of them up at once."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [str(key_of(each)) for each in super().value_from_datadict(data, files, name)]

    def optgroups(self, name: str, value: Any, attrs: Any = None) -> Any:
        return super().optgroups(name, [each for each in value if key_of(each)], attrs)


class ChoosingMixin:
    """Gives the autocompletes of a page, or of a table below one, these widgets."""

    admin_site: Any

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):  # type: ignore[attr-defined]
            kwargs.setdefault("widget", KeyedAutocomplete(db_field, self.admin_site, using=kwargs.get("using")))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[misc]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):  # type: ignore[attr-defined]
            kwargs.setdefault("widget", KeyedAutocompleteMultiple(db_field, self.admin_site, using=kwargs.get("using")))
        return super().formfield_for_manytomany(db_field, request, **kwargs)  # type: ignore[misc]


def search_choice(model: type[models.Model], name: str, *, label: str, required: bool = False, help_text: str = "") -> Any:
    """Return a form's field that offers what the relation `name` of `model` offers; its form's `media` belongs into the page's head."""
    relation: Any = model._meta.get_field(name)
    return forms.ModelChoiceField(
        queryset=None,
        widget=KeyedAutocomplete(relation, admin.site, attrs={"class": "unfold-admin-autocomplete"}),
        label=label,
        required=required,
        help_text=help_text,
    )


def search_choices_open(form: forms.Form) -> None:
    """Let the form's search choices find their rows; called in its `__init__`, where the request's scope is open."""
    for field in form.fields.values():
        if isinstance(field.widget, AutocompleteSelect) and isinstance(field, forms.ModelChoiceField):
            field.queryset = field.widget.field.remote_field.model._default_manager.all()
