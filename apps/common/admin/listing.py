"""Lists of the back office open at once, however many rows there are: nothing is counted over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.paginator import Paginator
from django.db import DataError, IntegrityError
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin

from apps.common.admin.bounds import BoundedForm
from apps.common.admin.choosing import ChoosingMixin
from apps.common.admin.history import HistoryMixin
from apps.common.admin.searching import MOST_BESIDE, Search
from apps.common.admin.seen import SeenMixin
from apps.common.keys import key_of

# Further nobody leafs: who has more before him filters or searches.
MOST_COUNTED = 10_000
# What no page of ours asks of a column: the database would take any pattern, and long over some.
PATTERNS = ("__regex", "__iregex")


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


def number_of(rows: QuerySet[Any], name: str) -> Coalesce:
    """Return the number of rows that refer by the key `name` to each row of a query: counted for the rows of the page alone."""
    counted = rows.filter(**{name: OuterRef("pk")}).order_by().values(name).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


class ListedAdmin(BoundedForm, HistoryMixin, SeenMixin, ChoosingMixin, ModelAdmin):  # type: ignore[misc]
    """What every list of the back office is made from."""

    list_per_page = 50
    list_max_show_all = 200
    show_full_result_count = False
    paginator = BoundedPaginator

    def get_ordering(self, request: HttpRequest) -> Any:
        """Return the order of the list, newest first where its model has none: choices by search leaf through it too."""
        return super().get_ordering(request) or self.opts.ordering or ("-pk",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether the list may be asked for this in its address: as the library says, patterns never."""
        return not lookup.endswith(PATTERNS) and bool(super().lookup_allowed(lookup, value, request))

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list; asked for what no row can have, as a year 0, it is shown without its filters.

        Raises:
            IncorrectLookupParameters: the address asks for such a thing; the library leads to the list as it is.
        """
        try:
            return super().get_changelist_instance(request)
        except (ValueError, OverflowError, IndexError, DataError) as impossible:
            if not request.GET:
                raise
            raise IncorrectLookupParameters from impossible

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list, or act on chosen rows; what names no row chooses none."""
        if ACTION_CHECKBOX_NAME in request.POST and isinstance(self.opts.pk, IntegerField):
            form = request.POST.copy()
            form.setlist(ACTION_CHECKBOX_NAME, [each for each in form.getlist(ACTION_CHECKBOX_NAME) if key_of(each)])
            request.POST = form  # type: ignore[assignment]
        return super().changelist_view(request, extra_context)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show the form, or save it: of two who write the same at once the second finds the first's row, and is told beside the field."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:
            return super().changeform_view(request, *args, **kwargs)

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        """Return the rows in which every word is found; a list says when it went by the newest people, customers or goods alone."""
        if not search_term.strip():
            return queryset, False
        search = Search(self.get_search_fields(request), search_term)
        found = search.of(queryset)
        if search.is_cut and request.resolver_match and str(request.resolver_match.url_name).endswith("_changelist"):
            messages.info(request, f"含该词的客户、人员或商品超过 {MOST_BESIDE:,} 个，仅查找其中最新的；请输入更完整的名称，或单号查找")
        return found, False
