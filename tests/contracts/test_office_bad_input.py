"""The back office refuses or ignores unexpected input; no answer is a 500."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.forms.models import inlineformset_factory
from django.test import Client, RequestFactory

from apps.common.tenancy import no_scope, platform_scope
from apps.office.lists import OfficeAdmin
from apps.org.models import Account
from apps.org.tests.office import open_office
from apps.pricing.models import Assortment

NO_KEYS = ("abc", "9" * 23, "²", "")
EVERY = {model._meta.label: page for model, page in admin.site._registry.items()}
PAGES = {
    page.model._meta.label: page
    for page in admin.site._registry.values()
    if isinstance(page, OfficeAdmin)
}


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


def list_acts(page: admin.ModelAdmin[Any], person: Account) -> list[str]:
    request = RequestFactory().get("/admin/")
    request.user = person
    with platform_scope(reason="test: acts of a list"):
        return list(page.get_actions(request))


@pytest.mark.parametrize("label", PAGES)
def test_list_action_with_invalid_keys_selects_no_row(
    office: Client, staff: Account, label: str
) -> None:
    page = PAGES[label]
    path = f"/admin/{page.opts.app_label}/{page.opts.model_name}/"
    for act in list_acts(page, staff):
        with no_scope():
            answer = office.post(path, {"action": act, ACTION_CHECKBOX_NAME: list(NO_KEYS)})
        assert answer.status_code in (200, 302), act


@pytest.mark.parametrize(
    "path",
    [
        "/admin/content/announcement/abc/preview/",
        "/admin/budgets/budget/abc/adjust/",
        "/admin/orders/shipment/abc/print/",
        "/admin/org/account/abc/change/",
        "/admin/org/account/abc/impersonate/",
        "/admin/pricing/pricelistitem/?price_from=abc",
        "/admin/catalog/product/?market_price_from=NaN",
        f"/admin/approvals/approvalrule/add/?group={'9' * 300}",
    ],
)
def test_malformed_admin_address_causes_no_server_error(office: Client, path: str) -> None:
    with no_scope():
        assert office.get(path).status_code < 500


def choosing(page: admin.ModelAdmin[Any]) -> list[str]:
    """Return the autocomplete fields of the page's add form and of a first inline row."""
    below = [
        f"{_get_prefix(page, inline)}-0-{name}"
        for inline in page.inlines
        for name in inline.autocomplete_fields
    ]
    return [*page.autocomplete_fields, *below]


def _get_prefix(page: admin.ModelAdmin[Any], inline: Any) -> str:
    return inlineformset_factory(
        page.model, inline.model, fk_name=inline.fk_name, fields=()
    ).get_default_prefix()


@pytest.mark.parametrize("label", [label for label, page in PAGES.items() if choosing(page)])
@pytest.mark.parametrize("key", ["abc", "9" * 23, "²"])
def test_autocomplete_value_without_a_row_is_refused(office: Client, label: str, key: str) -> None:
    page = PAGES[label]
    form = dict.fromkeys(choosing(page), key)
    for prefix in (_get_prefix(page, inline) for inline in page.inlines):
        form |= {f"{prefix}-TOTAL_FORMS": "1", f"{prefix}-INITIAL_FORMS": "0"}
    with no_scope():
        answer = office.post(f"/admin/{page.opts.app_label}/{page.opts.model_name}/add/", form)
    assert answer.status_code in (200, 302, 403)


def test_every_admin_page_extends_office_admin() -> None:
    assert {label for label, page in EVERY.items() if not isinstance(page, OfficeAdmin)} == set()


@pytest.mark.parametrize("total", ["9" * 20, "201", "²", "-1", ""])
def test_more_rows_than_a_form_takes_are_refused_with_words(office: Client, total: str) -> None:
    assortment = Assortment.objects.create(code="A1", name="原名称")
    page = f"/admin/pricing/assortment/{assortment.pk}/change/"
    form = {
        "code": assortment.code,
        "name": "新名称",
        "rules-TOTAL_FORMS": total,
        "rules-INITIAL_FORMS": "0",
    }
    with no_scope():
        answer = office.post(page, form, follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "超过 200 行，本次没有保存" in answer.content.decode()
    assortment.refresh_from_db()
    assert assortment.name != "新名称"


@pytest.mark.parametrize("number", ["²", "abc", "-1", "9" * 5000, "999999"])
def test_invalid_inline_page_number_shows_the_first_page(office: Client, number: str) -> None:
    page = (
        f"/admin/pricing/assortment/{Assortment.objects.create(code='A1', name='原名称').pk}"
        "/change/"
    )
    with no_scope():
        assert office.get(page, {"rules-page": number}).status_code == 200
        sent = {"rules-page": number, "rules-TOTAL_FORMS": "0", "rules-INITIAL_FORMS": "0"}
        assert office.post(page, sent).status_code == 200


@pytest.mark.parametrize(
    "query",
    ["enabled__exact=foo", "one_off__exact=2", "start_time__gte=foo", "interval__id__exact=²"],
)
def test_invalid_filter_of_periodic_tasks_causes_no_error(office: Client, query: str) -> None:
    with no_scope():
        assert (
            office.get(f"/admin/django_celery_beat/periodictask/?{query}", follow=True).status_code
            == 200
        )


@pytest.mark.parametrize(
    "query",
    [
        "calendar/calendarday/?day__year=9999&day__month=12&day__day=31",
        "django_celery_beat/periodictask/?last_run_at__year=-1",
        "pricing/agreement/?valid_to__year=" + "9" * 30,
        "common/outboxmessage/?created_at__year=0",
        "django_celery_beat/clockedschedule/?id__range=1",
    ],
)
def test_filter_with_an_impossible_value_redirects_to_the_list(office: Client, query: str) -> None:
    with no_scope():
        answer = office.get(f"/admin/{query}", follow=True)
    assert (answer.status_code, len(answer.redirect_chain)) == (200, 1)


@pytest.mark.parametrize("lookup", ["id__regex", "id__iregex"])
def test_regex_lookup_in_a_list_address_is_refused(office: Client, lookup: str) -> None:
    with no_scope():
        assert office.get(f"/admin/orders/order/?{lookup}=(((").status_code == 400


@pytest.mark.parametrize(
    "field",
    [
        "auth/permission/group",
        "django_celery_beat/solarschedule/periodictask",
        "pricing/pricemove/alarm",
    ],
)
def test_autocomplete_over_a_reverse_relation_is_forbidden(office: Client, field: str) -> None:
    query = dict(zip(("app_label", "model_name", "field_name"), field.split("/"), strict=True))
    with no_scope():
        assert office.get("/admin/autocomplete/", query).status_code == 403


@pytest.mark.parametrize("group", ["9" * 5000, "9" * 23, "²", "abc", ""])
def test_autocomplete_with_an_unknown_group_is_empty(office: Client, group: str) -> None:
    query = {
        "app_label": "admin",
        "model_name": "logentry",
        "field_name": "user",
        "of_group": group,
    }
    with no_scope():
        answer = office.get("/admin/autocomplete/", query)
    assert (answer.status_code, answer.json()["results"]) == (200, [])
