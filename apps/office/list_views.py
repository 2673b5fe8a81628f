"""Tabs above a list, saved views of its filters, and the download of the filtered rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode

from apps.common.errors import DomainError
from apps.common.models import ListView
from apps.common.numbers import parse_key
from apps.common.services.list_views import list_view_delete, list_view_save
from apps.office.pages import PageBase, get_request_staff

# Parameters of a list that are not filters: its page, and the hint after a wrong filter.
NO_FILTERS = ("p", "e", "all")


class ListViewsMixin(PageBase):
    """Mixin for a list. `tab_parameter` is the filter that the tabs set, and `tabs` are its values
    with their titles.
    """

    list_before_template = "admin/list_views.html"
    tab_parameter: ClassVar[str] = ""
    tabs: ClassVar[tuple[tuple[str, str], ...]] = ()

    def export_list(self, request: HttpRequest, rows: QuerySet[Any]) -> Any:
        """Return the download of the filtered rows. May raise a DomainError."""
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        wrap = self.admin_site.admin_view
        return [
            path("views/", wrap(self.save_list_view), name=f"{name}_views"),
            path("download/", wrap(self.download_list), name=f"{name}_download"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Add the tabs and the user's saved views to the list page."""
        query = _get_filters(request.GET)
        saved = ListView.objects.filter(
            owner=get_request_staff(request), page=self.opts.label_lower
        )
        context = {
            "tabs": self._tabs(request),
            "saved_views": [
                {
                    "pk": view.pk,
                    "name": view.name,
                    "query": view.query,
                    "is_open": view.query == query,
                }
                for view in saved
            ],
            "list_query": query,
        }
        return super().changelist_view(request, {**(extra_context or {}), **context})

    def _tabs(self, request: HttpRequest) -> list[dict[str, Any]]:
        """Return the tabs of the list, each with title, query string and whether it is open."""
        chosen_tab = request.GET.get(self.tab_parameter, "")
        tabs = []
        for value, title in (("", "全部"), *self.tabs):
            query = _drop_parameters(request.GET, (*NO_FILTERS, self.tab_parameter))
            if value:
                query[self.tab_parameter] = value
            tabs.append(
                {"title": title, "query": query.urlencode(), "is_open": value == chosen_tab}
            )
        return tabs

    def save_list_view(self, request: HttpRequest) -> HttpResponse:
        """Save the filters of the list under a name, or delete a saved view. Open the list."""
        if request.method != "POST":
            raise Http404
        if not self.has_view_permission(request):
            raise PermissionDenied
        owner, page = get_request_staff(request), self.opts.label_lower
        query = _get_filters(QueryDict(request.POST.get("query", "")))
        if "delete" in request.POST:
            if list_view_delete(owner=owner, page=page, pk=parse_key(request.POST["delete"])):
                messages.success(request, "已删除保存的筛选")
        else:
            name = request.POST.get("name", "")
            try:
                list_view_save(owner=owner, page=page, name=name, query=query)
            except DomainError as error:
                messages.error(request, error.text)
            else:
                messages.success(request, f"已保存筛选“{name.strip()}”")
        return HttpResponseRedirect(f"{self._list_page()}?{query}")

    def download_list(self, request: HttpRequest) -> Any:
        """Download the rows that the list shows with the filters of the query string."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            rows = self.get_changelist_instance(request).get_queryset(request)
            return self.export_list(request, rows)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{self._list_page()}?{urlencode({'e': 1})}")
        except DomainError as error:
            messages.error(request, error.text)
            return HttpResponseRedirect(f"{self._list_page()}?{_get_filters(request.GET)}")

    def _list_page(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")


def _get_filters(sent: QueryDict) -> str:
    """Return the filters and the search of a query string, without page and hint."""
    return _drop_parameters(sent, NO_FILTERS).urlencode()


def _drop_parameters(query_data: QueryDict, names: Iterable[str]) -> QueryDict:
    """Return a copy of a query string without these parameters."""
    query = query_data.copy()
    for name in names:
        query.pop(name, None)
    return query
