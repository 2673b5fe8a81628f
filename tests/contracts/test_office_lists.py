"""Lists and forms of the back office open quickly with any number of rows: nothing counts or
offers a whole table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteMixin
from django.db import connection, models
from django.forms import ModelChoiceField
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.common.tenancy import no_scope, platform_scope
from apps.office import lists as listing
from apps.office.lists import BoundedPaginator
from apps.org.models import Account, Group
from apps.org.tests.factories import GroupFactory
from apps.org.tests.office import open_office

# Tables that staff fill by hand and that stay short: these may be offered whole, and gone through
# for a filter.
SHORT = {
    "aftersales.ReturnPolicy",
    "auth.Group",
    "auth.Permission",
    "search.HotKeyword",
    "catalog.MenuGroup",
    "search.SearchSynonym",
    "selection.SelectionScenario",
    "content.Announcement",
    "content.Banner",
    "calendar.CalendarDay",
    "content.ContentPage",
    "content.SiteLink",
    "content.SiteSetting",
    "contenttypes.ContentType",
    "django_celery_beat.ClockedSchedule",
    "django_celery_beat.CrontabSchedule",
    "django_celery_beat.IntervalSchedule",
    "django_celery_beat.PeriodicTask",
    "django_celery_beat.SolarSchedule",
    "orders.FreightRegion",
}
LONG = [
    (model, page) for model, page in admin.site._registry.items() if model._meta.label not in SHORT
]
every_long_list = pytest.mark.parametrize(
    ("model", "page"), LONG, ids=lambda each: getattr(getattr(each, "_meta", None), "label", "")
)


def list_fields(page: admin.ModelAdmin[Any]) -> list[models.Field[Any, Any]]:
    """Return the fields that the list filters without a filter class of its own."""
    names = [each for each in page.list_filter if isinstance(each, str)]
    return [path_end(page.model, name) for name in names]


def path_end(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    *way, last = name.split("__")
    for step in way:
        model = model._meta.get_field(step).related_model  # type: ignore[assignment]
    field: models.Field[Any, Any] = model._meta.get_field(last)  # type: ignore[assignment]
    return field


@every_long_list
def test_a_list_counts_no_further_than_it_leafs(
    model: type[models.Model], page: admin.ModelAdmin[Any]
) -> None:
    assert issubclass(page.paginator, BoundedPaginator)
    assert not page.show_full_result_count
    assert page.list_per_page <= 100
    assert page.list_max_show_all <= 200
    assert page.date_hierarchy is None, "it goes through every row for its years: filter by a range"


@every_long_list
def test_a_list_is_not_grouped_over_all_rows_below_it(
    staff: Account, model: type[models.Model], page: admin.ModelAdmin[Any]
) -> None:
    """A Count over a join reads both tables before the first page; `number_of` counts only for
    the page's rows.
    """
    request = RequestFactory().get("/admin/")
    request.user = staff
    with platform_scope(reason="test: lists of the back office"):
        assert page.get_queryset(request).query.group_by is None


@every_long_list
def test_list_filters_use_only_short_or_searched_values(
    model: type[models.Model], page: admin.ModelAdmin[Any]
) -> None:
    for field in list_fields(page):
        is_told = bool(field.choices) or isinstance(field, models.BooleanField | models.DateField)
        is_short = field.is_relation and field.related_model._meta.label in SHORT
        assert is_told or is_short, (
            f"{field.name}: every value of the table would be gathered for its filter"
        )
    for each in page.list_filter:
        if isinstance(each, tuple | list) and path_end(model, each[0]).is_relation:
            assert issubclass(each[1], AutocompleteSelectFilter), each


@pytest.mark.parametrize(
    "page", admin.site._registry.values(), ids=lambda page: page.model._meta.label
)
def test_form_uses_autocomplete_for_large_relations(
    staff: Account, page: admin.ModelAdmin[Any]
) -> None:
    request = RequestFactory().get("/admin/")
    request.user = staff
    if not page.has_change_permission(request) and not page.has_add_permission(request):
        return
    with platform_scope(reason="test: forms of the back office"):
        forms = [page.get_form(request)().fields]
        forms += [
            inline.get_formset(request).form().fields
            for inline in page.get_inline_instances(request)
            if inline.max_num != 0
        ]
    for fields in forms:
        for name, field in fields.items():
            if (
                not isinstance(field, ModelChoiceField)
                or field.queryset is None
                or field.queryset.model._meta.label in SHORT
            ):
                continue
            inner = getattr(field.widget, "widget", field.widget)
            assert isinstance(inner, AutocompleteMixin) or getattr(inner, "is_hidden", False), (
                f"{name} offers every row of its table"
            )


def test_list_count_stops_at_its_bound_and_reports_it(
    staff: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MAX_COUNTED", 3)
    with platform_scope(reason="test"):
        GroupFactory.create_batch(5)
    with no_scope(), CaptureQueriesContext(connection) as queries:
        text = open_office(staff).get("/admin/org/group/").content.decode()
    assert Group.objects.count() >= 5
    assert "多于 3 条，请筛选或搜索" in text
    counts = [
        query["sql"]
        for query in queries
        if "COUNT(" in query["sql"] and "org_group" in query["sql"]
    ]
    assert len(counts) == 1
    assert "LIMIT 4" in counts[0]


def test_list_heading_shows_the_result_count_only_after_a_search(staff: Account) -> None:
    with platform_scope(reason="test"):
        GroupFactory(name="云帆集团")
        GroupFactory(name="星澜集团")
        total = Group.objects.count()
    office = open_office(staff)
    with no_scope():
        whole = office.get("/admin/org/group/").content.decode()
        html = office.get("/admin/org/group/", {"q": "云帆"}).content.decode()
    assert f"共 {total} 条" in whole
    assert "显示全部" not in whole
    assert "1 条结果" in html
    assert "显示全部" in html


def list_indexed(model: type[models.Model]) -> set[tuple[str, ...]]:
    """Return the orders that an index supports without sorting: columns of an unconditional
    index, in both directions.
    """
    model = model._meta.concrete_model or model
    single = [
        (field.attname,)
        for field in model._meta.concrete_fields
        if field.unique or getattr(field, "db_index", False)
    ]
    text = [
        tuple(index.fields) or _list_order_names(index.expressions)
        for index in model._meta.indexes
        if index.condition is None
    ]
    unique = [constraint.fields for constraint in model._meta.total_unique_constraints]
    read = {
        tuple(_get_column(model, name) for name in names) for names in (*single, *text, *unique)
    }
    return read | {
        tuple(name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in names)
        for names in read
    }


def _list_order_names(order: Iterable[Any]) -> tuple[str, ...]:
    """Return the field names of an order given by names or expressions; empty for other orders."""
    names = [
        (each.descending, each.expression)
        if isinstance(each, models.expressions.OrderBy)
        else (False, each)
        for each in order
    ]
    plain = [(desc, getattr(each, "name", each)) for desc, each in names]
    return (
        tuple(f"-{name}" if desc else name for desc, name in plain)
        if all(isinstance(name, str) for _desc, name in plain)
        else ()
    )


def _get_column(model: type[models.Model], name: str) -> str:
    bare = name.removeprefix("-")
    column = model._meta.pk.attname if bare == "pk" else model._meta.get_field(bare).attname
    return name[: len(name) - len(bare)] + str(column)


@every_long_list
def test_a_list_opens_in_the_order_of_an_index(
    model: type[models.Model], page: admin.ModelAdmin[Any]
) -> None:
    request = RequestFactory().get("/admin/")
    query = _list_order_names(page.get_ordering(request) or model._meta.ordering or ("-pk",))
    order = tuple(_get_column(model, name) for name in query)
    assert any(names[: len(order)] == order for names in list_indexed(model)), (
        f"{order}: every row would be sorted for the first page"
    )


@every_long_list
def test_a_search_goes_through_each_table_by_itself(
    staff: Account, model: type[models.Model], page: admin.ModelAdmin[Any]
) -> None:
    request = RequestFactory().get("/admin/")
    request.user = staff
    with platform_scope(reason="test: search"), CaptureQueriesContext(connection) as queries:
        result, may_repeat = page.get_search_results(
            request, model._default_manager.all(), "没有 abc"
        )
        assert list(result) == []
    assert not may_repeat
    assert not [
        query["sql"] for query in queries if " JOIN " in query["sql"] and "LIKE" in query["sql"]
    ], "rows joined before they are found"


@pytest.mark.parametrize(
    "page",
    [page for page in admin.site._registry.values() if page.search_fields],
    ids=lambda page: page.model._meta.label,
)
def test_a_choice_by_search_leafs_through_rows_in_an_order(
    staff: Account, page: admin.ModelAdmin[Any]
) -> None:
    request = RequestFactory().get("/admin/autocomplete/")
    request.user = staff
    with platform_scope(reason="test: choice"):
        assert page.get_search_results(request, page.get_queryset(request), "")[0].ordered
