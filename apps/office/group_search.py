"""Autocomplete within one group: the widget sends the group, the searched page filters."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from apps.common.keys import key_of
from apps.office.bases import PageBase

PARAMETER = "of_group"


def limit_to_group(widget: Any, *, group_id: int) -> None:
    """Make an autocomplete widget, or the one inside its wrapper, search one group."""
    inner = getattr(widget, "widget", widget)
    address = reverse("admin:autocomplete")
    inner.get_url = lambda: f"{address}?{PARAMETER}={group_id}"


class GroupSearchMixin(PageBase):
    """Mixin for the ModelAdmin of a tenant-owned model that such a widget searches."""

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the matches, limited to the group in the query string, if there is one.

        A malformed group key matches nothing.
        """
        found, may_have_duplicates = super().get_search_results(request, queryset, search_term)
        if PARAMETER in request.GET:
            found = found.filter(group_id=key_of(request.GET[PARAMETER]))
        return found, may_have_duplicates
