"""Every list and form of the back office opens at once however many rows there are: nothing is counted or offered over a whole table."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteMixin
from django.db import connection, models
from django.forms import ModelChoiceField
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.common.admin import listing
from apps.common.admin.listing import BoundedPaginator
from apps.common.tenancy import no_scope, platform_scope
from apps.org.models import Account, Group
from apps.org.tests.factories import GroupFactory
from apps.org.tests.office import office_of

# Tables that staff fill by hand and that stay short: these may be offered whole, and gone through for a filter.
SHORT = {
    "aftersales.ReturnPolicy",
    "auth.Group",
    "auth.Permission",
    "catalog.MenuGroup",
    "catalog.SearchSynonym",
    "catalog.SelectionScenario",
    "content.Announcement",
    "content.Banner",
    "content.CalendarDay",
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
LONG = [(model, page) for model, page in admin.site._registry.items() if model._meta.label not in SHORT]
every_long_list = pytest.mark.parametrize(("model", "page"), LONG, ids=lambda each: getattr(getattr(each, "_meta", None), "label", ""))


def fields_of(page: admin.ModelAdmin[Any]) -> list[models.Field[Any, Any]]:
    """Return the fields that the list filters by as they are, and not through a filter of their own."""
    names = [each for each in page.list_filter if isinstance(each, str)]
    return [path_end(page.model, name) for name in names]


def path_end(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    *way, last = name.split("__")
    for step in way:
        model = model._meta.get_field(step).related_model  # type: ignore[assignment]
    field: models.Field[Any, Any] = model._meta.get_field(last)  # type: ignore[assignment]
    return field


@every_long_list
def test_a_list_counts_no_further_than_it_leafs(model: type[models.Model], page: admin.ModelAdmin[Any]) -> None:
    assert issubclass(page.paginator, BoundedPaginator)
    assert not page.show_full_result_count
    assert page.list_per_page <= 100
    assert page.list_max_show_all <= 200
    assert page.date_hierarchy is None, "it goes through every row for its years: filter by a range"


@every_long_list
def test_a_list_is_filtered_by_what_is_short_or_looked_up(model: type[models.Model], page: admin.ModelAdmin[Any]) -> None:
    for field in fields_of(page):
        is_told = bool(field.choices) or isinstance(field, models.BooleanField | models.DateField)
        is_short = field.is_relation and field.related_model._meta.label in SHORT
        assert is_told or is_short, f"{field.name}: every value of the table would be gathered for its filter"
    for each in page.list_filter:
        if isinstance(each, tuple | list) and path_end(model, each[0]).is_relation:
            assert issubclass(each[1], AutocompleteSelectFilter), each


@pytest.mark.parametrize("page", admin.site._registry.values(), ids=lambda page: page.model._meta.label)
def test_a_form_looks_up_what_may_be_many(staff: Account, page: admin.ModelAdmin[Any]) -> None:
    request = RequestFactory().get("/admin/")
    request.user = staff
    if not page.has_change_permission(request) and not page.has_add_permission(request):
        return
    with platform_scope(reason="test: forms of the back office"):
        forms = [page.get_form(request)().fields]
        forms += [inline.get_formset(request).form().fields for inline in page.get_inline_instances(request) if inline.max_num != 0]
    for fields in forms:
        for name, field in fields.items():
            if not isinstance(field, ModelChoiceField) or field.queryset is None or field.queryset.model._meta.label in SHORT:
                continue
            inner = getattr(field.widget, "widget", field.widget)
            assert isinstance(inner, AutocompleteMixin) or getattr(inner, "is_hidden", False), f"{name} offers every row of its table"


def test_beyond_the_bound_a_list_says_so_and_counts_no_further(staff: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_COUNTED", 3)
    with platform_scope(reason="test"):
        GroupFactory.create_batch(5)
    with no_scope(), CaptureQueriesContext(connection) as queries:
        text = office_of(staff).get("/admin/org/group/").content.decode()
    assert Group.objects.count() >= 5
    assert "多于 3 条，请筛选或搜索" in text
    counts = [query["sql"] for query in queries if "COUNT(" in query["sql"] and "org_group" in query["sql"]]
    assert len(counts) == 1
    assert "LIMIT 4" in counts[0]
