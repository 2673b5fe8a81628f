"""The change log of the back office: the client address of each entry, and the search."""

from __future__ import annotations

import pytest
from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from apps.common.tenancy import platform_scope
from apps.org.models import Account, Role
from apps.org.tests.factories import PASSWORD
from apps.org.tests.office import NO_LIMITS

ROLE_FORM = {
    "code": "r1",
    "name": "采购员",
    "data_scope": "own",
    "purchasing": "order",
    "menu_codes": [],
}


@pytest.fixture
def office(staff: Account) -> Client:
    client = Client(REMOTE_ADDR="203.0.113.9")
    client.post(reverse("admin:login"), {"username": staff.username, "password": PASSWORD})
    return client


def change(office: Client, role: Role, forwarded: str) -> int:
    form = {**ROLE_FORM, **NO_LIMITS, "group": role.group_id, "name": f"改名 {forwarded[:20]}"}
    path = reverse("admin:org_role_change", args=[role.pk])
    return office.post(path, form, headers={"X-Forwarded-For": forwarded}).status_code


@pytest.fixture
def role(buyer: Account) -> Role:
    answer: Role = buyer.roles.get()
    return answer


@pytest.mark.parametrize("forwarded", ["6.6.6.6", "evil<script>", "999.1.1.1:80", "[::1"])
def test_a_spoofed_address_never_reaches_the_log(
    office: Client, role: Role, forwarded: str
) -> None:
    assert change(office, role, forwarded) == 302
    assert LogEntry.objects.get_for_object(role).latest("id").remote_addr == "203.0.113.9"


def test_log_address_is_taken_from_the_trusted_proxy(
    office: Client, role: Role, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES = 1

    assert change(office, role, "6.6.6.6, 198.51.100.7") == 302
    assert LogEntry.objects.get_for_object(role).latest("id").remote_addr == "198.51.100.7"


def test_the_log_is_searched_by_name(office: Client, role: Role) -> None:
    change(office, role, "6.6.6.6")
    page = reverse("admin:auditlog_logentry_changelist")

    assert "改名 6.6.6.6" in office.get(page, {"q": "ops"}).content.decode()
    assert "改名 6.6.6.6" not in office.get(page, {"q": "<img src=x>"}).content.decode()


def test_audit_log_shows_and_searches_the_legal_name(
    office: Client, role: Role, staff: Account
) -> None:
    with platform_scope(reason="test"):
        Account.objects.filter(pk=staff.pk).update(full_name="贺清源")
    change(office, role, "6.6.6.6")
    page = reverse("admin:auditlog_logentry_changelist")

    html = office.get(page, {"q": "贺清源", "kind": "org.role"}).content.decode()

    assert "<small>贺清源</small>" in html


def test_audit_log_shows_the_address_and_filters_by_address_and_kind(
    office: Client, role: Role
) -> None:
    change(office, role, "6.6.6.6")
    page = reverse("admin:auditlog_logentry_changelist")

    html = office.get(page, {"q": "203.0.113.9", "kind": "org.role"}).content.decode()
    assert "改名 6.6.6.6" in html
    assert "203.0.113.9</td>" in html.replace("\n", "").replace(" ", "")
    assert "改名 6.6.6.6" not in office.get(page, {"q": "203.0.113.10"}).content.decode()
    assert "改名 6.6.6.6" not in office.get(page, {"kind": "org.address"}).content.decode()


def test_audit_log_entry_links_to_the_changed_object_by_name(office: Client, role: Role) -> None:
    change(office, role, "6.6.6.6")
    page = office.get(
        reverse("admin:auditlog_logentry_changelist"), {"kind": "org.role"}
    ).content.decode()

    assert f'<a href="{reverse("admin:org_role_change", args=[role.pk])}">改名 6.6.6.6</a>' in page


def test_audit_log_entries_cannot_be_changed_or_deleted(office: Client, role: Role) -> None:
    change(office, role, "6.6.6.6")
    entry, count = LogEntry.objects.get_for_object(role).latest("id"), LogEntry.objects.count()
    name = "admin:auditlog_logentry"

    office.post(
        reverse(f"{name}_change", args=[entry.pk]), {"object_repr": "x", "remote_addr": "1.1.1.1"}
    )
    statuses = [
        office.post(reverse(f"{name}_add"), {}).status_code,
        office.post(reverse(f"{name}_delete", args=[entry.pk]), {"post": "yes"}).status_code,
    ]
    office.post(
        reverse(f"{name}_changelist"),
        {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"},
    )

    assert statuses == [403, 403]
    assert LogEntry.objects.count() == count
    assert LogEntry.objects.get(pk=entry.pk).remote_addr == "203.0.113.9"


def test_a_change_reads_in_the_words_of_the_form(office: Client, role: Role) -> None:
    before = role.name
    change(office, role, "198.51.100.7")
    entry = LogEntry.objects.get_for_object(role).latest("id")

    text = office.get(reverse("admin:auditlog_logentry_change", args=[entry.pk])).content.decode()

    assert f"<td>角色名称</td><td>{before}</td><td>改名 198.51.100.7</td>" in text
    assert [
        word for word in ("Resource", "Correlation", "Changes", "update") if f">{word}<" in text
    ] == []


def build_entry(subject: Role, changes: dict[str, list[str]]) -> LogEntry:
    kind = ContentType.objects.get_for_model(subject)
    log_entry: LogEntry = LogEntry.objects.create(
        content_type=kind, object_pk=str(subject.pk), object_repr="x", action=1, changes=changes
    )
    return log_entry


@pytest.mark.parametrize(
    ("name", "expected", "row"),
    [
        ("updated_at", "2026-11-23 13:38:46.430560", "<td>2026-11-23 21:38:46</td>"),
        ("data_scope", "own", "<td>仅本人</td>"),
        ("group", "{group}", "<td>{group_name}</td>"),
        ("group", "999999", "<td>编号 999999</td>"),
    ],
)
def test_a_value_reads_as_on_its_page(
    office: Client, role: Role, name: str, expected: str, row: str
) -> None:
    entry = build_entry(role, {name: ["None", expected.format(group=role.group_id)]})

    text = office.get(reverse("admin:auditlog_logentry_change", args=[entry.pk])).content.decode()

    assert f"<td>—</td>{row.format(group_name=role.group)}" in text


def test_audit_log_entry_hides_empty_changes(office: Client, role: Role) -> None:
    entry = build_entry(
        role,
        {
            "name": ["None", "采购员"],
            "accounts": ["None", "org.Account.None"],
            "code": ["None", "None"],
        },
    )

    text = office.get(reverse("admin:auditlog_logentry_change", args=[entry.pk])).content.decode()

    assert text.split('class="office-table">')[1].count("<tr><td>") == 1
