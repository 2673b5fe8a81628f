"""What the back office's fields with a search look their choices up by: relations alone, never what leads back to them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase


class ChoicesView(AutocompleteJsonView):
    """The library's, which takes a name of either end of a relation and fails at the other one."""

    def process_request(self, request: HttpRequest) -> Any:
        """Return what is asked for.

        Raises:
            PermissionDenied: it is no field that somebody chooses in.
        """
        found = super().process_request(request)
        if found[2].auto_created:
            raise PermissionDenied
        return found


def admin_choices(request: HttpRequest) -> HttpResponseBase:
    """Return the rows that a field offers for what was typed, as the library's own address of the same name."""
    return ChoicesView.as_view(admin_site=admin.site)(request)
