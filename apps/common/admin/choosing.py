"""A row chosen by search in a form that is no model's form: the same look-up, and the same rights, as on the models' pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models


def search_choice(model: type[models.Model], name: str, *, label: str, required: bool = False, help_text: str = "") -> Any:
    """Return a form's field that offers what the relation `name` of `model` offers; its form's `media` belongs into the page's head."""
    relation: Any = model._meta.get_field(name)
    return forms.ModelChoiceField(
        queryset=None,
        widget=AutocompleteSelect(relation, admin.site, attrs={"class": "unfold-admin-autocomplete"}),
        label=label,
        required=required,
        help_text=help_text,
    )


def search_choices_open(form: forms.Form) -> None:
    """Let the form's search choices find their rows; called in its `__init__`, where the request's scope is open."""
    for field in form.fields.values():
        if isinstance(field.widget, AutocompleteSelect) and isinstance(field, forms.ModelChoiceField):
            field.queryset = field.widget.field.remote_field.model._default_manager.all()
