"""Autocomplete for fields of the back office. Only forward relations may be searched."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase


class ChoicesView(AutocompleteJsonView):
    """Django's autocomplete view, which fails with a server error for the reverse end of a
    relation.
    """

    def process_request(self, request: HttpRequest) -> Any:
        """Return the parsed request as Django's view does.

        Raises:
            PermissionDenied: the field is not a forward relation.
        """
        term, model_admin, source_field, to_field = super().process_request(request)
        if source_field.auto_created:
            raise PermissionDenied
        return term, model_admin, source_field, to_field

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, Any]:
        """Return a choice. The page of its model may define `choice_text` for rows whose name alone
        does not tell them apart.
        """
        choice: dict[str, Any] = super().serialize_result(obj, to_field_name)
        choice_text = getattr(self.model_admin, "choice_text", None)
        return {**choice, "text": choice_text(obj)} if choice_text else choice


def admin_choices(request: HttpRequest) -> HttpResponseBase:
    """Return the choices of a field for the typed text, at the address of Django's own view."""
    return ChoicesView.as_view(admin_site=admin.site)(request)
