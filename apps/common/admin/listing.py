"""Lists of the back office open at once, however many rows there are: nothing is counted over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin

# Further nobody leafs: who has more before him filters or searches.
MOST_COUNTED = 10_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts to 10,000 and no further; the pages end there, and the list says so."""

    template_name = "admin/bounded_pagination.html"

    @cached_property
    def _counted(self) -> int:
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return rows.order_by().values("pk")[: MOST_COUNTED + 1].count()
        return len(rows)

    @cached_property
    def count(self) -> int:
        """How many rows there are to leaf through, 10,000 at most."""
        return min(self._counted, MOST_COUNTED)

    @property
    def has_more(self) -> bool:
        """Whether there are rows beyond those that can be leafed through."""
        return self._counted > MOST_COUNTED


def told_values(name: str, title: str, values: Sequence[tuple[Any, str]]) -> type[admin.SimpleListFilter]:
    """Return a filter of a field by values that are told, instead of gathered from every row."""

    class Told(admin.SimpleListFilter):
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(str(value), text) for value, text in values]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            known = {str(value) for value, _text in values}
            return queryset.filter(**{name: self.value()}) if self.value() in known else queryset

    Told.title = title
    return Told


class ListedAdmin(ModelAdmin):  # type: ignore[misc]
    """What every list of the back office is made from."""

    list_per_page = 50
    list_max_show_all = 200
    show_full_result_count = False
    paginator = BoundedPaginator
