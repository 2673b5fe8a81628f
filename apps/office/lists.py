"""The base of all lists of the back office, and of its read-only pages and inline tables. No query
counts or sorts a whole large table.

Changes on read-only pages are actions that call services.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.paginator import Paginator
from django.db import DataError, IntegrityError
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponseRedirect, QueryDict
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin, TabularInline

from apps.common.numbers import parse_key
from apps.office.choices import ChoiceWidgetsMixin
from apps.office.dossier import HistoryMixin
from apps.office.pages import PageBase
from apps.office.search import MAX_RELATED, Search
from apps.office.stale_forms import StaleFormMixin

# Inline rows that one form may send. Inline tables show 20 or 50 rows per page.
MAX_ROWS = 200
COUNTS = ("-TOTAL_FORMS", "-INITIAL_FORMS")
PAGE = "-page"
COUNT = re.compile("[0-9]{1,6}")
TOO_MANY = f"提交的明细行数有误或超过 {MAX_ROWS} 行，本次没有保存；请刷新页面后分几次填写"


# Rows that can be reached by paging; beyond them staff filter or search.
MAX_COUNTED = 10_000
# Lookups that no page needs; some patterns would run for minutes in the database.
PATTERNS = ("__regex", "__iregex")


class BoundedFormMixin(PageBase):
    """Mixin for every page: refuse a form with too many rows, and ignore malformed page numbers."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Refuse a form with more inline rows than allowed, and drop malformed page numbers."""
        request.GET = _drop_unknown_pages(request.GET)
        if request.method == "POST":
            request.POST = _drop_unknown_pages(request.POST)
            if any(
                not _is_count(value)
                for name, value in request.POST.items()
                if name.endswith(COUNTS)
            ):
                messages.error(request, TOO_MANY)
                return HttpResponseRedirect(request.path)
        return super().changeform_view(request, *args, **kwargs)


def _is_count(value: object) -> bool:
    return bool(COUNT.fullmatch(str(value))) and int(str(value)) <= MAX_ROWS


def _drop_unknown_pages(data: QueryDict) -> Any:
    """Return the data without malformed page numbers."""
    malformed_names = [
        name for name in data if name.endswith(PAGE) and not COUNT.fullmatch(str(data[name]))
    ]
    if not malformed_names:
        return data
    parameters = data.copy()
    for name in malformed_names:
        del parameters[name]
    return parameters


class BoundedPaginator(Paginator[Any]):
    """Counts at most 10,000 rows. The pages end there, and the list shows a hint."""

    template_name = "admin/bounded_pagination.html"

    @cached_property
    def _bounded_count(self) -> int:
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return rows.order_by().values("pk")[: MAX_COUNTED + 1].count()
        return len(rows)

    @cached_property
    def count(self) -> int:
        """Number of rows that can be reached by paging, at most 10,000."""
        return min(self._bounded_count, MAX_COUNTED)

    @property
    def has_more(self) -> bool:
        """Whether there are more rows than paging can reach."""
        return self._bounded_count > MAX_COUNTED


def build_value_filter(
    name: str, title: str, values: Sequence[tuple[Any, str]]
) -> type[admin.SimpleListFilter]:
    """Return a filter class for the field `name`. `values` are (value, text) pairs, so that no
    query collects them from rows. Any other value in the URL filters nothing.
    """

    class ValueFilter(admin.SimpleListFilter):
        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [(str(value), text) for value, text in values]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            choices = {str(value) for value, _text in values}
            return queryset.filter(**{name: self.value()}) if self.value() in choices else queryset

    ValueFilter.title = title
    return ValueFilter


def count_related(rows: QuerySet[Any], name: str) -> Coalesce:
    """Return an expression that counts the `rows` whose foreign key `name` refers to the outer row.

    The database evaluates it only for the rows of the page.
    """
    counts = (
        rows.filter(**{name: OuterRef("pk")})
        .order_by()
        .values(name)
        .annotate(number=Count("pk"))
        .values("number")
    )
    return Coalesce(Subquery(counts, output_field=IntegerField()), 0)


class OfficeAdmin(BoundedFormMixin, HistoryMixin, StaleFormMixin, ChoiceWidgetsMixin, ModelAdmin):
    """The base class of the pages of the back office."""

    list_per_page = 50
    list_max_show_all = 200
    show_full_result_count = False
    paginator = BoundedPaginator

    def get_ordering(self, request: HttpRequest) -> Any:
        """Return the ordering, newest first by default. Autocomplete uses it too."""
        return super().get_ordering(request) or self.opts.ordering or ("-pk",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether the query string may contain this lookup; patterns are never allowed."""
        return not lookup.endswith(PATTERNS) and bool(
            super().lookup_allowed(lookup, value, request)
        )

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list.

        Raises:
            IncorrectLookupParameters: a filter has an impossible value, such as the year 0. Django
                then redirects to the unfiltered list.
        """
        try:
            return super().get_changelist_instance(request)
        except (ValueError, OverflowError, IndexError, DataError) as error:
            if not request.GET:
                raise
            raise IncorrectLookupParameters from error

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Show the list, or run an action on the chosen rows. Malformed keys are ignored."""
        if ACTION_CHECKBOX_NAME in request.POST and isinstance(self.opts.pk, IntegerField):
            form: Any = request.POST.copy()
            form.setlist(
                ACTION_CHECKBOX_NAME,
                [each for each in form.getlist(ACTION_CHECKBOX_NAME) if parse_key(each)],
            )
            request.POST = form
        return super().changelist_view(request, extra_context)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show or save the form.

        If a concurrent save violates a unique constraint, validate again: the form then finds the
        other row and shows the error beside the field.
        """
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:
            return super().changeform_view(request, *args, **kwargs)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows that contain every word, and whether rows can repeat.

        The list shows a hint if the search used only the newest related rows.
        """
        if not search_term.strip():
            return queryset, False
        search = Search(self.get_search_fields(request), search_term)
        matches = search.filter(queryset)
        if (
            search.is_cut
            and request.resolver_match
            and str(request.resolver_match.url_name).endswith("_changelist")
        ):
            messages.info(
                request,
                f"含该词的客户、人员或商品超过 {MAX_RELATED:,} 个，仅查找其中最新的；"
                "请输入更完整的名称，或单号查找",
            )
        return matches, False


class ReadOnlyPermissionsMixin:
    """Denies add, change and delete."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnlyPermissionsMixin, OfficeAdmin):
    """A page without a save button.

    The change permission allows the page's actions (`permissions=["act"]`).
    """

    list_filter_submit = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(self._may(request, "view") or self._may(request, "change"))

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the person may run actions. The services check the state of each row."""
        return self._may(request, "change")

    def _may(self, request: HttpRequest, verb: str) -> bool:
        return bool(request.user.has_perm(f"{self.opts.app_label}.{verb}_{self.opts.model_name}"))


class ReadOnlyInline(ReadOnlyPermissionsMixin, TabularInline):
    """A read-only inline table. It is visible to everybody who may view the parent row."""

    # Relations to fetch together with the rows.
    list_select_related: tuple[str, ...] = ()
    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False
    hide_title = True
    # The template writes a hint below a table without rows.
    template_after = "admin/inline_empty.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.list_select_related) if self.list_select_related else rows
