"""The exact rights of each staff job on each page of the back office, and that no page saves
without the services.

A new page or right is a changed row of office_rights.csv: V view, A add, C change or act, R refund,
S settle, L release a limit, D delete.
"""

from __future__ import annotations

import csv
import inspect
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse

from apps.common.tenancy import platform_scope
from apps.org.models import Account
from apps.org.services.staff import STAFF_JOBS
from apps.org.tests.office import create_staff
from mall.admin_navigation import navigation

TABLE = Path(__file__).with_name("office_rights.csv")
PAGES = {page.model._meta.label: page for page in admin.site._registry.values()}

# Pages whose form saves the row itself, and why that is no way around a rule. Every other page has
# no form, or hands it to a service.
SAVED_AS_THEY_ARE = {
    "aftersales.ReturnPolicy": "a table of the supplier's, without a service",
    "auth.Group": "a superuser's alone; staff_groups_sync writes the jobs",
    "calendar.CalendarDay": "a table of the supplier's, without a service",
    "django_celery_beat.ClockedSchedule": "the library's",
    "django_celery_beat.CrontabSchedule": "the library's",
    "django_celery_beat.IntervalSchedule": "the library's",
    "django_celery_beat.PeriodicTask": "the library's",
    "django_celery_beat.SolarSchedule": "the library's",
    "orders.FreightRegion": "a table of the supplier's, without a service",
}
# Rows that are deleted as they are: nothing hangs on them.
DELETED_AS_THEY_ARE = {*SAVED_AS_THEY_ARE, "identity.WeChatWorkAccount"}


def get_request(person: Account) -> Any:
    request = RequestFactory().get("/admin/")
    request.user = person
    return request


def get_rights(page: admin.ModelAdmin[Any], person: Account) -> str:
    """Return the letters of the person's rights on the page."""
    request = get_request(person)
    may_act = getattr(page, "has_act_permission", None)
    result = "V" if page.has_view_permission(request) else ""
    result += "A" if page.has_add_permission(request) else ""
    result += (
        "C"
        if page.has_change_permission(request) or (may_act is not None and may_act(request))
        else ""
    )
    may_refund = getattr(page, "has_refund_permission", None)
    result += "R" if may_refund is not None and may_refund(request) else ""
    may_settle = getattr(page, "has_settle_permission", None)
    result += "S" if may_settle is not None and may_settle(request) else ""
    may_release = getattr(page, "has_release_permission", None)
    result += "L" if may_release is not None and may_release(request) else ""
    return result + ("D" if page.has_delete_permission(request) else "")


def test_each_job_has_exactly_its_rights(db: None) -> None:
    people = {job: create_staff(job) for job in STAFF_JOBS}
    with platform_scope(reason="test: rights of the jobs"):
        counts = {
            label: {job: get_rights(page, person) for job, person in people.items()}
            for label, page in PAGES.items()
        }
    with TABLE.open(encoding="utf-8", newline="") as file:
        wanted = {row.pop("page"): row for row in csv.DictReader(file)}
    assert counts == wanted


def test_the_menu_of_a_job_shows_the_pages_that_it_may_view(db: None) -> None:
    for job in STAFF_JOBS:
        person = create_staff(job)
        with platform_scope(reason="test: menu of the jobs"):
            links = {
                item["link"] for group in navigation(get_request(person)) for item in group["items"]
            }
            hidden = {
                reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist")
                for page in PAGES.values()
                if not page.has_view_permission(get_request(person))
            }
        assert links, job
        assert links & hidden == set(), job


def is_plain(method: Any, own: str) -> bool:
    """Whether a method is the library's, or delegates to it."""
    return not method.__module__.startswith("apps.") or f"super().{own}" in inspect.getsource(
        method
    )


def may_save(page: admin.ModelAdmin[Any], staff: Account) -> bool:
    request = get_request(staff)
    return bool(page.has_add_permission(request) or page.has_change_permission(request))


def test_no_page_saves_a_row_with_rules_around_its_services(staff: Account) -> None:
    plain = {
        label
        for label, page in PAGES.items()
        if may_save(page, staff) and is_plain(type(page).save_model, "save_model")
    }
    assert plain == set(SAVED_AS_THEY_ARE)


def test_no_page_deletes_a_row_with_rules_around_its_services(staff: Account) -> None:
    deleting = [
        (label, page)
        for label, page in PAGES.items()
        if page.has_delete_permission(get_request(staff))
    ]
    plain = {label for label, page in deleting if is_plain(type(page).delete_model, "delete_model")}
    assert plain <= DELETED_AS_THEY_ARE, plain - DELETED_AS_THEY_ARE
    many = {
        label
        for label, page in deleting
        if label not in DELETED_AS_THEY_ARE
        and is_plain(type(page).delete_queryset, "delete_queryset")
    }
    assert many == set()


@pytest.mark.parametrize("label", PAGES)
def test_rows_below_a_page_are_looked_at_or_saved_by_its_service(
    staff: Account, label: str
) -> None:
    page, request = PAGES[label], get_request(staff)
    for inline in page.inlines:
        result = inline(page.model, admin.site)
        if (
            result.has_add_permission(request, None)
            or result.has_change_permission(request)
            or result.has_delete_permission(request)
        ):
            is_kept = label in SAVED_AS_THEY_ARE or not is_plain(
                type(page).save_formset, "save_formset"
            )
            assert is_kept or not is_plain(type(page).save_related, "save_related"), inline
